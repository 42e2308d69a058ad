import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../packages/server/src/testing/eventually.ts';
import { startHttpReceiver } from '../../packages/server/src/testing/http-receiver.ts';
import { whyNoPostgres } from '../../packages/server/src/testing/postgres.ts';
import { type AbsentClickHouse, startAbsentClickHouse } from '../support/absent-clickhouse.ts';
import { useCluster } from '../support/cluster.ts';
import { KNOWN_PASSWORD } from '../support/node-api.ts';
import { startNode, temporaryDirectory } from '../support/node-process.ts';
import { ALL_MESSAGES, attachOutputs, createOutput } from '../support/output-api.ts';

const MESSAGES = 2000;
const IN_PARALLEL = 20;
const KILLS = 2;
const texts = Array.from({ length: MESSAGES }, (_, number) => `number ${number}`).toSorted();

describe.skipIf(whyNoPostgres() !== undefined)('millrace drain', () => {
  const cluster = useCluster();
  let absent: AbsentClickHouse;

  beforeAll(async () => {
    absent = await startAbsentClickHouse();
  });
  afterAll(async () => absent?.stop());

  async function send(port: number, messages: readonly string[]): Promise<void> {
    const left = [...messages];
    const sender = async () => {
      for (let text = left.pop(); text !== undefined; text = left.pop()) {
        const body = JSON.stringify({ version: '1.1', host: 'gone', short_message: text });
        const { status } = await fetch(`http://127.0.0.1:${port}/gelf`, { method: 'POST', body });
        expect(status).toBe(202);
      }
    };
    await Promise.all(Array.from({ length: IN_PARALLEL }, sender));
  }

  async function stored(): Promise<string[]> {
    const rows = await cluster.storage.clickhouse.query<{ message: string }>(
      "SELECT message FROM merge('millrace', '^millrace_') WHERE source = 'gone' ORDER BY message",
    );
    return rows.map(({ message }) => message).toSorted();
  }

  test('stores what a dead node has accepted exactly once, also if it is killed itself, and sends it to outputs', async () => {
    const receiver = await startHttpReceiver();
    const database = await cluster.createDatabase();
    // The node has no storage: everything that it accepts stays in its journal.
    const node = startNode(
      { metadata_uri: database, processing_workers: '2', clickhouse_uri: absent.uri },
      { env: { ...KNOWN_PASSWORD, MILLRACE_PASSWORD_SECRET: 'the same secret on all nodes' } },
    );
    const address = await node.ready();
    const output = await createOutput(address, 'http', { url: receiver.url, compression: 'none' });
    await attachOutputs(address, ALL_MESSAGES, output);
    await send(await node.inputPort('GELF HTTP'), texts);
    node.kill('SIGKILL');
    await node.exited();

    const drain = () =>
      cluster.start(database, { processing_workers: '1' }, { dataDir: node.dataDir, command: 'drain' });
    for (let kill = 0; kill < KILLS; kill++) {
      const killed = drain();
      // Each one comes a little farther.
      await killed.printed(
        kill === 0 ? /Left: \d+ records/ : /the message storage is ready|Left: \d+ records/,
      );
      if (kill > 0) await eventually(async () => expect((await stored()).length).toBeGreaterThan(0));
      killed.kill('SIGKILL');
      await killed.exited();
    }
    const last = drain();
    expect(await last.exited(), last.output()).toEqual({ code: 0, signal: null });
    expect(last.output()).toContain('is empty');
    expect(await stored()).toEqual(texts);
    const sent = receiver.calls.flatMap(({ body }) =>
      body
        .trim()
        .split('\n')
        .map((line): string => JSON.parse(line).message),
    );
    expect([...new Set(sent)].toSorted()).toEqual(texts);

    const again = drain();
    expect(await again.exited(), again.output()).toEqual({ code: 0, signal: null });
    expect(again.output()).toContain('0 records stored');
    expect(await stored()).toEqual(texts);
  });

  test('refuses a folder that is not the data of a node, and one whose cluster is not named', async () => {
    const empty = startNode({}, { dataDir: temporaryDirectory(), command: 'drain' });
    expect((await empty.exited()).code).toBe(1);
    expect(empty.output()).toContain('so this is not the data of a node');

    const database = await cluster.createDatabase();
    const node = cluster.start(database);
    await node.ready();
    const running = cluster.start(database, {}, { dataDir: node.dataDir, command: 'drain' });
    expect((await running.exited()).code).toBe(1);
    expect(running.output()).toContain('is using the data directory');
    node.kill('SIGKILL');
    await node.exited();
    const unnamed = startNode({}, { dataDir: node.dataDir, command: 'drain' });
    expect((await unnamed.exited()).code).toBe(1);
    expect(unnamed.output()).toContain('Give metadata_uri as the node had it');
  });
});
