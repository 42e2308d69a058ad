import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  DEFAULT_INDEX_SET_ID,
  DEFAULT_STREAM_ID,
  FAILURE_INDEX_SET_ID,
  FAILURE_STREAM_ID,
} from '#core/index.ts';
import { checkRoutes, servedBy } from '#testing/route-checks.ts';
import {
  createStreamsFixture,
  OTHER_INDEX_SET_ID,
  READ_ONLY_INDEX_SET_ID,
  type StreamsFixture,
  streamRoutesOf,
} from '#testing/streams-fixture.ts';

let fixture: StreamsFixture;
beforeEach(async () => {
  fixture = await createStreamsFixture({ streamTimeoutMs: 500 });
});
afterEach(() => fixture.close());

const UNKNOWN = 'cccccccccccccccccccccccc';
const stream = {
  title: 'Shop',
  description: 'All of the shop',
  rules: [{ type: 1, field: 'app', value: 'shop', inverted: false }],
  matching_type: 'OR',
  remove_matches_from_default_stream: true,
  index_set_id: OTHER_INDEX_SET_ID,
};
const call: StreamsFixture['call'] = (method, path, options = {}) =>
  fixture.call(method, path, { as: 'admin', ...options });

async function create(changes: Record<string, unknown> = {}, as = 'admin'): Promise<string> {
  const { status, body, text } = await call('POST', '/streams', { as, body: { ...stream, ...changes } });
  if (status !== 201) throw new Error(text);
  return body.stream_id;
}

async function refused(body: Record<string, unknown>): Promise<string> {
  const answer = await call('POST', '/streams', { body: { ...stream, ...body } });
  expect(answer.status).toBe(400);
  return answer.body.message;
}

const running = () => fixture.processing.snapshot()?.streams.map(({ id }) => id);

checkRoutes(() => ({ routes: streamRoutesOf(fixture.processing), ...servedBy(fixture.auth) }), {
  runsPerOperation: 15,
});

