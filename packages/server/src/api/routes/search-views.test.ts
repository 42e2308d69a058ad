import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { NotFoundError } from '#core/index.ts';
import { type AuthFixture, createAuthFixture } from '#testing/auth-fixture.ts';
import { createIdleSearch, type IdleSearch } from '#testing/idle-search.ts';
import { checkRoutes, servedBy } from '#testing/route-checks.ts';
import type { Route } from '../route.ts';
import { exportJobRoutes } from './export-jobs.ts';
import { messageExportRoutes } from './message-exports.ts';
import { searchJobRoutes } from './search-jobs.ts';
import { viewSearchRoutes } from './search-views.ts';

let idle: IdleSearch;
let routes: Route[];
let fixture: AuthFixture;

/** While it exists, statements wait for it or for their cancellation. */
let held: { readonly gate: Promise<void>; open(): void } | undefined;
function hold(): void {
  const { promise, resolve } = Promise.withResolvers<void>();
  held = { gate: promise, open: resolve };
}

beforeAll(async () => {
  idle = await createIdleSearch({
    engine: async (_sql, { signal }) => {
      if (held === undefined) return;
      const left = signal === undefined ? [] : [once(signal, 'abort')];
      await Promise.race([held.gate, ...left]);
      signal?.throwIfAborted();
    },
  });
  routes = [
    ...viewSearchRoutes({ ...idle.search, nodeId: 'node-1' }),
    ...searchJobRoutes({
      ...idle.search,
      nodeId: 'node-1',
      nodeCalls: {
        onNode: async (nodeId, _request, _schema, own) => {
          if (nodeId !== 'node-1') throw new NotFoundError(`Node ${nodeId} is not an active node.`);
          return own();
        },
      },
    }),
    ...messageExportRoutes(idle.search),
    ...exportJobRoutes(idle.search),
  ];
  fixture = await createAuthFixture({ ...idle, moreRoutes: async () => routes });
  for (const name of ['anna', 'bob', 'nobody']) await fixture.addUser(name, [], []);
});
afterAll(() => fixture.close());
afterEach(() => {
  held?.open();
  held = undefined;
});

checkRoutes(() => ({ routes, ...servedBy(fixture) }));

const call = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object, user = 'anna') =>
  fixture.call(method, `/views/search${path}`, { as: user, ...(body === undefined ? {} : { body }) });

const query = {
  id: 'q',
  query: { type: 'elasticsearch', query_string: 'level:3' },
  timerange: { type: 'relative', range: 300 },
  search_types: [
    { id: 'list', type: 'messages', limit: 5, sort: [{ field: 'source', order: 'ASC' }], fields: ['source'] },
    { id: 'figures', type: 'pivot', series: [{ type: 'count' }], query: 'other' },
  ],
};

async function store(changes: object = {}, user = 'anna'): Promise<string> {
  const stored = await call('POST', '', { queries: [query], ...changes }, user);
  expect(stored.status).toBe(201);
  return stored.body.id;
}

/** Resolves to the job when it is done. */
async function finished(id: string, user = 'anna') {
  for (;;) {
    const { status, body } = await call('GET', `/status/${id}`, undefined, user);
    if (status !== 200 || body.execution.done) return { status, body };
  }
}

test('ids may be left out, and answers name the columns of a pivot', async () => {
  const { status, body } = await call('POST', '/sync', {
    queries: [
      {
        search_types: [
          {
            type: 'pivot',
            series: [{ type: 'count' }, { type: 'avg', field: 'took_ms' }],
            row_groups: [{ type: 'values', field: 'source' }],
          },
        ],
      },
    ],
  });
  expect(status).toBe(200);
  const [result] = Object.values<{ search_types: Record<string, { column_names: string[] }> }>(body.results);
  const [pivot] = Object.values(result?.search_types ?? {});
  expect(pivot?.column_names).toEqual(['source', 'avg(took_ms)', 'count()']);
});

test('an id that is used twice is refused, to run and to store', async () => {
  const twice = { queries: [query, query] };
  for (const path of ['/sync', '']) {
    const { status, body } = await call('POST', path, twice);
    expect([status, body.problems]).toEqual([
      400,
      [{ path: 'queries[1].id', message: expect.stringContaining('"q"') }],
    ]);
  }
});

