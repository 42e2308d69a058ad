import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DEFAULT_INDEX_SET_ID, FAILURE_INDEX_SET_ID } from '#core/index.ts';
import { anAlert } from '#testing/alert-records.ts';
import { eventually } from '#testing/eventually.ts';
import { RETENTION, ROTATION, INDEX_SET_REQUEST as request } from '#testing/index-set-request.ts';
import { checkRoutes, servedBy } from '#testing/route-checks.ts';
import { createStorageFixture, type StorageFixture } from '#testing/storage-fixture.ts';

let fixture: StorageFixture;
beforeEach(async () => {
  fixture = await createStorageFixture();
});
afterEach(() => fixture.close());

const call: StorageFixture['call'] = (method, path, options) => fixture.call(method, path, options);
const SETS = '/system/indices/index_sets';
const UNKNOWN = 'cccccccccccccccccccccccc';

async function create(changes: object = {}): Promise<{ id: string } & typeof request> {
  const answer = await call('POST', SETS, { body: { ...request, ...changes } });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body;
}

const tableOf = (id: string, prefix = 'web') => `${prefix}_${id}`;

checkRoutes(() => ({ routes: fixture.routes, ...servedBy(fixture.auth) }), { runsPerOperation: 10 });

describe('an index set', () => {
  test('is created and read in Graylog’s shape, and gets its table', async () => {
    const created = await create();
    expect(created).toEqual({
      ...request,
      data_tiering: null,
      use_legacy_rotation: true,
      effective_rotation_strategy_class: request.rotation_strategy_class,
      effective_rotation_strategy: request.rotation_strategy,
      effective_retention_strategy_class: request.retention_strategy_class,
      effective_retention_strategy: request.retention_strategy,
      id: created.id,
      default: false,
      can_be_default: true,
      is_built_in: false,
      creation_date: expect.stringMatching(/Z$/),
      revision: expect.stringMatching(/^[\w-]{22}$/),
    });
    expect((await call('GET', `${SETS}/${created.id}`)).body).toEqual(created);
    expect(fixture.clickhouse.tables).toContain(tableOf(created.id));
    const list = (await call('GET', SETS)).body;
    expect(list).toMatchObject({ total: 4, stats: {} });
    expect(list.index_sets.map((set: { index_prefix: string }) => set.index_prefix)).toEqual([
      'millrace',
      'gl_events',
      'failures',
      'web',
    ]);
    const page = (await call('GET', `${SETS}?skip=2&limit=1&stats=true`)).body;
    expect(page.total).toBe(4);
    expect(Object.keys(page.stats)).toEqual([FAILURE_INDEX_SET_ID]);
  });

  test('is found by text, sorted and read in parts; its outlook alone, too', async () => {
    const { id } = await create({ title: 'Zebra of the web' });
    await create({ title: 'apple', index_prefix: 'apple', description: '' });
    const prefixes = async (query: string) => {
      const { body } = await call('GET', `${SETS}?${query}`);
      return [body.total, body.index_sets.map((set: { index_prefix: string }) => set.index_prefix)];
    };
    expect(await prefixes('query=OF%20the')).toEqual([1, ['web']]);
    expect(await prefixes('query=e&sort=title&order=desc&limit=1')).toEqual([5, ['web']]);
    expect(await prefixes('sort=index_prefix&skip=1&limit=2')).toEqual([5, ['failures', 'gl_events']]);
    expect((await prefixes('sort=documents'))[0]).toBe(5);
    expect(await prefixes(`ids=${id},${UNKNOWN}`)).toEqual([1, ['web']]);
    expect(await prefixes('default=true&writable=true')).toEqual([1, [expect.any(String)]]);
    expect(await prefixes(`ids=${id}&writable=false`)).toEqual([0, []]);
    expect((await call('GET', `${SETS}?sort=size`)).body.stats).toEqual({});
    expect((await call('GET', `${SETS}?sort=colour`)).status).toBe(400);
    const { outlooks } = (await call('GET', `${SETS}/outlook?ids=${id},${UNKNOWN}`)).body;
    expect(Object.keys(outlooks)).toEqual([id]);
  });

  test('needs only short ids and otherwise uses defaults', async () => {
    const { status, body } = await call('POST', SETS, {
      body: {
        title: 'x',
        index_prefix: 'x',
        rotation_strategy_class: 'time',
        retention_strategy: { type: 'none' },
      },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      description: null,
      rotation_strategy_class: `${ROTATION}.TimeBasedRotationStrategy`,
      rotation_strategy: { type: `${ROTATION}.TimeBasedRotationStrategyConfig`, rotation_period: 'P1D' },
      retention_strategy_class: `${RETENTION}.NoopRetentionStrategy`,
    });
  });

  test.each([
    [{ index_prefix: 'Web' }, 'is not a prefix'],
    [{ index_prefix: '_web' }, 'is not a prefix'],
    [{ index_prefix: 'mill' }, '"millrace"'],
    [{ index_prefix: 'millrace_2' }, '"millrace"'],
    [{ title: '  ' }, 'title'],
    [{ shards: 0 }, 'shards'],
    [{ field_type_refresh_interval: 999 }, 'field_type_refresh_interval'],
    [{ rotation_strategy_class: 'no.such.Class' }, 'no.such.Class'],
    [{ rotation_strategy: { type: 'size', max_size: -1 } }, 'rotation_strategy.max_size'],
    [{ rotation_strategy: { type: 'time' } }, 'do not belong together'],
    [{ rotation_strategy_class: 'time', rotation_strategy: { rotation_period: 'soon' } }, '"soon"'],
    [{ retention_strategy: { type: 'close', max_number_of_indices: 0 } }, 'max_number_of_indices'],
  ])('is refused with %j', async (changes, reason) => {
    const answer = await call('POST', SETS, { body: { ...request, ...changes } });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain(reason);
    expect(answer.body.problems).toEqual([{ path: expect.any(String), message: expect.any(String) }]);
    expect((await call('GET', SETS)).body.total).toBe(3);
  });

  test('is refused with every problem of its strategies and their paths', async () => {
    const changes = {
      rotation_strategy_class: 'time',
      rotation_strategy: { rotation_period: 'soon', rotate_empty_index_set: 5 },
    };
    const answer = await call('POST', SETS, { body: { ...request, ...changes } });
    expect(answer.body.problems).toEqual([
      {
        path: 'rotation_strategy.rotation_period',
        message: 'must be an ISO 8601 period such as P1D or PT2H, not "soon"',
      },
      { path: 'rotation_strategy.rotate_empty_index_set', message: 'must be true or false, not 5' },
    ]);
  });

  test('is changed by sending the whole record back; immutable properties are ignored', async () => {
    const created = await create();
    const changed = {
      ...created,
      title: 'New',
      index_prefix: 'ignored',
      default: true,
      creation_date: '1999-01-01T00:00:00.000Z',
      rotation_strategy_class: `${ROTATION}.MessageCountRotationStrategy`,
      rotation_strategy: { type: `${ROTATION}.MessageCountRotationStrategyConfig`, max_docs_per_index: 5 },
    };
    const answer = await call('PUT', `${SETS}/${created.id}`, { body: changed });
    expect(answer.status).toBe(200);
    const { title, rotation_strategy_class, rotation_strategy } = changed;
    const { revision } = answer.body;
    expect(answer.body).toEqual({
      ...created,
      title,
      rotation_strategy_class,
      rotation_strategy,
      effective_rotation_strategy_class: rotation_strategy_class,
      effective_rotation_strategy: rotation_strategy,
      revision,
    });
    expect((await call('PUT', `${SETS}/${UNKNOWN}`, { body: created })).status).toBe(404);
  });

  test('can become the default, which is always writable and cannot be deleted', async () => {
    const created = await create();
    const answer = await call('PUT', `${SETS}/${created.id}/default`);
    expect(answer.body).toMatchObject({ id: created.id, default: true });
    expect((await call('GET', `${SETS}/${DEFAULT_INDEX_SET_ID}`)).body.default).toBe(false);
    const readOnly = { ...created, writable: false };
    expect((await call('PUT', `${SETS}/${created.id}`, { body: readOnly })).status).toBe(409);
    expect((await call('DELETE', `${SETS}/${created.id}`)).status).toBe(400);
    expect((await call('PUT', `${SETS}/${DEFAULT_INDEX_SET_ID}/default`)).status).toBe(200);
    expect((await call('PUT', `${SETS}/${created.id}`, { body: readOnly })).body).toMatchObject({
      writable: false,
      can_be_default: false,
      field_type_refresh_interval: 0,
    });
    expect((await call('PUT', `${SETS}/${created.id}/default`)).status).toBe(409);
    const sentBack = (await call('GET', `${SETS}/${created.id}`)).body;
    expect((await call('PUT', `${SETS}/${created.id}`, { body: sentBack })).status).toBe(200);
    const writable = { ...sentBack, writable: true };
    delete writable.revision;
    expect((await call('PUT', `${SETS}/${created.id}`, { body: writable })).body).toMatchObject({
      writable: true,
      field_type_refresh_interval: created.field_type_refresh_interval,
    });
    expect((await call('PUT', `${SETS}/${created.id}`, { body: readOnly })).status).toBe(200);
    expect((await call('PUT', `${SETS}/${FAILURE_INDEX_SET_ID}/default`)).status).toBe(400);
    expect((await call('POST', `/system/deflector/${created.id}/cycle`)).status).toBe(400);
  });

  test('is deleted with its messages by a job, but not while streams use it', async () => {
    const created = await create();
    fixture.addMessages(tableOf(created.id), 0, 10);
    const stream = {
      title: 'Payments',
      description: '',
      matchingType: 'AND' as const,
      removeMatches: false,
      indexSetId: created.id,
      creator: 'admin',
      contentPack: null,
      state: 'paused' as const,
    };
    const { id: streamId } = await fixture.metadata.repositories.streams.insert(stream, []);
    const refused = await call('DELETE', `${SETS}/${created.id}`);
    expect(refused.status).toBe(400);
    expect(refused.body.message).toContain(`is used by the streams "Payments" (${streamId}).`);
    expect((await call('GET', `${SETS}/${created.id}`)).status).toBe(200);
    expect(fixture.clickhouse.tables).toContain(tableOf(created.id));
    await fixture.metadata.repositories.streams.remove(streamId);
    expect((await call('DELETE', `${SETS}/${created.id}`)).status).toBe(204);
    expect((await call('GET', `${SETS}/${created.id}`)).status).toBe(404);
    await eventually(() => expect(fixture.jobs.list()).toEqual([]));
    expect(fixture.clickhouse.tables).not.toContain(tableOf(created.id));
    expect(await fixture.metadata.repositories.indexSets.find(created.id)).toBeUndefined();
  });

  test('can leave its messages in ClickHouse', async () => {
    const created = await create();
    fixture.addMessages(tableOf(created.id), 0, 10);
    expect((await call('DELETE', `${SETS}/${created.id}?delete_indices=false`)).status).toBe(204);
    expect(fixture.clickhouse.tables).toContain(tableOf(created.id));
    expect(fixture.clickhouse.rows).toHaveLength(10);
  });

  test('is recorded in the audit log', async () => {
    const created = await create();
    await call('PUT', `${SETS}/${created.id}`, { body: { ...created, title: 'New' } });
    await call('POST', `/system/deflector/${created.id}/cycle`);
    await call('DELETE', `${SETS}/${created.id}`);
    const { body } = await call('GET', '/system/audit?object_type=index_set');
    const entries: { action: string }[] = body.entries;
    expect(entries.map(({ action }) => action).sort()).toEqual([
      'index_set.create',
      'index_set.cycle',
      'index_set.delete',
      'index_set.update',
    ]);
  });

  test('is not overwritten by somebody who has not seen the last change', async () => {
    const created = await create();
    const { body: changed } = await call('PUT', `${SETS}/${created.id}`, {
      body: { ...created, title: 'Theirs' },
    });
    const stale = await call('PUT', `${SETS}/${created.id}`, { body: { ...created, title: 'Mine' } });
    expect(stale.status).toBe(409);
    expect(stale.body.message).toContain('index set "Theirs" was changed by somebody else');
    const fresh = { ...changed, title: 'Mine' };
    expect((await call('PUT', `${SETS}/${created.id}`, { body: fresh })).body.title).toBe('Mine');
    const { revision: _none, ...without } = fresh;
    expect((await call('PUT', `${SETS}/${created.id}`, { body: without })).status).toBe(200);
  });

  test('is visible only to users who may read it', async () => {
    const created = await create();
    await fixture.auth.addUser('reader', [`indexsets:read:${created.id}`], []);
    const list = (await call('GET', SETS, { as: 'reader' })).body;
    expect(list.index_sets.map(({ id }: { id: string }) => id)).toEqual([created.id]);
  });
});

