import { afterAll, beforeAll, expect, test } from 'vitest';
import { type StartedTestEngine, startTestShards, TEST_DATABASE } from '#testing/engine.ts';
import { eventually } from '#testing/eventually.ts';
import { UInt32Column } from '#testing/native-columns.ts';
import { type ClickHouse, createClickHouse } from './client.ts';
import { createNativeBatch } from './native.ts';
import { acrossShards } from './shards.ts';

/**
 * Fail-over on real servers. The embedded ClickHouse cannot replicate, so the "replicas" of the first shard have the same
 * rows because the test inserts them into both.
 */

let engines: StartedTestEngine[] = [];
let clickhouse: ClickHouse;
let plain: ClickHouse;

function numbers(...values: number[]): Buffer {
  const batch = createNativeBatch({ n: new UInt32Column() });
  for (const value of values) {
    batch.columns.n.append(value);
    batch.endRow();
  }
  return batch.encode();
}

beforeAll(async () => {
  engines = await startTestShards(3);
  const [a, b, c] = engines.map(({ engine }) => engine.endpoint());
  if (a === undefined || b === undefined || c === undefined) throw new Error('no engines');
  plain = createClickHouse([a, b, c], { database: TEST_DATABASE });
  await plain.commandOnEach('CREATE TABLE numbers (n UInt32) ENGINE = MergeTree ORDER BY n');
  clickhouse = createClickHouse([{ ...a, replicas: [b] }, c], {
    database: TEST_DATABASE,
    replication: { insertQuorum: 0 },
  });
}, 180_000);

afterAll(async () => {
  await clickhouse.close();
  await plain.close();
  await Promise.all(engines.map((engine) => engine.stop()));
});

async function total(): Promise<number> {
  const [row] = await clickhouse.query<{ total: string }>(
    `SELECT sum(n) AS total FROM ${acrossShards(`SELECT n FROM ${TEST_DATABASE}.numbers`)}`,
  );
  return Number(row?.total);
}

test('reads and writes go to a replica that answers', async () => {
  const [first, second] = clickhouse.servers;
  const block = numbers(1, 2);
  for (const server of plain.servers.slice(0, 2)) await server.insertNative({ table: 'numbers', block });
  await second?.insertNative({ table: 'numbers', block: numbers(100) });
  expect(await total()).toBe(103);

  await engines[0]?.engine.stop();
  await first?.insertNative({ table: 'numbers', block: numbers(10) });
  const [row] = (await plain.servers[1]?.query<{ n: string }>('SELECT count() AS n FROM numbers')) ?? [];
  expect(Number(row?.n)).toBe(3);
  expect(await eventually(total)).toBe(113);
  expect((await clickhouse.present()).map(({ url }) => url)).toEqual(
    clickhouse.servers.map(({ url }) => url),
  );
});
