import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SampledMessage } from '#streams/service.ts';
import { createStreamsFixture, type StreamsFixture } from '#testing/streams-fixture.ts';

let fixture: StreamsFixture;
beforeEach(async () => {
  fixture = await createStreamsFixture({ streamTimeoutMs: 100 });
});
afterEach(() => fixture.close());

const call: StreamsFixture['call'] = (method, path, options = {}) =>
  fixture.call(method, path, { as: 'admin', ...options });

async function preview(body: object) {
  const { status, body: answer, text } = await call('POST', '/streams/preview', { body });
  if (status !== 200) throw new Error(text);
  return answer;
}

const NOON = Date.UTC(2026, 0, 1, 12);
let made = 0;
function stored(message: string, fields: Record<string, string | number | bigint> = {}): SampledMessage {
  made += 1;
  return {
    id: `id-${made}`,
    index: 'millrace_0',
    timestamp: NOON - made * 1000,
    receivedAt: NOON,
    fields: new Map<string, string | number | bigint>([
      ['message', message],
      ['source', 'web-1'],
      ['level', 6],
      ...Object.entries(fields),
    ]),
  };
}

const rule = (type: number, field: string, value: string, inverted = false) => ({
  type,
  field,
  value,
  inverted,
});
const isError = rule(4, 'level', '4');
const isWeb = rule(2, 'source', '^web-');
/** V8 needs exponential time for it; the messages decide how long. */
const evil = rule(2, 'message', '^(a|a)+$');
const poison = `${'a'.repeat(40)}!`;

describe('a preview', () => {
  test('says how many messages match, by rule, over time and with examples', async () => {
    fixture.stored.push(
      stored('one', { level: 3 }),
      stored('two'),
      stored('three', { level: 3, source: 'db' }),
      stored('x'.repeat(5000), { level: 2, big: 9_007_199_254_740_993n }),
    );
    const answer = await preview({ rules: [isError, isWeb], examples: 1 });
    expect(answer).toMatchObject({
      looked_at: 4,
      matched: 2,
      is_complete: true,
      timed_out: 0,
      would_be_disabled: false,
      rules: [{ matched: 3 }, { matched: 3 }],
    });
    expect(answer.examples.matched.map(({ message }: { message: object }) => message)).toEqual([
      { _id: expect.any(String), timestamp: expect.any(String), message: 'one', source: 'web-1', level: 3 },
    ]);
    expect(answer.examples.missed[0].message.message).toBe('two');
    const { histogram } = answer;
    const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);
    expect([sum(histogram.looked_at), sum(histogram.matched)]).toEqual([4, 2]);
    expect(histogram.looked_at.length).toBeLessThanOrEqual(60);
    expect(await preview({ rules: [isError, isWeb], matching_type: 'OR' })).toMatchObject({ matched: 4 });
    expect(await preview({ rules: [], matching_type: 'OR' })).toMatchObject({ matched: 0, looked_at: 4 });
    // Long texts are cut, and no digit of a number is lost.
    const { text } = await call('POST', '/streams/preview', { body: { rules: [rule(5, 'big', '')] } });
    expect(text).toContain('9007199254740993');
    expect(text.length).toBeLessThan(10_000);
  });

  test('looks at no more than it was asked for, and says so', async () => {
    fixture.stored.push(stored('one'), stored('two'), stored('three'));
    expect(await preview({ rules: [isWeb], sample: 2 })).toMatchObject({
      looked_at: 2,
      matched: 2,
      is_complete: false,
    });
    expect(await preview({ rules: [isWeb], sample: 3 })).toMatchObject({ looked_at: 3, is_complete: true });
    expect(await preview({ rules: [isWeb], sample: 0 })).toMatchObject({ looked_at: 0, histogram: null });
  });

  test('tries one message, with the result of each rule', async () => {
    const message = { level: 3, source: 'db' };
    const body = { rules: [isError, isWeb], sample: 0, message };
    expect((await preview(body)).message).toEqual({
      matches: false,
      rules: [{ matched: true }, { matched: false }],
      timed_out: false,
    });
    expect((await preview({ ...body, matching_type: 'OR' })).message.matches).toBe(true);
    const slow = await preview({ rules: [evil], sample: 0, message: { message: poison } });
    expect(slow.message).toEqual({ matches: false, rules: [{ matched: false }], timed_out: true });
  });

  test('stops where a stream would be disabled', async () => {
    fixture.stored.push(stored('aaa'), ...Array.from({ length: 10 }, () => stored(poison)));
    expect(await preview({ rules: [evil] })).toMatchObject({
      looked_at: 5,
      matched: 1,
      timed_out: 4,
      would_be_disabled: true,
      is_complete: false,
    });
    // A rule that decides alone saves the slow one.
    expect(await preview({ rules: [evil, rule(1, 'source', 'db')] })).toMatchObject({ timed_out: 0 });
  });

  test('names every wrong rule by its place', async () => {
    const rules = [isError, rule(2, 'message', '('), rule(3, 'level', 'high'), rule(1, '', 'x')];
    const { status, body } = await call('POST', '/streams/preview', { body: { rules } });
    expect(status).toBe(400);
    expect(body.problems.map(({ path }: { path: string }) => path)).toEqual([
      'rules[1].value',
      'rules[2].value',
      'rules[3].field',
    ]);
  });
});

