import { expect, test } from 'vitest';
import { Message, type MessageFrames } from '#core/index.ts';
import { eventually } from '#testing/eventually.ts';
import {
  appendSettled,
  openTestJournal,
  type TestJournal,
  type TestJournalOptions,
} from '#testing/journal-fixture.ts';
import { localByteBudget } from '#testing/local-byte-budget.ts';
import { SimulatedClickHouse } from '#testing/simulated-clickhouse.ts';
import { SimulatedDisk } from '#testing/simulated-disk.ts';
import {
  createTestWriter,
  DEFAULT_SET,
  FAILURE_SET,
  OTHER_SET,
  pump,
  routeByText,
  routedBatch,
  type TestWriter,
  testSnapshot,
} from '#testing/writer-fixture.ts';
import type { MessageWriterConfig } from './message-writer.ts';

/** A batch that has to wait stands in nobody's way, and what it waits for can come. */

const TABLES = [DEFAULT_SET, OTHER_SET, FAILURE_SET].map((id) => `table_${id}`);
const [DEFAULT_TABLE, OTHER_TABLE, FAILURE_TABLE] = TABLES;
const REFUSED = 'failed: simulated: refused';
const HOUR_MS = 3_600_000;

interface Run {
  readonly journal: TestJournal;
  readonly writer: TestWriter;
  readonly done: Promise<void>;
}

async function start(
  clickhouse: SimulatedClickHouse,
  config: Partial<MessageWriterConfig> = {},
  journalOptions: TestJournalOptions = {},
): Promise<Run> {
  const journal = await openTestJournal(journalOptions);
  const writer = createTestWriter(journal.reader, () => clickhouse, config);
  writer.useIndexSets(testSnapshot(1));
  return { journal, writer, done: pump(journal.reader, writer, routeByText) };
}

async function everythingStored({ journal, writer }: Run): Promise<void> {
  await eventually(() => expect(journal.stats().uncommittedRecords).toBe(0));
  expect(writer.crashes).toEqual([]);
}

async function stop({ journal, writer, done }: Run): Promise<void> {
  await writer.stop();
  await journal.close();
  await done;
}

/** Message texts in a table, in the order in which they were stored. */
function textsIn(clickhouse: SimulatedClickHouse, table = DEFAULT_TABLE): string[] {
  const rows = clickhouse.rows.filter((row) => row.table === table);
  return rows.map((row) => row.text.split('\x1f')[0] ?? '');
}

function names(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
}

/** An engine that refuses some messages for a reason that says nothing about them; counts how often. */
function refusingStrange(): { clickhouse: SimulatedClickHouse; refusals: Map<string, number> } {
  const clickhouse = new SimulatedClickHouse(TABLES);
  const refusals = new Map<string, number>();
  clickhouse.fault = ({ block }) => {
    const name = /strange_[a-z]-\d+/.exec(Buffer.from(block).toString('latin1'))?.[0];
    if (name === undefined) return undefined;
    refusals.set(name, (refusals.get(name) ?? 0) + 1);
    return 'refused';
  };
  return { clickhouse, refusals };
}

test('a message refused for a reason that says nothing about it waits until another is accepted, whenever that is', async () => {
  const { clickhouse } = refusingStrange();
  const run = await start(clickhouse, { firstRetryMs: 30, maxRetryMs: 30 });
  await appendSettled(run.journal, ['strange_a-1']);
  await eventually(() => expect(run.writer.trouble).toBe('simulated: refused'));
  expect(textsIn(clickhouse, FAILURE_TABLE)).toEqual([]);
  // One is enough, also if it is accepted while the refused one waits for its next attempt.
  await appendSettled(run.journal, ['a-2']);
  await everythingStored(run);
  expect(textsIn(clickhouse)).toEqual(['a-2']);
  expect(textsIn(clickhouse, FAILURE_TABLE)).toEqual([REFUSED]);
  expect(run.writer.trouble).toBeUndefined();
  await stop(run);
});

test('refused messages do not keep away the others they wait for', async () => {
  const { clickhouse, refusals } = refusingStrange();
  const run = await start(clickhouse, { maxInFlight: 2, maxAgeBesideMs: HOUR_MS });
  for (const name of ['strange_a-1', 'strange_a-2']) {
    await appendSettled(run.journal, [name]);
    // More often than in a first search for the message to blame.
    await eventually(() => expect(refusals.get(name) ?? 0).toBeGreaterThan(2));
  }
  await appendSettled(run.journal, ['a-3']);
  await everythingStored(run);
  expect(textsIn(clickhouse)).toEqual(['a-3']);
  expect(textsIn(clickhouse, FAILURE_TABLE)).toEqual([REFUSED, REFUSED]);
  await stop(run);
});

