import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Secret } from '#core/index.ts';
import { createClickHouse } from './client.ts';
import { acrossShards } from './shards.ts';

/** Servers that answer when they are asked whether they are there, and refuse everything else with a code. */
let code = 0;
const servers = [1, 2].map(() =>
  http.createServer(async (request, response) => {
    let sql = '';
    for await (const piece of request) sql += piece;
    if (sql.startsWith('SELECT 1')) return response.end('{"data":[]}');
    response.statusCode = 500;
    response.setHeader('x-clickhouse-exception-code', String(code));
    response.end(`Code: ${code}. DB::Exception: refused. (SOME_CODE) (version 1)`);
  }),
);
const urls: string[] = [];

beforeAll(async () => {
  for (const server of servers) {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    urls.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }
});

afterAll(() => {
  for (const server of servers) server.close();
});

const ALL = `SELECT count() FROM ${acrossShards('SELECT 1 FROM messages')}`;
const OUT_OF_REACH = 'the servers must reach each other';

test.each([
  { name: 'a table is missing', refusal: 60, sql: ALL, isOutOfReach: false },
  { name: 'a statement for one server fails', refusal: 210, sql: 'SELECT 2', isOutOfReach: false },
  { name: 'a server cannot reach another one', refusal: 279, sql: ALL, isOutOfReach: true },
])('says that servers do not reach each other only if so: $name', async ({ refusal, sql, isOutOfReach }) => {
  code = refusal;
  const clickhouse = createClickHouse(urls.map((url) => ({ url, username: 'u', password: new Secret('p') })));
  const error: unknown = await clickhouse.query(sql).catch((reason: unknown) => reason);
  expect(String(error)).toContain(isOutOfReach ? OUT_OF_REACH : `code ${refusal}`);
  await clickhouse.close();
});
