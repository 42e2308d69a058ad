import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DEFAULT_STREAM_ID } from '#core/index.ts';
import { STOCK_GROK_PATTERNS } from '#processing/rules/index.ts';
import { processedByWorkers } from '#testing/processed-by-workers.ts';
import { createStreamsFixture, type StreamsFixture } from '#testing/streams-fixture.ts';

let fixture: StreamsFixture;
beforeEach(async () => {
  fixture = await createStreamsFixture();
});
afterEach(() => fixture.close());

const GROK = '/system/grok';
const call: StreamsFixture['call'] = (method, path, options = {}) =>
  fixture.call(method, path, { as: 'admin', ...options });

const create = (name: string, pattern: string) => call('POST', GROK, { body: { name, pattern } });
const names = async (): Promise<string[]> =>
  (await call('GET', GROK)).body.patterns.map(({ name }: { name: string }) => name);
const idOf = async (wanted: string): Promise<string> =>
  (await call('GET', GROK)).body.patterns.find(({ name }: { name: string }) => name === wanted).id;

async function connectRule(condition: string, then: string): Promise<void> {
  await call('POST', '/system/pipelines/rule', {
    body: { source: `rule "r" when ${condition} then ${then} end` },
  });
  const { body } = await call('POST', '/system/pipelines/pipeline', {
    body: { source: 'pipeline "p" stage 0 match either rule "r" end' },
  });
  await call('POST', '/system/pipelines/connections/to_pipeline', {
    body: { pipeline_id: body.id, stream_ids: [DEFAULT_STREAM_ID] },
  });
}

const orderOf = (text: string) =>
  processedByWorkers(fixture.processing, { short_message: text })[0]?.getField('order');