describe('the outlook of an index set', () => {
  const table = `millrace_${DEFAULT_INDEX_SET_ID}`;
  const OUTLOOK = `${SETS}/${DEFAULT_INDEX_SET_ID}/outlook`;
  const DAY_MS = 86_400_000;
  const rotate = () => call('POST', `/cluster/deflector/${DEFAULT_INDEX_SET_ID}/cycle`);

  test('says when indices end and how long messages stay', async () => {
    const body = { rotation_strategy: { type: 'time', rotation_period: 'PT2H' } };
    const { body: byTime } = await call('POST', OUTLOOK, { body });
    expect(byTime).toMatchObject({
      rotates_after: { messages: null, bytes: null, period: 'PT2H' },
      retention: 'delete',
      keeps: 20,
      kept_ms: 40 * 3_600_000,
      within_ms: 3_600_000,
    });
    const { body: stored } = await call('GET', `${SETS}/outlook`);
    expect(stored.outlooks[DEFAULT_INDEX_SET_ID]).toMatchObject({
      rotates_after: { messages: 20_000_000 },
      // Nothing arrives, so no index is ever full.
      kept_ms: null,
      affected: { indices: [] },
    });
    fixture.addMessages(table, 0, 5);
    const { body: byCount } = await call('POST', OUTLOOK, {
      body: { rotation_strategy: { type: 'message-count', max_docs_per_index: 10 } },
    });
    expect(byCount.messages_per_day).toBeGreaterThan(0);
    expect(byCount.kept_ms).toBeCloseTo((20 * 10 * DAY_MS) / byCount.messages_per_day, -1);
    const { body: bySize } = await call('POST', OUTLOOK, {
      body: { rotation_strategy: { type: 'size', max_size: 1000 }, retention_strategy: { type: 'none' } },
    });
    expect(bySize).toMatchObject({
      rotates_after: { bytes: 1000 },
      retention: null,
      keeps: null,
      kept_ms: null,
    });
    expect(bySize.bytes_per_day).toBe(bySize.messages_per_day * 100);
  });

  test('says what a shorter retention deletes, and changes nothing', async () => {
    for (const count of [3, 4, 5]) {
      fixture.addMessages(table, count - 3, count);
      await rotate();
    }
    await call('POST', '/system/indexer/indices/millrace_0/close');
    await call('POST', '/system/indexer/indices/millrace_0/reopen');
    const body = { retention_strategy: { type: 'delete', max_number_of_indices: 1 } };
    // A reopened index is left alone, as retention does.
    expect((await call('POST', OUTLOOK, { body })).body.affected).toEqual({
      indices: ['millrace_1', 'millrace_2'],
      messages: 9,
      bytes: 900,
    });
    const rotated = await call('POST', OUTLOOK, { body: { ...body, after_rotation: true } });
    expect(rotated.body.affected.indices).toEqual(['millrace_1', 'millrace_2', 'millrace_3']);
    expect(fixture.clickhouse.rows).toHaveLength(12);
  });

  test('refuses strategies that are wrong, and those who may not ask', async () => {
    const wrong = await call('POST', OUTLOOK, {
      body: { rotation_strategy: { type: 'time', rotation_period: 'soon' } },
    });
    expect(wrong.status).toBe(400);
    expect(wrong.body.problems[0].path).toBe('rotation_strategy.rotation_period');
    expect((await call('POST', `${SETS}/${UNKNOWN}/outlook`, { body: {} })).status).toBe(404);
    await fixture.auth.addUser('nobody', [], []);
    expect((await call('POST', OUTLOOK, { as: 'nobody', body: {} })).status).toBe(403);
    expect((await call('POST', `${SETS}/outlook`, { as: 'nobody', body: {} })).status).toBe(403);
    expect((await call('GET', `${SETS}/outlook`, { as: 'nobody' })).body).toEqual({ outlooks: {} });
    const fresh = await call('POST', `${SETS}/outlook`, {
      body: {
        rotation_strategy: { type: 'time' },
        retention_strategy: { type: 'delete', max_number_of_indices: 30 },
      },
    });
    expect(fresh.body).toMatchObject({ kept_ms: 30 * DAY_MS, affected: { indices: [] } });
  });
});