test('the parameters of a search are none', async () => {
  const expected = { query_metadata: { q: { used_parameters_names: [] } }, declared_parameters: {} };
  const sent = await call('POST', '/metadata', { queries: [query] });
  expect([sent.status, sent.body]).toEqual([200, expected]);
  const stored = await call('GET', `/metadata/${await store()}`);
  expect([stored.status, stored.body]).toEqual([200, expected]);
  expect((await call('GET', '/metadata/0123456789abcdef01234567')).status).toBe(404);
});

test('a job is found and cancelled by its node and id', async () => {
  hold();
  const { body } = await call('POST', `/${await store()}/execute`, {});
  const job = (method: 'GET' | 'DELETE', path: string, as = 'anna') =>
    fixture.call(method, `/views/searchjobs/${path}`, { as });
  const running = await job('GET', `${body.executing_node}/${body.id}/status`);
  expect([running.status, running.body]).toMatchObject([
    200,
    { id: body.id, executing_node: 'node-1', execution: { done: false } },
  ]);
  expect((await job('GET', `${body.executing_node}/${body.id}/status`, 'bob')).status).toBe(404);
  expect((await job('GET', `node-2/${body.id}/status`)).status).toBe(404);
  expect((await job('DELETE', `${body.executing_node}/${body.id}/cancel`)).status).toBe(204);
  const cancelled = await job('GET', `${body.executing_node}/${body.id}/status`);
  expect(cancelled.body.execution).toMatchObject({ cancelled: true });
});

describe('a stored search', () => {
  test('is returned as it was sent, and replaces an older one with its id', async () => {
    const created = await call('POST', '', { queries: [query] });
    const { id } = created.body;
    expect([created.status, created.headers.location]).toEqual([201, `/api/views/search/${id}`]);
    expect(created.body).toMatchObject({ owner: 'anna', parameters: [], created_at: expect.any(String) });
    expect((await call('GET', `/${id}`)).body).toEqual(created.body);
    expect(created.body.queries).toMatchObject([{ id: 'q', query: query.query }]);

    await store({ id, queries: [{ id: 'new' }] });
    expect((await call('GET', `/${id}`)).body.queries).toEqual([{ id: 'new' }]);
  });

  test('is visible only to its owner', async () => {
    const id = await store();
    for (const [method, path] of [
      ['GET', `/${id}`],
      ['POST', `/${id}/execute`],
      ['POST', `/messages/${id}`],
    ] as const) {
      expect((await call(method, path, undefined, 'bob')).status, path).toBe(404);
    }
    const taken = await call('POST', '', { id, queries: [{ id: 'x' }] }, 'bob');
    expect([taken.status, taken.body.message]).toEqual([403, expect.stringContaining(id)]);
    expect((await call('GET', `/${id}`)).body.queries).toHaveLength(1);
  });

  test('has a size limit', async () => {
    const many = Array.from({ length: 10 }, (_, at) => ({
      id: `${at}`,
      query: 'x'.repeat(65_000),
      y: 'z'.repeat(50_000),
    }));
    const { status, text } = await call('POST', '', { queries: many });
    expect([status, text]).toEqual([400, expect.stringContaining('larger than 1000000')]);
  });
});