describe('all rules at once', () => {
  async function create() {
    const body = { title: 'Web', rules: [isError, isWeb], matching_type: 'AND' };
    const { stream_id: id } = (await call('POST', '/streams', { body })).body;
    return { id, stream: (await call('GET', `/streams/${id}`)).body };
  }

  test('are kept by their id, added and removed', async () => {
    const { id, stream } = await create();
    const [first, second] = stream.rules;
    const { status, body } = await call('PUT', `/streams/${id}/rules`, {
      body: {
        matching_type: 'OR',
        rules: [rule(6, 'message', 'timeout'), { ...isError, value: '3', id: first.id }],
        revision: stream.revision,
      },
    });
    expect([status, body.matching_type]).toEqual([200, 'OR']);
    expect(body.rules.map(({ value }: { value: string }) => value)).toEqual(['timeout', '3']);
    expect(body.rules[1].id).toBe(first.id);
    expect(body.rules[0].id).not.toBe(second.id);
    expect(body.revision).not.toBe(stream.revision);
    expect((await call('GET', `/streams/${id}`)).body).toEqual(body);
  });

  test('of somebody else are not overwritten by accident', async () => {
    const { id, stream } = await create();
    const change = (revision?: string) =>
      call('PUT', `/streams/${id}/rules`, { body: { rules: [isWeb], ...(revision && { revision }) } });
    expect((await change(stream.revision)).status).toBe(200);
    const late = await change(stream.revision);
    expect([late.status, late.body.message]).toEqual([409, expect.stringContaining('somebody else')]);
    const title = { title: 'Mine', revision: stream.revision };
    expect((await call('PUT', `/streams/${id}`, { body: title })).status).toBe(409);
    expect((await call('GET', `/streams/${id}`)).body.title).toBe('Web');
    expect((await change()).status).toBe(200);
    // A pause is no edit.
    const { revision } = (await call('GET', `/streams/${id}`)).body;
    await call('POST', `/streams/${id}/resume`);
    expect((await change(revision)).status).toBe(200);
  });

  test('must belong to the stream', async () => {
    const { id } = await create();
    const other = await create();
    const foreign = { ...isWeb, id: other.stream.rules[0].id };
    const { status } = await call('PUT', `/streams/${id}/rules`, { body: { rules: [foreign] } });
    expect(status).toBe(404);
    expect((await call('GET', `/streams/${id}`)).body.rules).toHaveLength(2);
  });
});

test('streams are found by their rules and by the title of their index set', async () => {
  const body = { title: 'Web', rules: [rule(1, 'app', 'shop')], index_set_id: 'aaaaaaaaaaaaaaaaaaaaaaaa' };
  await call('POST', '/streams', { body });
  const titles = async (query: string) =>
    (await call('GET', `/streams/paginated?query=${encodeURIComponent(query)}`)).body.elements.map(
      ({ title }: { title: string }) => title,
    );
  expect(await titles('SHOP')).toEqual(['Web']);
  expect(await titles('set aaaa')).toEqual(['Web']);
  expect(await titles('nothing like it')).toEqual([]);
});