describe('streams', () => {
  test('are created paused (201 with the id) and read with all properties', async () => {
    const created = await call('POST', '/streams', { body: stream });
    const id = created.body.stream_id;
    expect([created.status, created.headers.location]).toEqual([201, `/api/streams/${id}`]);
    const { body } = await call('GET', `/streams/${id}`);
    expect(body).toEqual({
      id,
      creator_user_id: 'admin',
      outputs: [],
      matching_type: 'OR',
      description: 'All of the shop',
      created_at: '2026-01-01T00:00:00.000Z',
      disabled: true,
      state: 'paused',
      state_reason: null,
      rules: [
        {
          id: body.rules[0].id,
          stream_id: id,
          type: 1,
          field: 'app',
          value: 'shop',
          inverted: false,
          description: null,
          content_pack: null,
        },
      ],
      alert_conditions: [],
      alert_receivers: { emails: [], users: [] },
      title: 'Shop',
      content_pack: null,
      is_default: false,
      is_editable: true,
      remove_matches_from_default_stream: true,
      index_set_id: OTHER_INDEX_SET_ID,
      revision: expect.any(String),
    });
    expect(running()).toEqual([]);
  });

  test('need only a title; by default all rules must match and the default index set is used', async () => {
    const created = await call('POST', '/streams', { body: { title: 'Bare', matching_type: '' } });
    expect((await call('GET', `/streams/${created.body.stream_id}`)).body).toMatchObject({
      matching_type: 'AND',
      description: null,
      remove_matches_from_default_stream: false,
      index_set_id: DEFAULT_INDEX_SET_ID,
      rules: [],
    });
  });

  test('are refused as a whole if any part is wrong', async () => {
    const rule = (changes: object) => ({ rules: [...stream.rules, { ...stream.rules[0], ...changes }] });
    expect(await refused(rule({ type: 2, value: 'a(b' }))).toMatch(/"a\(b" is not a regular expression.* 4/);
    expect(await refused(rule({ type: 3, value: 'four' }))).toMatch(/"four" is not a number/);
    expect(await refused(rule({ type: 9 }))).toMatch(/type 9/);
    expect(await refused(rule({ field: '' }))).toMatch(/EXACT needs a field/);
    expect(await refused({ matching_type: 'XOR' })).toMatch(/matching_type/);
    expect(await refused({ index_set_id: UNKNOWN })).toMatch(/there is no index set "c/);
    expect(await refused({ index_set_id: READ_ONLY_INDEX_SET_ID })).toMatch(/not writable/);
    expect(await refused({ index_set_id: FAILURE_INDEX_SET_ID })).toMatch(/for processing failures only/);
    expect(await refused({ title: ' ' })).toMatch(/title/);
    // One fault is one problem.
    expect(await refused({ title: '' })).toBe('body.title: expected at least 1 characters, got ""');
    expect(await refused({ descripton: 'a' })).toMatch(/unknown property "descripton"/);
    expect((await call('GET', '/streams')).body.total).toBe(3);
  });

  test('change only in given properties; empty texts, null and rules change nothing', async () => {
    const id = await create();
    const before = (await call('GET', `/streams/${id}`)).body;
    const none = { title: '', description: '', matching_type: null, index_set_id: '', rules: [] };
    expect((await call('PUT', `/streams/${id}`, { body: none })).body).toEqual(before);
    const changes = {
      title: 'New',
      matching_type: 'AND',
      remove_matches_from_default_stream: false,
      index_set_id: DEFAULT_INDEX_SET_ID,
    };
    const changed = await call('PUT', `/streams/${id}`, { body: changes });
    expect([changed.status, changed.body]).toEqual([
      200,
      { ...before, ...changes, revision: expect.any(String) },
    ]);
    const bad = await call('PUT', `/streams/${id}`, { body: { index_set_id: READ_ONLY_INDEX_SET_ID } });
    expect(bad.status).toBe(400);
    expect((await call('PUT', `/streams/${UNKNOWN}`, { body: changes })).status).toBe(404);
  });

  test('are resumed and paused repeatedly, and workers follow immediately', async () => {
    const id = await create();
    const versions: number[] = [];
    fixture.processing.onSnapshot(({ version }) => versions.push(version));
    for (let times = 0; times < 2; times++) {
      expect((await call('POST', `/streams/${id}/resume`)).status).toBe(204);
      expect(running()).toEqual([id]);
    }
    expect((await call('GET', `/streams/${id}`)).body).toMatchObject({ disabled: false, state: 'running' });
    for (let times = 0; times < 2; times++) {
      expect((await call('POST', `/streams/${id}/pause`)).status).toBe(204);
      expect(running()).toEqual([]);
    }
    expect((await call('GET', `/streams/${id}`)).body).toMatchObject({ disabled: true, state: 'paused' });
    expect(versions).toEqual([versions[0], versions[0]! + 1, versions[0]! + 2]);
    expect((await call('POST', `/streams/${UNKNOWN}/resume`)).status).toBe(404);
  });

  test('are deleted with their rules', async () => {
    const id = await create();
    await call('POST', `/streams/${id}/resume`);
    expect((await call('DELETE', `/streams/${id}`)).status).toBe(204);
    expect(running()).toEqual([]);
    expect((await call('DELETE', `/streams/${id}`)).status).toBe(404);
    expect((await call('GET', `/streams/${id}`)).status).toBe(404);
    expect((await call('GET', `/streams/${id}/rules`)).status).toBe(404);
    expect((await call('GET', '/streams/%00')).status).toBe(404);
  });

  test('are cloned with their rules and paused', async () => {
    const id = await create();
    await call('POST', `/streams/${id}/resume`);
    const body = { title: 'Copy', description: 'another', index_set_id: DEFAULT_INDEX_SET_ID };
    const cloned = await call('POST', `/streams/${id}/clone`, { body });
    expect(cloned.status).toBe(201);
    const copy = (await call('GET', `/streams/${cloned.body.stream_id}`)).body;
    expect(copy).toMatchObject({
      ...body,
      matching_type: 'OR',
      remove_matches_from_default_stream: true,
      disabled: true,
      rules: [{ type: 1, field: 'app', value: 'shop', stream_id: cloned.body.stream_id }],
    });
    expect((await call('POST', `/streams/${UNKNOWN}/clone`, { body })).status).toBe(404);
  });

  test('are listed: all, only enabled ones, and page by page', async () => {
    const ids = [];
    for (const title of ['beta', 'Alpha', 'gamma']) ids.push(await create({ title, description: null }));
    await call('POST', `/streams/${ids[2]}/resume`);
    const all = (await call('GET', '/streams')).body;
    expect(all.total).toBe(6);
    expect(all.streams.map((one: { id: string }) => one.id)).toEqual(
      expect.arrayContaining([DEFAULT_STREAM_ID, FAILURE_STREAM_ID, ...ids]),
    );
    const enabled = (await call('GET', '/streams/enabled')).body.streams;
    expect(enabled.map(({ title }: { title: string }) => title).sort()).toEqual([
      'All events',
      'All messages',
      'Processing failures',
      'gamma',
    ]);
    const page = async (query: string) => (await call('GET', `/streams/paginated?${query}`)).body;
    const titles = (body: { elements: { title: string }[] }) => body.elements.map(({ title }) => title);
    expect(titles(await page(''))).toEqual([
      'All events',
      'All messages',
      'Alpha',
      'beta',
      'gamma',
      'Processing failures',
    ]);
    const second = await page('page=2&per_page=2&order=desc');
    expect(titles(second)).toEqual(['beta', 'Alpha']);
    expect(second).toMatchObject({ total: 6, count: 2, page: 2, per_page: 2, sort: 'title', order: 'desc' });
    expect(second.pagination).toEqual({ total: 6, count: 2, page: 2, per_page: 2 });
    expect(titles(await page('query=ALPH'))).toEqual(['Alpha']);
    const bySet = titles(await page('sort=index_set_title'));
    expect(bySet.indexOf('Processing failures')).toBeLessThan(bySet.indexOf('Alpha'));
    expect((await call('GET', '/streams/paginated?sort=nonsense')).status).toBe(400);
  });

  test('are chosen from: by ids, by index set, by what the user may do with them', async () => {
    await fixture.auth.addUser('maker', ['streams:create']);
    const ids = [await create({ title: 'one' }), await create({ title: 'two' }, 'maker')];
    const titles = async (query: string, as = 'admin') => {
      const { body } = await call('GET', `/streams/paginated?${query}`, { as });
      return body.elements.map(({ title }: { title: string }) => title);
    };
    expect(await titles(`ids=${ids[1]},${UNKNOWN},${ids[0]}`)).toEqual(['one', 'two']);
    expect(await titles(`ids=${ids.join(',')}&query=TW`)).toEqual(['two']);
    // What others may not read is left out, also when it is asked for by its id.
    expect(await titles(`ids=${ids.join(',')}`, 'maker')).toEqual(['two']);
    expect(await titles('ids=')).toEqual([]);
    expect(await titles(`index_set_id=${OTHER_INDEX_SET_ID}`)).toEqual(['one', 'two']);
    expect(await titles(`index_set_id=${UNKNOWN}`)).toEqual([]);
    expect(await titles('permission=streams:edit', 'maker')).toEqual(['two']);
    expect(await titles('permission=pipeline_connection:edit', 'maker')).toEqual([]);
    expect(await titles(`permission=pipeline_connection:edit&ids=${ids[0]}`)).toEqual(['one']);
    expect((await call('GET', '/streams/paginated?permission=users:list')).status).toBe(400);
  });

  test('bulk changes report failures and apply to the rest', async () => {
    const ids = [await create(), await create()];
    const body = { entity_ids: [...ids, UNKNOWN, DEFAULT_STREAM_ID] };
    const resumed = await call('POST', '/streams/bulk_resume', { body });
    expect(resumed.body).toEqual({
      successfully_performed: 2,
      failures: [
        { entity_id: UNKNOWN, failure_explanation: `Stream ${UNKNOWN} not found!` },
        { entity_id: DEFAULT_STREAM_ID, failure_explanation: expect.stringContaining('built in') },
      ],
      errors: [],
    });
    expect(running()?.sort()).toEqual([...ids].sort());
    await call('POST', '/streams/bulk_pause', { body });
    expect(running()).toEqual([]);
    const moved = await call('PUT', `/streams/indexSet/${DEFAULT_INDEX_SET_ID}`, { body: ids });
    expect(moved.status).toBe(200);
    expect((await call('GET', `/streams/${ids[0]}`)).body.index_set_id).toBe(DEFAULT_INDEX_SET_ID);
    expect((await call('PUT', `/streams/indexSet/${UNKNOWN}`, { body: ids })).status).toBe(404);
    await call('POST', '/streams/bulk_delete', { body });
    expect((await call('GET', '/streams')).body.total).toBe(3);
  });
});

describe('built-in streams', () => {
  test.each([
    [DEFAULT_STREAM_ID, 'All messages', true],
    [FAILURE_STREAM_ID, 'Processing failures', false],
  ])('%s exists, is running and cannot be changed', async (id, title, isDefault) => {
    expect((await call('GET', `/streams/${id}`)).body).toMatchObject({
      title,
      is_default: isDefault,
      is_editable: false,
      state: 'running',
      disabled: false,
      creator_user_id: 'local:admin',
      rules: [],
    });
    const rule = { type: 7, field: '', value: '', inverted: false };
    const attempts = [
      call('PUT', `/streams/${id}`, { body: { title: 'x' } }),
      call('DELETE', `/streams/${id}`),
      call('POST', `/streams/${id}/pause`),
      call('POST', `/streams/${id}/resume`),
      call('POST', `/streams/${id}/clone`, { body: { title: 'x' } }),
      call('POST', `/streams/${id}/rules`, { body: rule }),
      call('PUT', `/streams/indexSet/${OTHER_INDEX_SET_ID}`, { body: [id] }),
    ];
    for (const { status, body } of await Promise.all(attempts))
      expect([status, body.message]).toEqual([400, expect.stringContaining(`"${title}" is built in`)]);
  });

  test('"All messages" follows the default index set', async () => {
    await fixture.metadata.repositories.indexSets.setDefault(OTHER_INDEX_SET_ID);
    await fixture.processing.refresh();
    expect(fixture.processing.snapshot()?.defaultStream.indexSetId).toBe(OTHER_INDEX_SET_ID);
    expect((await call('GET', `/streams/${DEFAULT_STREAM_ID}`)).body.index_set_id).toBe(OTHER_INDEX_SET_ID);
  });
});

describe('rules', () => {
  const rule = { type: 2, field: 'source', value: '^db-', inverted: true, description: 'databases' };

  test('are added, read, changed (PUT and POST) and deleted', async () => {
    const id = await create();
    await call('POST', `/streams/${id}/resume`);
    const added = await call('POST', `/streams/${id}/rules`, { body: rule });
    const ruleId = added.body.streamrule_id;
    expect([added.status, added.headers.location]).toEqual([201, `/api/streams/${id}/rules/${ruleId}`]);
    const { body } = await call('GET', `/streams/${id}/rules`);
    expect([body.total, body.stream_rules[1]]).toEqual([
      2,
      { ...rule, id: ruleId, stream_id: id, content_pack: null },
    ]);
    expect(fixture.processing.snapshot()?.streams[0]?.rules).toHaveLength(2);
    for (const [method, value] of [
      ['PUT', 'one'],
      ['POST', 'two'],
    ] as const) {
      const changed = await call(method, `/streams/${id}/rules/${ruleId}`, { body: { ...rule, value } });
      expect([changed.status, changed.body]).toEqual([200, { streamrule_id: ruleId }]);
      expect((await call('GET', `/streams/${id}/rules/${ruleId}`)).body.value).toBe(value);
    }
    expect((await call('DELETE', `/streams/${id}/rules/${ruleId}`)).status).toBe(204);
    expect((await call('DELETE', `/streams/${id}/rules/${ruleId}`)).status).toBe(404);
    expect(fixture.processing.snapshot()?.streams[0]?.rules).toHaveLength(1);
  });

  test('of another stream are not found', async () => {
    const [id, other] = [await create(), await create()];
    const foreign = (await call('GET', `/streams/${other}/rules`)).body.stream_rules[0].id;
    expect((await call('GET', `/streams/${id}/rules/${foreign}`)).status).toBe(404);
    expect((await call('PUT', `/streams/${id}/rules/${foreign}`, { body: rule })).status).toBe(404);
    expect((await call('DELETE', `/streams/${id}/rules/${foreign}`)).status).toBe(404);
  });

  test('that cannot work are refused with the reason', async () => {
    const id = await create();
    const message = async (changes: object) => {
      const answer = await call('POST', `/streams/${id}/rules`, { body: { ...rule, ...changes } });
      expect(answer.status).toBe(400);
      return answer.body.message;
    };
    expect(await message({ value: 'a[' })).toMatch(/position \d+/);
    expect(await message({ value: 'x(?i)y' })).toMatch(/only at the start of the expression at position 2/);
    expect(await message({ type: 4, value: '' })).toMatch(/SMALLER needs a value/);
    expect(await message({ type: 'regex' })).toMatch(/type/);
    expect((await call('GET', `/streams/${id}/rules`)).body.total).toBe(1);
  });

  test('need no field or value if the type needs none', async () => {
    const id = await create();
    for (const body of [
      { type: 7, field: '', value: '', inverted: false },
      { type: 7 },
      { type: 5, field: 'user', value: null },
      { type: 8, value: UNKNOWN },
    ])
      expect((await call('POST', `/streams/${id}/rules`, { body })).status).toBe(201);
  });

  test('have types', async () => {
    // Whoever edits rules needs them, whatever stream the address names.
    await fixture.auth.addUser('nobody', []);
    const { body } = await call('GET', `/streams/${DEFAULT_STREAM_ID}/rules/types`, { as: 'nobody' });
    expect(body.map(({ id, name }: { id: number; name: string }) => [id, name])).toEqual([
      [1, 'EXACT'],
      [2, 'REGEX'],
      [3, 'GREATER'],
      [4, 'SMALLER'],
      [5, 'PRESENCE'],
      [6, 'CONTAINS'],
      [7, 'ALWAYS_MATCH'],
      [8, 'MATCH_INPUT'],
    ]);
    const texts = { short_desc: 'greater than', long_desc: 'be greater than' };
    expect(body[2]).toEqual({ id: 3, name: 'GREATER', ...texts, needs_field: true, needs_value: true });
  });
});

describe('testMatch', () => {
  const match = async (rules: object[], message: object, matching_type = 'AND') => {
    const id = await create({ rules, matching_type });
    const ids = (await call('GET', `/streams/${id}/rules`)).body.stream_rules.map(
      (rule: { id: string }) => rule.id,
    );
    const { status, body } = await call('POST', `/streams/${id}/testMatch`, { body: { message } });
    expect(status).toBe(200);
    return { ...body, rules: ids.map((rule: string) => body.rules[rule]) };
  };
  const isShop = { type: 1, field: 'app', value: 'shop' };
  const isError = { type: 4, field: 'level', value: '4' };

  test('reports for each rule whether the message matches, also for a paused stream', async () => {
    const message = { message: 'x', source: 'y', level: 6, app: 'shop' };
    expect(await match([isShop, isError], message)).toEqual({ matches: false, rules: [true, false] });
    expect(await match([isShop, isError], message, 'OR')).toEqual({ matches: true, rules: [true, false] });
    expect(await match([], message, 'OR')).toEqual({ matches: false, rules: [] });
  });

  test('treats null as missing and objects as their JSON text', async () => {
    const rules = [
      { type: 5, field: 'a', value: '' },
      { type: 6, field: 'b', value: '"c":1' },
    ];
    expect(await match(rules, { a: null, b: { c: 1 } })).toEqual({ matches: false, rules: [false, true] });
  });

  test('answers within the time limit for any rules', async () => {
    const evil = { type: 2, field: 'message', value: '^(a+)+$' };
    expect(await match([evil], { message: 'aaaa' })).toEqual({ matches: true, rules: [true] });
    const poison = { message: `${'a'.repeat(60)}!` };
    expect(await match([evil], poison)).toEqual({ matches: false, rules: [false], timed_out: true });
  });

  test('needs a message', async () => {
    const id = await create();
    expect((await call('POST', `/streams/${id}/testMatch`, { body: {} })).status).toBe(400);
    const unknown = await call('POST', `/streams/${UNKNOWN}/testMatch`, { body: { message: {} } });
    expect(unknown.status).toBe(404);
  });
});

describe('permissions', () => {
  test('the creator may do everything with the stream; deleting it removes these permissions', async () => {
    await fixture.auth.addUser('maker', ['streams:create']);
    const id = await create({}, 'maker');
    const permissions = async () => (await call('GET', '/users/maker')).body.permissions;
    expect(await permissions()).toEqual(
      expect.arrayContaining([`streams:read:${id}`, `streams:edit:${id}`, `streams:changestate:${id}`]),
    );
    expect((await call('POST', `/streams/${id}/resume`, { as: 'maker' })).status).toBe(204);
    expect((await call('GET', '/streams', { as: 'maker' })).body.streams).toHaveLength(1);
    expect((await call('DELETE', `/streams/${id}`, { as: 'maker' })).status).toBe(204);
    expect((await permissions()).filter((one: string) => one.includes(id))).toEqual([]);
  });

  test('lists contain what the caller may read; other streams are refused', async () => {
    const [id, other] = [await create(), await create()];
    await fixture.auth.addUser('reader', [`streams:read:${id}`]);
    const as = { as: 'reader' };
    expect((await call('GET', '/streams', as)).body).toMatchObject({ total: 1, streams: [{ id }] });
    expect((await call('GET', '/streams/enabled', as)).body.total).toBe(0);
    expect((await call('GET', '/streams/paginated', as)).body.total).toBe(1);
    expect((await call('GET', `/streams/${id}`, as)).status).toBe(200);
    expect((await call('GET', `/streams/${other}`, as)).status).toBe(403);
    expect((await call('GET', `/streams/${UNKNOWN}`, as)).status).toBe(403);
    expect((await call('POST', `/streams/${id}/pause`, as)).status).toBe(403);
    expect((await call('DELETE', `/streams/${id}`, as)).status).toBe(403);
    expect((await call('PUT', `/streams/${id}`, { ...as, body: { title: 'x' } })).status).toBe(403);
    expect((await call('POST', '/streams', { ...as, body: stream })).status).toBe(403);
    expect((await call('POST', `/streams/${id}/rules`, { ...as, body: { type: 7 } })).status).toBe(403);
    const bulk = await call('POST', '/streams/bulk_delete', { ...as, body: { entity_ids: [id] } });
    expect(bulk.body).toMatchObject({ successfully_performed: 0, failures: [{ entity_id: id }] });
    expect((await call('GET', '/streams')).body.total).toBe(5);
  });

  test('streams:changestate or streams:edit is enough to pause and resume', async () => {
    const id = await create();
    await fixture.auth.addUser('operator', [`streams:changestate:${id}`]);
    await fixture.auth.addUser('editor', [`streams:edit:${id}`]);
    expect((await call('POST', `/streams/${id}/resume`, { as: 'operator' })).status).toBe(204);
    expect((await call('POST', `/streams/${id}/pause`, { as: 'editor' })).status).toBe(204);
  });

  test('users who may create streams can clone a stream they may read', async () => {
    const id = await create();
    await fixture.auth.addUser('blind', ['streams:create']);
    await fixture.auth.addUser('copier', ['streams:create', `streams:read:${id}`]);
    const body = { title: 'Copy' };
    expect((await call('POST', `/streams/${id}/clone`, { as: 'blind', body })).status).toBe(403);
    expect((await call('POST', `/streams/${id}/clone`, { as: 'copier', body })).status).toBe(201);
  });

  test('every change is in the audit log, with before and after', async () => {
    const id = await create();
    await call('PUT', `/streams/${id}`, { body: { title: 'New' } });
    await call('POST', `/streams/${id}/rules`, { body: { type: 7 } });
    await call('POST', `/streams/${id}/resume`);
    await call('POST', `/streams/${id}/resume`);
    await call('DELETE', `/streams/${id}`);
    const { body } = await call('GET', `/system/audit?object_type=stream&object_id=${id}`);
    const entries = body.entries.reverse();
    expect(entries.map(({ action }: { action: string }) => action)).toEqual([
      'stream.create',
      'stream.update',
      'stream.rule.create',
      'stream.resume',
      'stream.delete',
    ]);
    expect([entries[1].before.title, entries[1].after.title]).toEqual(['Shop', 'New']);
    expect(entries[2].after.rules).toHaveLength(2);
    expect([entries[3].before.state, entries[3].after.state]).toEqual(['paused', 'running']);
  });
});