describe('a running search', () => {
  test('is in progress until its results are complete', async () => {
    hold();
    const id = await store();
    const started = await call('POST', `/${id}/execute`);
    const job = started.body;
    expect([started.status, started.headers.location]).toEqual([201, `/api/views/search/status/${job.id}`]);
    expect(job).toEqual({
      id: job.id,
      search_id: id,
      owner: 'anna',
      executing_node: 'node-1',
      execution: { done: false, cancelled: false, completed_exceptionally: false },
      results: {},
    });
    expect((await call('GET', `/status/${job.id}`)).body).toEqual(job);
    expect((await call('GET', `/status/${job.id}`, undefined, 'bob')).status).toBe(404);
    expect((await call('DELETE', `/cancel/${job.id}`, undefined, 'bob')).status).toBe(404);

    held?.open();
    const { body } = await finished(job.id);
    expect(body.execution).toEqual({ done: true, cancelled: false, completed_exceptionally: false });
    expect(Object.keys(body.results.q.search_types)).toEqual(['list', 'figures']);
    expect([body.id, body.search_id]).toEqual([job.id, id]);

    idle.clock.advance(5 * 60_000 + 1);
    const gone = await call('GET', `/status/${job.id}`);
    expect([gone.status, gone.body.message]).toEqual([404, expect.stringContaining('5 minutes')]);
  });

  test('is cancelled in the engine when it is cancelled here', async () => {
    hold();
    const { body: job } = await call('POST', `/${await store()}/execute`, {});
    expect((await call('DELETE', `/cancel/${job.id}`)).status).toBe(204);
    expect((await finished(job.id)).body).toMatchObject({
      execution: { done: true, cancelled: true, completed_exceptionally: true },
      results: {},
    });
  });

  test('can override parts of the stored search', async () => {
    const id = await store();
    const override = {
      timerange: { type: 'absolute', from: '2026-01-01T00:00:00.000Z', to: '2026-01-02T00:00:00.000Z' },
      query: { query_string: 'another' },
      keep_search_types: ['list'],
      limit: 7,
    };
    idle.statements.length = 0;
    const { body: job } = await call('POST', `/${id}/execute`, { global_override: override });
    const { results } = (await finished(job.id)).body;
    expect(Object.keys(results.q.search_types)).toEqual(['list']);
    expect(results.q.search_types.list.effective_timerange).toEqual(override.timerange);
    expect(results.q.query.search_types).toMatchObject([{ limit: 7, query: { query_string: 'another' } }]);
    expect(idle.statements.some((sql) => sql.includes('LIMIT 7'))).toBe(true);
  });

  test.each([
    [{ parameter_bindings: { host: 'x' } }, 'host'],
    [{ global_override: { search_types: {} } }, 'search_types'],
  ])('is refused with %j, which would change the search', async (body, words) => {
    const { status, text } = await call('POST', `/${await store()}/execute`, body);
    expect([status, text]).toEqual([400, expect.stringContaining(words)]);
  });

  test('reports the error it failed with', async () => {
    const filter = { type: 'stream', id: 'aaaaaaaaaaaaaaaaaaaaaaaa' };
    const id = await store({ queries: [{ ...query, filter }] }, 'nobody');
    const { body: job } = await call('POST', `/${id}/execute`, undefined, 'nobody');
    expect((await finished(job.id, 'nobody')).status).toBe(403);
  });

  test('counts towards the limit of concurrent searches of a user', async () => {
    hold();
    const id = await store();
    const statuses: number[] = [];
    for (let i = 0; i < 12; i++) statuses.push((await call('POST', `/${id}/execute`)).status);
    expect(statuses).toEqual([...Array(10).fill(201), 429, 429]);
    expect((await call('POST', `/${await store({}, 'bob')}/execute`, undefined, 'bob')).status).toBe(201);
  });
});

test('a client that stops waiting gets the job', async () => {
  hold();
  const waited = await call('POST', '/sync?timeout=1', { queries: [query] }, 'bob');
  expect([waited.status, waited.body.execution.done]).toEqual([200, false]);
  held?.open();
  expect(Object.keys((await finished(waited.body.id, 'bob')).body.results)).toEqual(['q']);
  const answered = await call('POST', '/sync', { id: 'mine', queries: [query] }, 'bob');
  expect(answered.body).toMatchObject({ search_id: 'mine', execution: { done: true } });
  expect((await call('GET', `/status/${answered.body.id}`, undefined, 'bob')).status).toBe(404);
});

describe('the messages of a stored search as a file', () => {
  test.each([
    ['', undefined, '"timestamp","source","message"\n', 'timestamp DESC'],
    ['/list', undefined, '"source"\n', 'sort_0 ASC'],
    ['/figures', { fields_in_order: ['a', 'b'] }, '"a","b"\n', 'timestamp DESC'],
  ])('%s', async (part, body, header, order) => {
    idle.statements.length = 0;
    const answer = await call('POST', `/messages/${await store()}${part}`, body);
    expect([answer.status, answer.text]).toEqual([200, header]);
    expect(idle.statements.at(-1)).toContain(order);
  });

  test('an unknown part', async () => {
    const { status, body } = await call('POST', `/messages/${await store()}/none`);
    expect([status, body.message]).toEqual([404, expect.stringContaining('none')]);
  });
});

/** As Graylog's web interface exports, and scripts that were made from what it sends. */
test.each([
  ['', '"timestamp","source","message"\n'],
  ['/list', '"source"\n'],
])('an export of a stored search%s is created: its id is the whole answer', async (part, header) => {
  const search = await store();
  const created = await fixture.call('POST', `/views/export/${search}${part}`, {
    as: 'anna',
    headers: { accept: 'text/csv' },
    body: { execution_state: { parameter_bindings: {} } },
  });
  expect([created.status, created.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
  const file = await call('GET', `/messages/job/${created.text}/result.csv`);
  expect([file.status, file.text]).toEqual([200, header]);
  const others = await fixture.call('POST', `/views/export/${search}${part}`, { as: 'bob', body: {} });
  expect(others.status).toBe(404);
});
