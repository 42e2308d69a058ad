import { expect, test } from 'vitest';
import type { ClickHouse, Replication } from '#storage/index.ts';
import { eventually } from '#testing/eventually.ts';
import { appendSettled, openTestJournal } from '#testing/journal-fixture.ts';
import { SimulatedClickHouse, simulatedShards } from '#testing/simulated-clickhouse.ts';
import { SimulatedDisk } from '#testing/simulated-disk.ts';
import {
  createTestWriter,
  DEFAULT_SET,
  FAILURE_SET,
  OTHER_SET,
  pump,
  routeByText,
  testSnapshot,
} from '#testing/writer-fixture.ts';
import { createReplicaSet } from './clickhouse/replicas.ts';

/**
 * Two replicas of a shard, as far as a writer knows them: both recognise the token of an insert that one of them got, and
 * one may not have the rows of the other yet.
 */

const TABLES = [DEFAULT_SET, OTHER_SET, FAILURE_SET].map((id) => `table_${id}`);

function twoReplicas(replication: Replication = { insertQuorum: 0 }) {
  const keeper = new Set<string>();
  const a = new SimulatedClickHouse(TABLES, 'http://a', keeper);
  const b = new SimulatedClickHouse(TABLES, 'http://b', keeper);
  const [first, second] = [a.servers[0], b.servers[0]];
  if (first === undefined || second === undefined) throw new Error('no servers');
  const clickhouse: ClickHouse = {
    ...simulatedShards([a]),
    servers: [createReplicaSet([first, second])],
    replication,
  };
  return { a, b, clickhouse };
}

async function start(clickhouse: ClickHouse, disk?: SimulatedDisk) {
  const journal = await openTestJournal(disk ? { disk } : {});
  const writer = createTestWriter(journal.reader, () => clickhouse);
  writer.useIndexSets(testSnapshot(1));
  const done = pump(journal.reader, writer, routeByText);
  return {
    journal,
    writer,
    stored: () => eventually(() => expect(journal.stats().uncommittedRecords).toBe(0)),
    async stop() {
      await writer.stop();
      await journal.close();
      await done;
    },
  };
}

test('what a replica has stored before it was lost is confirmed by the other one, which does not store it again', async () => {
  const { a, b, clickhouse } = twoReplicas();
  const run = await start(clickhouse);
  a.fault = () => 'lost-answer';
  // It cannot fetch the rows while the other one is away: asking its table would be a mistake.
  b.isBehind = true;
  await appendSettled(run.journal, ['a-1', 'a-2', 'a-3']);
  await run.stored();
  expect(a.rows).toHaveLength(3);
  expect(b.rows).toHaveLength(0);
  expect(b.tokens).toEqual(a.tokens);
  await appendSettled(run.journal, ['a-4']);
  await run.stored();
  expect([a.rows.length, b.rows.length]).toEqual([3, 1]);
  await run.stop();
});

test('after a restart a batch waits until the replica knows what the other one has stored', async () => {
  const { a, b, clickhouse } = twoReplicas();
  const disk = new SimulatedDisk();
  const first = await start(clickhouse, disk);
  a.fault = () => 'lost-answer';
  b.fault = () => 'unreachable';
  b.answersQueries = false;
  await appendSettled(first.journal, ['a-1', 'a-2']);
  await eventually(() => expect(a.rows).toHaveLength(2));
  disk.cutPower();
  a.fault = () => 'unreachable';
  await first.writer.stop();

  // Now only the other one is there, and has not fetched the rows.
  a.answersPings = false;
  a.answersQueries = false;
  b.answersQueries = true;
  b.fault = () => undefined;
  b.isBehind = true;
  await clickhouse.servers[0]?.ping();
  const second = await start(clickhouse, disk);
  const before = b.inserts;
  await appendSettled(second.journal, ['a-3']);
  expect(second.journal.stats().uncommittedRecords).toBeGreaterThan(0);
  expect(b.inserts).toBe(before);
  b.rows = [...a.rows];
  b.isBehind = false;
  await second.stored();
  expect(b.rows).toHaveLength(3);
  await second.stop();
});

test('the quorum is asked for', async () => {
  const { a, clickhouse } = twoReplicas({ insertQuorum: 2 });
  const run = await start(clickhouse);
  const settings: unknown[] = [];
  a.fault = (insert) => {
    settings.push(insert.settings);
    return undefined;
  };
  await appendSettled(run.journal, ['a-1']);
  await run.stored();
  expect(settings).toEqual([expect.objectContaining({ insert_quorum: '2' })]);
  await run.stop();
});
