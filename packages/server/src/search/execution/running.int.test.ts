import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defineRoute, messageExportRoutes, messageRoutes, type Route } from '#api/index.ts';
import { basicAuth, ROOT_PASSWORD } from '#testing/auth-fixture.ts';
import { useTestClickHouse } from '#testing/clickhouse.ts';
import { eventually } from '#testing/eventually.ts';
import { createSearchFixture, type SearchFixture } from '#testing/search-fixture.ts';
import { createExports } from '../export/index.ts';
import type { Searches } from './index.ts';

const server = useTestClickHouse();
let fixture: SearchFixture;
let address: string;

/** A search that takes a minute. The mark tells it apart from searches of other tests. */
const MARK = `mark_${Math.random().toString(36).slice(2)}`;
const SLOW = `SELECT number AS ${MARK}, sleepEachRow(0.2) FROM numbers(300) SETTINGS max_block_size = 1`;

/** No test here parses messages. */
const unused = () => {
  throw new Error('not here');
};

/** A slow search behind a route. */
function slowRoute(searches: Searches): Route {
  return defineRoute({
    method: 'GET',
    path: '/slow',
    tag: 'Test',
    summary: 'Search for a minute',
    permission: { kind: 'authenticated' },
    responses: { 200: { contentType: 'text/plain', description: 'nothing' } },
    errors: [],
    async handler({ principal, signal }) {
      const search = await searches.prepare(principal, { query: '*', range: { type: 'relative', range: 0 } });
      await searches.rows(search, SLOW, { principal, signal });
      return { isReply: true, status: 200, headers: { 'content-type': 'text/plain' }, raw: 'done' };
    },
  });
}

beforeAll(async () => {
  fixture = await createSearchFixture(server(), {
    limits: { maxParallel: 1, timeoutMs: 20_000 },
    routes: ({ search }) => [
      slowRoute(search.searches),
      ...messageRoutes({ ...search, parseMessage: unused }),
      ...messageExportRoutes(search),
    ],
  });
  await fixture.auth.api.api.start();
  address = `${fixture.auth.api.api.address()}/api`;
});

afterAll(() => fixture.close());

const headers = {
  authorization: basicAuth('admin', ROOT_PASSWORD),
  'x-requested-by': 'test',
  'content-type': 'application/json',
};

/** How many statements with the mark are running in the engine. */
async function running(): Promise<number> {
  const rows = await server().clickhouse.query<{ n: string }>(
    `SELECT count() AS n FROM system.processes WHERE query LIKE '%${MARK}%' AND query NOT LIKE '%system.processes%'`,
  );
  return Number(rows[0]?.n);
}

async function untilRunning(count: number): Promise<void> {
  await eventually(async () => expect(await running()).toBe(count));
}

test('a client that disconnects stops its search in the engine', async () => {
  const leaving = new AbortController();
  const answer = fetch(`${address}/slow`, { headers, signal: leaving.signal });
  answer.catch(() => {});
  await untilRunning(1);
  // The only slot is taken, so the next search waits for it.
  leaving.abort();
  await expect(answer).rejects.toThrow();
  await untilRunning(0);
  const next = await fetch(`${address}/messages/search`, { method: 'POST', headers, body: '{}' });
  expect(next.status).toBe(200);
});

test('leaving a stream of rows stops the statement', async () => {
  const { searches } = fixture.search;
  const search = await searches.prepare(fixture.admin, { query: '*', range: { type: 'relative', range: 0 } });
  const seen: unknown[] = [];
  const progress: number[] = [];
  for await (const rows of searches.stream<Record<string, number>>(search, SLOW, {
    principal: fixture.admin,
    progress: ({ readRows }) => progress.push(readRows),
  })) {
    seen.push(...rows);
    if (seen.length >= 2) break;
  }
  expect(seen.length).toBeGreaterThanOrEqual(2);
  expect(progress.length).toBeGreaterThan(0);
  await untilRunning(0);
});

test('limits of time and memory are reported with their settings', async () => {
  const { searches } = fixture.search;
  const search = await searches.prepare(fixture.admin, { query: '*', range: { type: 'relative', range: 0 } });
  const run = (sql: string, more: object) =>
    searches.rows(search, sql, { principal: fixture.admin, ...more });
  await expect(run(SLOW, { timeoutMs: 1000 })).rejects.toMatchObject({
    code: 'search_failed',
    message: expect.stringContaining('longer than 1 s'),
    details: { type: 'SearchError' },
  });
  const greedy = 'SELECT length(groupArray(toString(number))) FROM numbers(20000000)';
  await expect(run(greedy, { settings: { max_memory_usage: '50000000' } })).rejects.toMatchObject({
    code: 'search_failed',
    message: expect.stringContaining('search_max_memory'),
  });
  await expect(run('INSERT INTO system.one SELECT 1', {})).rejects.toThrow(/readonly|Cannot execute/i);
});

