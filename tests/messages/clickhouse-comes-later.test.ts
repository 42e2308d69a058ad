import { once } from 'node:events';
import net from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestEngine } from '../../packages/server/src/testing/engine.ts';
import { eventually } from '../../packages/server/src/testing/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { callApi, KNOWN_PASSWORD } from '../support/node-api.ts';
import { startNode } from '../support/node-process.ts';

/** Under an emulator everything takes longer. */
const PATIENCE = { timeoutMs: 120_000, intervalMs: 100 };

let engine: Awaited<ReturnType<typeof startTestEngine>>;

beforeAll(async () => {
  engine = await startTestEngine();
});
afterAll(() => engine.stop());

/** Makes the engine reachable under another port. */
async function listenFor(target: string, port: number): Promise<net.Server> {
  const server = net.createServer((client) => {
    const upstream = net.connect(Number(new URL(target).port), '127.0.0.1');
    client.pipe(upstream).pipe(client);
    for (const socket of [client, upstream]) socket.on('error', () => socket.destroy());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

test('a node accepts messages while its ClickHouse is away at the start, and stores them when it comes', async () => {
  const { url, username, password } = engine.engine.endpoint();
  const port = await freePort('tcp');
  const uri = `http://${username}:${password.reveal()}@127.0.0.1:${port}`;
  const node = startNode({ clickhouse_uri: uri, clickhouse_database: 'later' }, { env: KNOWN_PASSWORD });
  const address = await node.ready();
  expect(node.output()).toContain('not reachable, messages wait in the journal');
  expect(node.output()).not.toContain(password.reveal());
  const input = await node.inputPort('GELF HTTP');
  const body = JSON.stringify({ host: 'mill', short_message: 'sent while the storage was away' });
  expect((await fetch(`http://127.0.0.1:${input}/gelf`, { method: 'POST', body })).status).toBe(202);

  const server = await listenFor(url, port);
  await eventually(async () => {
    const found = await callApi(address, 'GET', '/search/universal/relative?range=0&query=away');
    expect(found.body.total_results).toBe(1);
  }, PATIENCE);
  node.kill();
  await node.exited();
  server.close();
});