test('a refused message of an earlier run does not keep away the others it waits for', async () => {
  const { clickhouse, refusals } = refusingStrange();
  const disk = new SimulatedDisk();
  const first = await start(clickhouse, { stopGraceMs: 1 }, { disk });
  await appendSettled(first.journal, ['strange_a-1']);
  await eventually(() => expect(refusals.get('strange_a-1') ?? 0).toBeGreaterThan(2));
  await stop(first);
  refusals.clear();
  const second = await start(clickhouse, { maxAgeBesideMs: HOUR_MS }, { disk });
  await eventually(() => expect(refusals.get('strange_a-1') ?? 0).toBeGreaterThan(2));
  expect(textsIn(clickhouse, FAILURE_TABLE)).toEqual([]);
  await appendSettled(second.journal, ['a-2']);
  await everythingStored(second);
  expect(textsIn(clickhouse)).toEqual(['a-2']);
  expect(textsIn(clickhouse, FAILURE_TABLE)).toEqual([REFUSED]);
  await stop(second);
});

test('messages that come before the index sets are known do not stay in their frames', async () => {
  const clickhouse = new SimulatedClickHouse(TABLES);
  const journal = await openTestJournal();
  const writer = createTestWriter(journal.reader, () => clickhouse);
  expect(await journal.reader.nextReplay()).toBeUndefined();
  await appendSettled(journal, ['a-1']);
  const records = journal.reader.read();
  if (records === undefined) throw new Error('nothing to read');
  const { targets, messages, ...batch } = routedBatch([records], routeByText);
  let isOver = false;
  const read = <T>(value: T): T => {
    if (isOver) throw new Error('the frame is gone');
    return value;
  };
  const [decoded] = messages;
  if (decoded === undefined) throw new Error('no message');
  const frames = { text: () => read('a-1'), fullText: () => read(undefined), values: () => read(['x']) };
  const framed = Message.inFrame(frames as unknown as MessageFrames, 0, { ...decoded, gelfFrame: 0 });
  framed.id = decoded.id;
  const wait = writer.write({ ...batch, targets, messages: [framed] });
  isOver = true;
  records.release();
  writer.useIndexSets(testSnapshot(1));
  await wait;
  await eventually(() => expect(textsIn(clickhouse)).toEqual(['a-1']));
  await writer.stop();
  await journal.close();
});

test('however many batches are stored behind one that waits, the writer goes on', async () => {
  const clickhouse = new SimulatedClickHouse(TABLES);
  const run = await start(clickhouse);
  clickhouse.fault = ({ table }) => (table === OTHER_TABLE ? 'unreachable' : undefined);
  await appendSettled(run.journal, ['b-0']);
  await eventually(() => expect(run.writer.trouble).toBe('simulated: not reachable'));
  const texts = names('a', 40);
  for (const [index, text] of texts.entries()) {
    await appendSettled(run.journal, [text]);
    // As many batches as the journal can have under way at once are stored one by one.
    if (index < 15) await eventually(() => expect(textsIn(clickhouse)).toContain(text));
  }
  await eventually(() => expect(run.journal.stats().readRecords).toBeGreaterThan(16));
  expect(run.journal.stats().committedRecords).toBe(0);
  clickhouse.fault = () => undefined;
  await everythingStored(run);
  expect(textsIn(clickhouse)).toEqual(texts);
  expect(textsIn(clickhouse, OTHER_TABLE)).toEqual(['b-0']);
  await stop(run);
});

test('messages that the journal dropped while they waited in memory do not end the writer', async () => {
  const clickhouse = new SimulatedClickHouse(TABLES);
  const run = await start(
    clickhouse,
    { maxRows: 5 },
    { budget: localByteBudget(20_000), config: { fullPolicy: 'drop_oldest' } },
  );
  clickhouse.fault = () => 'unreachable';
  // Two batches are in flight and a third is full when the journal begins to drop their records.
  for (let index = 0; index < 3; index += 1) await appendSettled(run.journal, names(`a${index}`, 5));
  await eventually(() => expect(run.journal.stats().readRecords).toBe(15));
  const text = 'x'.repeat(500);
  while (run.journal.reader.committedOffset < 20)
    await appendSettled(run.journal, [`a-${text}`]).catch(() => {});
  clickhouse.fault = () => undefined;
  await everythingStored(run);
  const waited = textsIn(clickhouse).filter((stored) => !stored.includes(text));
  expect(waited.sort()).toEqual(names('a0', 5).concat(names('a1', 5), names('a2', 5)));
  await stop(run);
});
