import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RetryableError, Secret } from '#core/index.ts';
import { createClickHouse } from './index.ts';

/** Answers like an engine that stores nothing: how many writes have failed is up to the test. */
let failed = 0;
let instance = 'first';
const engine = http.createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const asksForFailures = body.includes('WriteFailed');
  response.end(`${JSON.stringify(asksForFailures ? { failed: String(failed), instance } : { n: 1 })}\n`);
});

function connect(own: string | undefined) {
  const url = `http://127.0.0.1:${(engine.address() as AddressInfo).port}`;
  const endpoint = { url, username: 'millrace', password: new Secret('secret') };
  return createClickHouse([own === undefined ? endpoint : { ...endpoint, instance: own }]);
}

beforeAll(async () => {
  engine.listen(0, '127.0.0.1');
  await once(engine, 'listening');
});
afterAll(() => {
  engine.closeAllConnections();
  engine.close();
});

test.each([
  ['all was written', 'first', 0, 'first', true],
  ['a write has failed', 'first', 1, 'first', false],
  ['another run of the engine answers', 'first', 0, 'second', false],
  ['a server of its own throws when a write fails', undefined, 7, 'first', true],
])('%s', async (_, own, failures, answering, isTrusted) => {
  failed = failures;
  instance = answering;
  const clickhouse = connect(own);
  const [server] = clickhouse.servers;
  const insert = server?.insertNative({ table: 'messages', block: Buffer.alloc(8) });
  const altered = server?.command('ALTER TABLE messages MODIFY SETTING index_granularity = 1');
  const rows = server?.query('SELECT 1 AS n', { mustBeComplete: true });
  if (isTrusted) {
    await insert;
    await altered;
    expect(await rows).toEqual([{ n: 1 }]);
  } else {
    await expect(insert).rejects.toThrow(RetryableError);
    await expect(altered).rejects.toThrow(RetryableError);
    await expect(rows).rejects.toThrow(RetryableError);
  }
  expect(await server?.query('SELECT 1 AS n')).toEqual([{ n: 1 }]);
  await clickhouse.close();
});