describe('indices', () => {
  const INDICES = '/system/indexer/indices';
  const table = `millrace_${DEFAULT_INDEX_SET_ID}`;

  test('several are rotated at once; failures are listed', async () => {
    const before = (await call('GET', `/system/deflector/${DEFAULT_INDEX_SET_ID}`)).body.current_target;
    const { status, body } = await call('POST', '/system/deflector/bulk_cycle', {
      body: { entity_ids: [DEFAULT_INDEX_SET_ID, UNKNOWN] },
    });
    expect([status, body]).toMatchObject([
      200,
      { successfully_performed: 1, failures: [{ entity_id: UNKNOWN }], errors: [] },
    ]);
    const after = (await call('GET', `/system/deflector/${DEFAULT_INDEX_SET_ID}`)).body.current_target;
    expect(after).not.toBe(before);
  });

  test('are cycled, counted, closed, reopened and deleted', async () => {
    fixture.addMessages(table, 0, 3);
    expect((await call('GET', '/system/deflector')).body).toEqual({
      is_up: true,
      current_target: 'millrace_0',
    });
    expect((await call('POST', '/system/deflector/cycle')).status).toBe(204);
    expect((await call('POST', `/cluster/deflector/${DEFAULT_INDEX_SET_ID}/cycle`)).status).toBe(204);
    expect((await call('GET', `/system/deflector/${DEFAULT_INDEX_SET_ID}`)).body.current_target).toBe(
      'millrace_2',
    );
    fixture.addMessages(table, 2, 4);
    expect((await call('GET', '/count/total')).body).toEqual({ events: 7 });
    expect((await call('GET', `${SETS}/stats`)).body).toEqual({ indices: 5, documents: 7, size: 700 });
    expect((await call('GET', `${SETS}/${DEFAULT_INDEX_SET_ID}/stats`)).body.indices).toBe(3);

    expect((await call('POST', `${INDICES}/millrace_2/close`)).status).toBe(403);
    expect((await call('DELETE', `${INDICES}/millrace_2`)).status).toBe(403);
    expect((await call('POST', `${INDICES}/millrace_0/close`)).status).toBe(204);
    expect((await call('GET', `${INDICES}/closed`)).body).toEqual({ indices: ['millrace_0'], total: 1 });
    expect((await call('GET', `/count/${DEFAULT_INDEX_SET_ID}/total`)).body).toEqual({ events: 4 });
    const all = (await call('GET', `${INDICES}/${DEFAULT_INDEX_SET_ID}/list`)).body;
    expect(Object.keys(all.all.indices)).toEqual(['millrace_1', 'millrace_2']);
    expect(all.all.indices.millrace_2.primary_shards.documents).toEqual({ count: 4, deleted: 0 });
    expect((await call('POST', `${INDICES}/millrace_0/reopen`)).status).toBe(204);
    expect((await call('GET', `${INDICES}/${DEFAULT_INDEX_SET_ID}/reopened`)).body.total).toBe(1);
    expect((await call('GET', `${INDICES}/millrace_0`)).body.is_reopened).toBe(true);
    expect((await call('DELETE', `${INDICES}/millrace_0`)).status).toBe(204);
    expect((await call('GET', `${INDICES}/millrace_0`)).status).toBe(404);
    expect(fixture.clickhouse.rows).toHaveLength(4);
  });

  test.each(['x', 'millrace', 'millrace_', 'millrace_99', 'millrace_00', 'web_0'])(
    '%s is none',
    async (name) => {
      expect((await call('GET', `${INDICES}/${name}`)).status).toBe(404);
      expect((await call('DELETE', `${INDICES}/${name}`)).status).toBe(404);
      expect((await call('GET', `/system/indices/ranges/${name}`)).status).toBe(404);
    },
  );

  test('have ranges, an overview and a health', async () => {
    const ranges = (await call('GET', '/system/indices/ranges')).body;
    expect(ranges).toMatchObject({
      total: 3,
      ranges: [{ index_name: 'millrace_0' }, { index_name: 'gl_events_0' }, { index_name: 'failures_0' }],
    });
    expect((await call('POST', '/system/indices/ranges/rebuild')).status).toBe(202);
    expect((await call('POST', '/system/indices/ranges/millrace_0/rebuild')).status).toBe(202);
    expect((await call('POST', `/system/indices/ranges/index_set/${UNKNOWN}/rebuild`)).status).toBe(404);
    const overview = (await call('GET', '/system/indexer/overview')).body;
    expect(overview).toMatchObject({
      deflector: { current_target: 'millrace_0' },
      indexer_cluster: { name: 'test', health: { status: 'green' } },
      indices: { millrace_0: { is_deflector: true, is_closed: false, size: { events: 0 } } },
    });
    expect((await call('GET', '/system/indexer/cluster/name')).body).toEqual({ name: 'test' });
    expect((await call('GET', '/system/indexer/failures/count?since=yesterday')).status).toBe(400);
  });
});

