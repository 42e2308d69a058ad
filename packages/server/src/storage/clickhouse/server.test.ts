import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { RetryableError, Secret } from '#core/index.ts';
import { createServer } from './server.ts';

let closing: http.Server | undefined;
afterEach(() => closing?.close());

/** Answers a row, except for the requests at these positions: it closes their connections. */
async function serverClosing(positions: readonly number[]) {
  let requests = 0;
  const ids: (string | null)[] = [];
  closing = http.createServer((request, response) => {
    const position = requests++;
    ids.push(new URL(request.url ?? '', 'http://server').searchParams.get('query_id'));
    request.resume();
    if (positions.includes(position)) request.socket.destroy();
    else response.setHeader('x-clickhouse-exception-tag', 'tag').end('{"x":1}\n');
  });
  closing.listen(0, '127.0.0.1');
  await once(closing, 'listening');
  const url = `http://127.0.0.1:${(closing.address() as AddressInfo).port}`;
  const server = createServer(() => ({ url, username: 'u', password: new Secret('p') }), {});
  return { server, requests: () => requests, ids };
}

test('a query is asked again, once, when its connection is closed before the answer', async () => {
  const { server, requests, ids } = await serverClosing([1]);
  expect(await server.query('SELECT 1 AS x')).toEqual([{ x: 1 }]);
  expect(await server.query('SELECT 1 AS x', { queryId: 'q' })).toEqual([{ x: 1 }]);
  expect(requests()).toBe(3);
  // The server may still run the first one, and refuses another of the same id.
  expect(ids.slice(1)).toEqual(['q', 'q-again']);
  await server.close();
});

test('so are statements whose output is streamed, until the first of it has arrived', async () => {
  const { server, requests } = await serverClosing([1]);
  expect(await server.query('SELECT 1 AS x')).toEqual([{ x: 1 }]);
  const text = await Array.fromAsync(server.text('SELECT 1 AS x FORMAT JSONEachRow'));
  expect(Buffer.concat(text).toString()).toBe('{"x":1}\n');
  expect(requests()).toBe(3);
  await server.close();
});

test('a server that closes again is unreachable; statements that change something are not repeated', async () => {
  const { server, requests } = await serverClosing([0, 1, 2]);
  await expect(server.query('SELECT 1')).rejects.toThrow(RetryableError);
  expect(requests()).toBe(2);
  await expect(server.command('SYSTEM FLUSH LOGS')).rejects.toThrow(RetryableError);
  expect(requests()).toBe(3);
  await server.close();
});