test('temporary data on disk is limited', async () => {
  const { searches } = fixture.search;
  const search = await searches.prepare(fixture.admin, { query: '*', range: { type: 'relative', range: 0 } });
  const groups = 'SELECT max(n) FROM (SELECT rand64() AS n, count() FROM numbers(1000000) GROUP BY n)';
  const run = (settings: object) =>
    searches.rows(search, groups, {
      principal: fixture.admin,
      settings: {
        max_bytes_before_external_group_by: '1000000',
        max_bytes_ratio_before_external_group_by: 0,
        max_threads: 1,
        ...settings,
      },
    });
  const refused = { code: 'search_failed', message: expect.stringContaining('disk') };
  await expect(run({ max_temporary_data_on_disk_size_for_query: '1000000' })).rejects.toMatchObject(refused);
  await expect(run({ min_free_disk_space_for_temporary_data: String(2 ** 60) })).rejects.toMatchObject(
    refused,
  );
});

test('an export that takes too long is stopped, even if nobody reads it', async () => {
  const { searches } = fixture.search;
  const exports = createExports({ searches }, { timeoutMs: 1 });
  const request = {
    query: '*',
    range: { type: 'relative', range: 0 },
    fields: ['message'],
    format: 'csv',
  } as const;
  const tooLong = { code: 'search_failed', message: expect.stringContaining('search_export_timeout') };
  await expect(exports.open(fixture.admin, request).then(text)).rejects.toMatchObject(tooLong);
  const slowText: Searches['text'] = async function* () {
    for (;;) yield Buffer.alloc(100_000);
  };
  const stalled = createExports({ searches: { ...searches, text: slowText } }, { timeoutMs: 50 });
  const file = await stalled.open(fixture.admin, request);
  await expect(once(file, 'close')).rejects.toMatchObject(tooLong);
});

test('progress events, and the SQL for callers who may see it', async () => {
  const events = await fetch(`${address}/messages/search`, {
    method: 'POST',
    headers: { ...headers, accept: 'text/event-stream' },
    body: JSON.stringify({ query: '*', timerange: { type: 'relative', range: 0 } }),
  });
  expect(events.headers.get('content-type')).toContain('text/event-stream');
  expect(await events.text()).toMatch(/event: result\ndata: {"query":"\*".*"total_results":0/);
  const invalid = await fetch(`${address}/messages/search`, {
    method: 'POST',
    headers: { ...headers, accept: 'text/event-stream' },
    body: JSON.stringify({ query: '(a' }),
  });
  expect(invalid.status).toBe(400);
  expect(await invalid.json()).toMatchObject({ type: 'QueryParseError', line: 1 });

  const asked = { body: { query: '"x\' OR 1=1 --"' } };
  const shown = await fixture.call('POST', '/messages/search/sql', asked);
  expect(shown.status).toBe(200);
  expect(shown.body.statements).toHaveLength(2);
  expect(shown.text).toContain('ORDER BY');
  expect(JSON.stringify(shown.body.statements.map(({ sql }: { sql: string }) => sql))).not.toContain('1=1');
  await fixture.auth.addUser('reader', ['streams:read']);
  expect((await fixture.call('POST', '/messages/search/sql', { ...asked, as: 'reader' })).status).toBe(403);
});

test('an aborted export releases its slot', async () => {
  const long = 'x'.repeat(1000);
  await fixture.store(Array.from({ length: 2000 }, (_, index) => ({ message: `${index} ${long}` })));
  const request = { fields_in_order: ['message'], timerange: { type: 'relative', range: 0 } };
  const leaving = new AbortController();
  const answer = await fetch(`${address}/views/search/messages`, {
    method: 'POST',
    headers: { ...headers, accept: 'text/csv' },
    body: JSON.stringify(request),
    signal: leaving.signal,
  });
  expect(answer.headers.get('content-type')).toContain('text/csv');
  const reader = answer.body?.getReader();
  await reader?.read();
  leaving.abort();
  // There is one slot, so this answers only after the export has released it.
  const lines = await fixture.call('POST', '/views/search/messages', {
    body: { ...request, query_string: { type: 'elasticsearch', query_string: '1999' } },
    headers: { accept: 'application/x-ndjson' },
  });
  expect(JSON.parse(lines.text)).toEqual({ message: `1999 ${long}` });
});

test('a query can have hundreds of values', async () => {
  const query = Array.from({ length: 500 }, (_, number) => `http_status:${number}`).join(' OR ');
  const found = await fetch(`${address}/messages/search`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ query }),
  });
  expect(await found.json()).toMatchObject({ total_results: expect.any(Number) });
});