test('figures about the cluster', async () => {
  const { id } = await create();
  const rule = { type: 1, field: 'a', value: 'b', inverted: false, description: '', contentPack: null };
  const stream = await fixture.metadata.repositories.streams.insert(
    {
      title: 'Errors',
      description: '',
      creator: 'admin',
      matchingType: 'AND',
      removeMatches: false,
      indexSetId: id,
      state: 'running',
      contentPack: null,
    },
    [rule, rule],
  );
  const content = {
    configuration: {},
    creator: 'admin',
    contentPack: null,
    desiredState: 'running',
  } as const;
  await fixture.metadata.repositories.inputs.insert({
    ...content,
    title: 'In',
    type: 'gelf-udp',
    global: true,
    nodeId: null,
  });
  await fixture.metadata.repositories.outputs.insert({ ...content, title: 'Out', type: 'gelf' });
  const { alerts } = fixture.metadata.repositories;
  await alerts.insert(anAlert({ id: 'alert' }));
  await alerts.insert(anAlert({ id: 'event', triggeredAt: 2000, isAlert: false }));
  const { body } = await call('GET', '/system/cluster/stats');
  expect(body).toMatchObject({
    elasticsearch: {
      cluster_name: 'test',
      cluster_version: 'ClickHouse 26.7.1.1',
      status: 'GREEN',
      cluster_health: { number_of_nodes: 1, active_shards: 1, unassigned_shards: 0 },
      indices_stats: { index_count: 4 },
    },
    mongo: null,
    stream_count: 1,
    stream_rule_count: 2,
    input_count: 1,
    global_input_count: 1,
    input_count_by_type: { 'org.graylog2.inputs.gelf.udp.GELFUDPInput': 1 },
    output_count_by_type: { 'org.graylog2.outputs.GelfOutput': 1 },
    alarm_stats: { alert_count: 1, alarmcallback_count_by_type: {} },
  });
  expect(body.stream_rule_count_by_stream).toEqual({ [stream.id]: 2 });
  expect((await call('GET', '/system/cluster/stats/elasticsearch')).body).toEqual(body.elasticsearch);
  await fixture.auth.addUser('reader');
  const reader = await call('GET', '/system/cluster/stats', { as: 'reader' });
  expect([reader.status, reader.body.stream_rule_count_by_stream]).toEqual([200, {}]);
});

test('while the engine starts, routes that need it answer 503 and the rest works', async () => {
  const starting = await createStorageFixture({ hasEngine: false });
  const status = async (method: 'GET' | 'POST', path: string, body?: unknown) =>
    (await starting.call(method, path, body === undefined ? {} : { body })).status;
  expect(await status('GET', SETS)).toBe(200);
  expect(await status('GET', '/system/deflector')).toBe(200);
  expect(await status('POST', '/system/deflector/cycle')).toBe(204);
  expect(await status('GET', '/count/total')).toBe(503);
  expect(await status('GET', '/system/indexer/overview')).toBe(503);
  expect(await status('POST', SETS, request)).toBe(503);
  expect((await starting.call('GET', '/system/indexer/cluster/health')).body.status).toBe('red');
  expect((await starting.call('GET', '/system/cluster/stats')).body.elasticsearch.status).toBe('RED');
  await starting.close();
});