describe('grok patterns', () => {
  test('a database starts with the stock patterns, which can be deleted for good', async () => {
    expect(await names()).toEqual([...STOCK_GROK_PATTERNS.keys()].sort());
    expect((await call('DELETE', `${GROK}/${await idOf('IPV4')}`)).status).toBe(400);
    expect((await call('DELETE', `${GROK}/${await idOf('UUID')}`)).status).toBe(204);
    const stock = [...STOCK_GROK_PATTERNS].map(([name, pattern]) => ({ name, pattern }));
    expect(await fixture.metadata.repositories.grokPatterns.seed(stock)).toBe(false);
    expect(await names()).not.toContain('UUID');
  });

  test('are added, read, listed by page, changed and deleted', async () => {
    const created = await create('ORDER', 'no %{INT:order:int}');
    expect(created.status).toBe(201);
    expect(created.headers.location).toBe(`/api${GROK}/${created.body.id}`);
    expect(created.body).toEqual({
      id: created.body.id,
      name: 'ORDER',
      pattern: 'no %{INT:order:int}',
      content_pack: null,
      revision: expect.any(String),
    });
    expect((await call('GET', `${GROK}/${created.body.id}`)).body).toEqual(created.body);
    const page = await call('GET', `${GROK}/paginated?query=order&per_page=1`);
    expect(page.body).toMatchObject({ total: 1, count: 1, page: 1, patterns: [created.body] });
    const changed = await call('PUT', `${GROK}/${created.body.id}`, {
      body: { ...created.body, pattern: '#%{INT:order:int}' },
    });
    expect([changed.status, changed.body.pattern]).toEqual([200, '#%{INT:order:int}']);
    expect((await call('DELETE', `${GROK}/${created.body.id}`)).status).toBe(204);
    expect((await call('GET', `${GROK}/${created.body.id}`)).status).toBe(404);
    const { items } = await fixture.metadata.repositories.auditLog.listPage({}, { limit: 10, offset: 0 });
    expect(items.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['grok_pattern.create', 'grok_pattern.update', 'grok_pattern.delete']),
    );
  });

  test('a change made from an older revision is refused; without a revision it is made', async () => {
    const { id, revision } = (await create('ORDER', 'no %{INT:order:int}')).body;
    const change = (pattern: string, from: string | null) =>
      call('PUT', `${GROK}/${id}`, { body: { name: 'ORDER', pattern, revision: from } });
    expect((await change('theirs', revision)).status).toBe(200);
    const refused = await change('mine', revision);
    expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('ORDER')]);
    const { body: now } = await change('mine', null);
    expect(now.pattern).toBe('mine');
    const answers = await Promise.all([change('one', now.revision), change('other', now.revision)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test.each([
    ['a name that is taken', { name: 'INT', pattern: '1' }, /another grok pattern/],
    ['a name that cannot be called', { name: 'A-B', pattern: '1' }, /letters, digits/],
    ['an expression that is none', { name: 'BAD', pattern: '(' }, /BAD is not valid/],
    ['an unknown pattern inside', { name: 'BAD', pattern: '%{NOBODY}' }, /there is no grok pattern NOBODY/],
    ['one that contains itself', { name: 'LOOP', pattern: 'a%{LOOP}' }, /contain each other without end/],
    ['one that takes for ever', { name: 'SLOW', pattern: '(?:a+)+b' }, /SLOW takes longer than/],
  ])('refuses %s', async (_what, body, message) => {
    const answer = await call('POST', GROK, { body });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toMatch(message);
  });

  test('are imported from a list: all, or none of it', async () => {
    const put = (patterns: object[], query = '') => call('PUT', `${GROK}${query}`, { body: { patterns } });
    const a = { name: 'A', pattern: '%{B}x' };
    const b = { name: 'B', pattern: '\\d' };
    expect((await put([a, b])).status).toBe(202);
    const refused = await put([{ name: 'A', pattern: 'y' }]);
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('already: A')]);
    expect((await put([{ name: 'C', pattern: '(' }, a])).status).toBe(400);
    expect(await names()).not.toContain('C');
    expect((await put([{ name: 'A', pattern: 'y' }], '?import-strategy=REPLACE_ON_CONFLICT')).status).toBe(
      202,
    );
    expect((await put([a, b], '?replace=true')).status).toBe(202);
    expect(await names()).toEqual(['A', 'B']);
  });

  test('are imported from a pattern file', async () => {
    const post = (text: string, query = '') =>
      call('POST', `${GROK}${query}`, { body: text, headers: { 'content-type': 'text/plain' } });
    const file = '# Orders\n\nORDER no %{INT:order}\r\nORDERLINE %{ORDER} .*\n';
    expect((await post(file)).status).toBe(202);
    expect((await call('GET', `${GROK}/${await idOf('ORDERLINE')}`)).body.pattern).toBe('%{ORDER} .*');
    expect((await post(file)).status).toBe(400);
    expect((await post(file, '?import-strategy=REPLACE_ON_CONFLICT')).status).toBe(202);
    const broken = await post('FINE a\nnot-a-name b');
    expect([broken.status, broken.body.message]).toEqual([400, expect.stringContaining('Line 2')]);
    expect(await names()).not.toContain('FINE');
  });

  test('are tried with a text, and one that takes too long is ended', async () => {
    const tried = (name: string, pattern: string, sampleData: string) =>
      call('POST', `${GROK}/test`, { body: { grok_pattern: { name, pattern }, sampleData } });
    const found = await tried('LINE', '%{WORD:what} %{INT:n:int}', 'order 17');
    expect(found.body).toMatchObject({ LINE: 'order 17', what: 'order', n: 17 });
    expect((await tried('LINE', '%{INT:n}', 'none')).body).toEqual({});
    const bad = await tried('LINE', '(', 'x');
    expect(bad.status).toBe(400);
    const slow = await tried('SLOW', '(?:a+)+b', 'a'.repeat(50));
    expect([slow.status, slow.body.message]).toEqual([400, expect.stringContaining('takes longer')]);
  });

  test('rules know them, use the newest one, and keep those they use', async () => {
    const source = 'rule "x" when grok("%{ORDER}", "a").matches then end';
    const parse = () => call('POST', '/system/pipelines/rule/parse', { body: { source } });
    expect((await parse()).body[0].reason).toContain('there is no grok pattern ORDER');
    const { body } = await create('ORDER', 'no %{INT:order}');
    expect((await parse()).status).toBe(200);
    await connectRule('true', 'set_fields(grok("%{ORDER}", to_string($message.message), true));');
    expect(orderOf('no 17')).toBe('17');
    await call('PUT', `${GROK}/${body.id}`, { body: { name: 'ORDER', pattern: '#%{INT:order}' } });
    expect([orderOf('no 17'), orderOf('#18')]).toEqual([undefined, '18']);
    const used = await call('DELETE', `${GROK}/${body.id}`);
    expect([used.status, used.body.message]).toEqual([400, expect.stringContaining('the rule "r"')]);
    const renamed = await call('PUT', `${GROK}/${body.id}`, { body: { name: 'OTHER', pattern: 'x' } });
    expect(renamed.status).toBe(400);
    const dropped = await call('PUT', `${GROK}?replace=true`, { body: { patterns: [] } });
    expect([dropped.status, dropped.body.message]).toEqual([400, expect.stringContaining('the rule "r"')]);
  });
});
