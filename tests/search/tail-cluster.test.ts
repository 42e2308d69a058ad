import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  startTestPostgres,
  type TestPostgres,
  whyNoPostgres,
} from '../../packages/server/src/testing/postgres.ts';
import { type AbsentClickHouse, startAbsentClickHouse } from '../support/absent-clickhouse.ts';
import { callApi, KNOWN_PASSWORD, rootCredentials } from '../support/node-api.ts';
import { type NodeProcess, startNode } from '../support/node-process.ts';
import { openTail, type TailClient, type TailEvent } from '../support/tail-client.ts';

interface ClusterNode {
  readonly process: NodeProcess;
  readonly address: string;
  readonly httpPort: number;
}

/** Two nodes that share PostgreSQL; no storage, which nothing here needs. */
describe.skipIf(whyNoPostgres() !== undefined)('the live tail of a cluster', () => {
  const running: ClusterNode[] = [];
  let postgres: TestPostgres;
  let clickhouse: AbsentClickHouse;
  let database: string;
  let client: TailClient;

  async function start(): Promise<ClusterNode> {
    const process = startNode(
      { metadata_uri: database, clickhouse_uri: clickhouse.uri, processing_workers: '1' },
      { env: KNOWN_PASSWORD },
    );
    const address = await process.ready();
    // The inputs are those of the whole cluster; each node has them on ports that it chose.
    const node = { process, address, httpPort: await process.inputPort('GELF HTTP') };
    running.push(node);
    return node;
  }

  async function send({ httpPort }: ClusterNode, text: string): Promise<void> {
    const body = JSON.stringify({ version: '1.1', host: 'mill', short_message: text });
    const answer = await fetch(`http://127.0.0.1:${httpPort}/gelf`, { method: 'POST', body });
    expect(answer.status).toBe(202);
  }

  const followsNodes =
    (nodes: number, after = 0) =>
    ({ at, event, data }: TailEvent): boolean =>
      at > after && event === 'status' && data.nodes === nodes && data.missing_nodes.length === 0;

  beforeAll(async () => {
    postgres = await startTestPostgres();
    clickhouse = await startAbsentClickHouse();
    database = await postgres.createDatabase();
  });
  afterAll(async () => {
    client?.close();
    for (const { process } of running) process.kill('SIGKILL');
    for (const { process } of running) await process.exited();
    await clickhouse.stop();
    await postgres.stop();
  });

  test('messages of all nodes are seen; nodes come and go', async () => {
    const first = await start();
    client = await openTail(first.address, { query: 'cluster' }, { authorization: rootCredentials() });
    await client.until(followsNodes(1));

    const second = await start();
    await client.until(followsNodes(2));
    await send(first, 'cluster: from the first');
    const sentAt = performance.now();
    await send(second, 'cluster: from the second');
    const { at } = await client.untilText('cluster: from the second');
    process.stdout.write(`live tail: ${Math.round(at - sentAt)} ms from another node\n`);
    await client.untilText('cluster: from the first');
    const messages = client.events.flatMap(({ event, data }) => (event === 'message' ? data : []));
    expect(new Set(messages.map(({ gl2_source_node: node }: Record<string, string>) => node)).size).toBe(2);

    // A request about the tail may arrive at any node.
    expect((await callApi(second.address, 'POST', `/search/tail/${client.id}/pause`)).status).toBe(204);
    await client.until(({ event, data }) => event === 'status' && data.paused);
    await send(second, 'cluster: in the pause');
    await client.until(({ event, data }) => event === 'status' && data.new_messages === 1);
    expect((await callApi(second.address, 'POST', `/search/tail/${client.id}/resume`)).status).toBe(204);

    second.process.kill('SIGKILL');
    await second.process.exited();
    const killedAt = performance.now();
    await client.until(followsNodes(1, killedAt));
    const third = await start();
    await client.until(followsNodes(2, killedAt));
    await send(third, 'cluster: from the third');
    await client.untilText('cluster: from the third');
    expect(client.texts()).not.toContain('cluster: in the pause');
  });
});
