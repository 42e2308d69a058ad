import { afterAll, beforeAll, expect, test } from 'vitest';
import { ManualClock } from '#core/index.ts';
import type { Metadata } from '#metadata/index.ts';
import { createSearchService, type SearchServiceDeps } from '#search/service.ts';
import { type ApiFixture, basic, createApiFixture, type FixtureUsers } from '#testing/api-fixture.ts';
import { type FuzzRequest, fuzzApi } from '#testing/api-fuzz.ts';
import { openTestMetadata } from '#testing/metadata.ts';
import { openApiDocument } from '../openapi/document.ts';
import type { Route } from '../route.ts';
import { routeComplaints } from '../route-contract.ts';
import { searchQueryRoutes } from './search-query.ts';

/** Over an engine that finds nothing: what is asked and answered, not what is found. */
let metadata: Metadata;
let fixture: ApiFixture;
let routes: Route[];
const STREAM = 'aaaaaaaaaaaaaaaaaaaaaaaa';
const users: FixtureUsers = { admin: ['*'], reader: [`streams:read:${STREAM}`], nobody: [] };

beforeAll(async () => {
  const clock = new ManualClock();
  metadata = await openTestMetadata(clock);
  const nothing = {
    clickhouse: () => ({ query: async () => [] }),
    searchTargets: () => [],
    fields: () => [{ name: 'took_ms', types: ['number'] }],
    snapshot: () => undefined,
    messages: { find: async () => undefined },
    indices: { ranges: async () => [] },
  };
  const search = createSearchService(
    {
      storage: nothing as unknown as SearchServiceDeps['storage'],
      metadata,
      audit: { record: async () => {} } as unknown as SearchServiceDeps['audit'],
      clock,
    },
    { timeoutMs: 1000, maxMemoryBytes: 2 ** 30, maxParallel: 100 },
  );
  routes = searchQueryRoutes(search);
  fixture = await createApiFixture(routes, { users });
});
afterAll(() => metadata.close());

const send = (request: FuzzRequest) =>
  fixture.api.fastify.inject({ ...request, headers: { ...request.headers } });

async function post(path: string, body: object, user = 'admin') {
  const answer = await send({
    method: 'POST',
    url: `/api${path}`,
    headers: {
      authorization: basic(user),
      'content-type': 'application/json',
      'x-requested-by': 'test',
    },
    payload: JSON.stringify(body),
  });
  return { status: answer.statusCode, body: answer.json() };
}

test('every route declares what it owes its callers', () => {
  expect(routeComplaints(routes)).toEqual([]);
});

test('a stream that the caller may not read is refused, by every route', async () => {
  const bodies = {
    '/search/validate': { query: '*', streams: ['bbbbbbbbbbbbbbbbbbbbbbbb'] },
    '/search/suggest': { field: 'source', streams: ['bbbbbbbbbbbbbbbbbbbbbbbb'] },
    '/search/complete': { query: 'source:a', streams: ['bbbbbbbbbbbbbbbbbbbbbbbb'] },
  };
  for (const [path, body] of Object.entries(bodies)) {
    expect((await post(path, body, 'reader')).status, path).toBe(403);
    expect((await post(path, { ...body, streams: [STREAM] }, 'reader')).status, path).toBe(200);
    expect((await post(path, { ...body, streams: null }, 'nobody')).status, path).toBe(200);
  }
});

test('nobody learns of fields they may not see', async () => {
  const asked = { query: 'took_ns:5' };
  const [known] = (await post('/search/validate', asked, 'admin')).body.explanations;
  expect(known).toMatchObject({ error_type: 'UNKNOWN_FIELD' });
  const [unknown] = (await post('/search/validate', asked, 'nobody')).body.explanations;
  expect(JSON.stringify(unknown)).not.toContain('took_ms');
});

test('a filter that is no query is told where', async () => {
  const { status, body } = await post('/search/suggest', { field: 'a', filtering_query: 'x AND "open' });
  expect(status).toBe(400);
  expect(body).toMatchObject({ type: 'QueryParseError', line: 1, column: 7 });
});

test('any request is answered, and as documented', async () => {
  const report = await fuzzApi(openApiDocument(routes, { version: '1' }), {
    send,
    credentials: { authorization: basic('admin') },
    runsPerOperation: 100,
  });
  expect(report.statuses[200]).toBeGreaterThan(20);
});
