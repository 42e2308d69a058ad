import { expect, test } from 'vitest';
import { eventually } from '#testing/eventually.ts';
import { appendSettled, openTestJournal, type TestJournal } from '#testing/journal-fixture.ts';
import { SimulatedClickHouse } from '#testing/simulated-clickhouse.ts';
import {
  createTestWriter,
  DEFAULT_SET,
  pump,
  routeByText,
  type TestWriter,
  testSnapshot,
} from '#testing/writer-fixture.ts';
import type { MessageWriterConfig } from './message-writer.ts';

/** While a batch is being stored, the next one grows; nothing waits for ever. */

const HOUR_MS = 3_600_000;

interface Run {
  readonly clickhouse: SimulatedClickHouse;
  readonly journal: TestJournal;
  readonly writer: TestWriter;
  readonly done: Promise<void>;
}

async function start(config: Partial<MessageWriterConfig>): Promise<Run> {
  const clickhouse = new SimulatedClickHouse([`table_${DEFAULT_SET}`]);
  const journal = await openTestJournal();
  const writer = createTestWriter(journal.reader, () => clickhouse, { maxAgeMs: 1, ...config });
  writer.useIndexSets(testSnapshot(1));
  return { clickhouse, journal, writer, done: pump(journal.reader, writer, routeByText) };
}

/** A writer with a batch in flight that is not stored before `release`. */
async function startHeld(config: Partial<MessageWriterConfig>): Promise<Run> {
  const run = await start(config);
  run.clickhouse.isHeld = true;
  await appendSettled(run.journal, ['a-first']);
  await eventually(() => expect(run.clickhouse.inserts).toBe(1));
  return run;
}

/** Each is read and given to the writer before the next one is received. */
async function sendOneByOne({ journal }: Run, count: number): Promise<void> {
  const before = journal.stats().readRecords;
  for (let sent = 1; sent <= count; sent++) {
    await appendSettled(journal, [`a-${sent}`]);
    await eventually(() => expect(journal.stats().readRecords).toBe(before + sent));
  }
}

async function everythingStored({ journal, writer, clickhouse }: Run, messages: number): Promise<void> {
  await eventually(() => expect(journal.stats().uncommittedRecords).toBe(0));
  expect(clickhouse.rows).toHaveLength(messages);
  expect(writer.crashes).toEqual([]);
}

async function stop({ journal, writer, done }: Run): Promise<void> {
  await writer.stop();
  await journal.close();
  await done;
}

test('with nothing in flight a message is sent at the usual age', async () => {
  const run = await start({ maxAgeBesideMs: HOUR_MS });
  for (let messages = 1; messages <= 3; messages++) {
    await sendOneByOne(run, 1);
    await everythingStored(run, messages);
    expect(run.clickhouse.inserts).toBe(messages);
  }
  await stop(run);
});

test('while a batch is being stored the next one grows, and is sent when that is done', async () => {
  const run = await startHeld({ maxAgeBesideMs: HOUR_MS });
  await sendOneByOne(run, 20);
  expect(run.clickhouse.inserts).toBe(1);
  run.clickhouse.release();
  await everythingStored(run, 21);
  expect(run.clickhouse.inserts).toBe(2);
  await stop(run);
});

test('behind a batch that hangs the next one is sent at its larger age', async () => {
  const run = await startHeld({ maxAgeBesideMs: 20 });
  await sendOneByOne(run, 1);
  await eventually(() => expect(run.clickhouse.inserts).toBe(2));
  run.clickhouse.release();
  await everythingStored(run, 2);
  await stop(run);
});

test('a full batch is sent beside the one that is being stored, and no more than are allowed in flight', async () => {
  const run = await startHeld({ maxAgeBesideMs: HOUR_MS, maxRows: 5, maxInFlight: 2 });
  await sendOneByOne(run, 4);
  expect(run.clickhouse.inserts).toBe(1);
  await sendOneByOne(run, 1);
  await eventually(() => expect(run.clickhouse.inserts).toBe(2));
  await sendOneByOne(run, 5);
  // The third is full: what comes now stays in the journal.
  await appendSettled(run.journal, ['a-last']);
  expect(run.journal.stats().readRecords).toBe(11);
  expect(run.clickhouse.inserts).toBe(2);
  run.clickhouse.release();
  await everythingStored(run, 12);
  await stop(run);
});

test('a batch that is too large to be stored beside another one waits for it, and what comes then stays in the journal', async () => {
  const limits = { maxRows: 5, maxInFlight: 2, maxBytesInFlight: 1 };
  const run = await startHeld({ maxAgeBesideMs: HOUR_MS, ...limits });
  await sendOneByOne(run, 5);
  await appendSettled(run.journal, ['a-last']);
  expect(run.journal.stats().readRecords).toBe(6);
  expect(run.clickhouse.inserts).toBe(1);
  run.clickhouse.release();
  await everythingStored(run, 7);
  expect(run.clickhouse.inserts).toBe(3);
  await stop(run);
});

test('stop sends a batch that grows', async () => {
  const run = await startHeld({ maxAgeBesideMs: HOUR_MS, stopGraceMs: 60_000 });
  await sendOneByOne(run, 3);
  const stopped = stop(run);
  await eventually(() => expect(run.clickhouse.inserts).toBe(2));
  run.clickhouse.release();
  await stopped;
  expect(run.clickhouse.rows).toHaveLength(4);
});
