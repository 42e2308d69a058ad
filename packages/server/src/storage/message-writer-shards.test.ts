import { expect, test } from 'vitest';
import { eventually } from '#testing/eventually.ts';
import { appendSettled, openTestJournal, type TestJournal } from '#testing/journal-fixture.ts';
import { type InsertFault, SimulatedClickHouse, simulatedShards } from '#testing/simulated-clickhouse.ts';
import { SimulatedDisk } from '#testing/simulated-disk.ts';
import {
  createTestWriter,
  DEFAULT_SET,
  FAILURE_SET,
  OTHER_SET,
  pump,
  routeByText,
  type TestWriter,
  testSnapshot,
} from '#testing/writer-fixture.ts';
import type { MessageWriterConfig } from './message-writer.ts';

/** With several servers, a batch goes whole to one of them, which alone knows what became of it. */

const TABLES = [DEFAULT_SET, OTHER_SET, FAILURE_SET].map((id) => `table_${id}`);

interface Run {
  readonly journal: TestJournal;
  readonly writer: TestWriter;
  readonly done: Promise<void>;
}

function twoShards(): [SimulatedClickHouse, SimulatedClickHouse] {
  return [new SimulatedClickHouse(TABLES, 'http://one'), new SimulatedClickHouse(TABLES, 'http://two')];
}

async function start(
  shards: readonly SimulatedClickHouse[],
  options: { disk?: SimulatedDisk; config?: Partial<MessageWriterConfig> } = {},
): Promise<Run> {
  const journal = await openTestJournal(options.disk ? { disk: options.disk } : {});
  const clickhouse = simulatedShards(shards);
  const writer = createTestWriter(journal.reader, () => clickhouse, options.config);
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

function textsOf({ rows }: SimulatedClickHouse): string[] {
  return rows.map(({ text }) => text.split('\x1f')[0] ?? '');
}

/** Appends batches one by one until every shard has stored some, and returns their texts. */
async function untilBothHaveSome(run: Run, shards: readonly SimulatedClickHouse[]): Promise<string[]> {
  const texts: string[] = [];
  while (shards.some(({ rows }) => rows.length === 0)) {
    const text = `a-${texts.length}`;
    texts.push(text);
    await appendSettled(run.journal, [text]);
    await everythingStored(run);
  }
  return texts;
}

test('each batch is on one server, and all servers get some', async () => {
  const shards = twoShards();
  const run = await start(shards);
  const texts = await untilBothHaveSome(run, shards);
  expect(shards.flatMap(textsOf).sort()).toEqual(texts.sort());
  await stop(run);
});

test.each<InsertFault>(['lost-answer', 'partial', 'phantom', 'unreachable'])(
  'a batch that met "%s" is sent to the same server again',
  async (fault) => {
    const shards = twoShards();
    const run = await start(shards);
    const faults: InsertFault[] = [fault, fault, fault];
    for (const shard of shards) shard.fault = () => faults.shift();
    await appendSettled(run.journal, ['a-1', 'a-2', 'a-3']);
    await everythingStored(run);
    // What is found stored is not sent again, so it does not meet all of them.
    expect(faults.length).toBeLessThan(3);
    expect(shards.map(({ rows }) => rows.length).sort()).toEqual([0, 3]);
    expect(shards.flatMap(textsOf).sort()).toEqual(['a-1', 'a-2', 'a-3']);
    await stop(run);
  },
);

test('a batch that a killed node was sending goes to the same server after the restart', async () => {
  const shards = twoShards();
  const disk = new SimulatedDisk();
  const first = await start(shards, { disk });
  for (const shard of shards) shard.fault = () => 'lost-answer';
  await appendSettled(first.journal, ['a-1', 'a-2']);
  await eventually(() => expect(shards.flatMap(textsOf)).toHaveLength(2));
  const [holder] = shards.filter(({ rows }) => rows.length > 0);
  disk.cutPower();
  // The dead run must not go on beside the living one.
  for (const shard of shards) shard.fault = () => 'unreachable';
  await first.writer.stop();

  for (const shard of shards) shard.fault = () => undefined;
  const second = await start(shards, { disk });
  await everythingStored(second);
  expect(holder === undefined ? [] : textsOf(holder).sort()).toEqual(['a-1', 'a-2']);
  expect(shards.flatMap(textsOf)).toHaveLength(2);
  await stop(second);
});

/**
 * Appends batches one by one until a server has stored this many more, and adds their texts to `texts`. The other server
 * keeps what it is sent waiting.
 */
async function untilStored(
  run: Run,
  texts: string[],
  to: { shard: SimulatedClickHouse; more: number; waiting: SimulatedClickHouse },
): Promise<void> {
  const enough = to.shard.rows.length + to.more;
  while (to.shard.rows.length < enough) {
    const { inserts } = to.waiting;
    const text = `a-${texts.length}`;
    texts.push(text);
    await appendSettled(run.journal, [text]);
    await eventually(() =>
      expect(textsOf(to.shard).includes(text) || to.waiting.inserts > inserts).toBe(true),
    );
  }
}

/** Appends messages until the server has been sent a batch, which it does not store. */
async function untilOneWaits(run: Run, texts: string[], away: SimulatedClickHouse): Promise<void> {
  while (away.inserts === 0) {
    const text = `a-${texts.length}`;
    texts.push(text);
    await appendSettled(run.journal, [text]);
    await eventually(() =>
      expect(run.journal.stats().uncommittedRecords === 0 || away.inserts > 0).toBe(true),
    );
  }
}

test('while a server is away, what it was sent waits, and the rest goes to the other one', async () => {
  const shards = twoShards();
  const [away, other] = shards;
  const run = await start(shards);
  away.fault = () => 'unreachable';
  const texts: string[] = [];
  await untilOneWaits(run, texts, away);
  away.answersPings = false;
  await untilStored(run, texts, { shard: other, more: 6, waiting: away });
  expect(textsOf(away)).toEqual([]);
  expect(run.journal.stats().uncommittedRecords).toBeGreaterThan(0);
  expect(run.writer.trouble).toBeUndefined();

  away.fault = () => undefined;
  away.answersPings = true;
  await everythingStored(run);
  expect(textsOf(away)).not.toEqual([]);
  expect(shards.flatMap(textsOf).sort()).toEqual(texts.sort());
  await stop(run);
});

test('a server that hangs is away, too: the rest does not wait for its answer', async () => {
  const shards = twoShards();
  const [hung, other] = shards;
  const run = await start(shards, { config: { slowAfterMs: 1 } });
  hung.isHeld = true;
  const texts: string[] = [];
  await untilOneWaits(run, texts, hung);
  hung.answersPings = false;
  // More than may be in flight at once.
  await untilStored(run, texts, { shard: other, more: 6, waiting: hung });
  expect(textsOf(hung)).toEqual([]);

  hung.answersPings = true;
  hung.release();
  await everythingStored(run);
  expect(shards.flatMap(textsOf).sort()).toEqual(texts.sort());
  await stop(run);
});

test('a server that is away when a batch begins gets none', async () => {
  const shards = twoShards();
  const [away, other] = shards;
  const run = await start(shards);
  away.fault = () => 'unreachable';
  away.answersPings = false;
  for (let sent = 0; sent < 20; sent++) {
    await appendSettled(run.journal, [`a-${sent}`]);
    await everythingStored(run);
  }
  expect(away.inserts).toBe(0);
  expect(textsOf(other)).toHaveLength(20);
  await stop(run);
});

test.each<InsertFault>(['full', 'unreachable'])(
  'a server that answers and meets "%s" gets one batch, and the rest goes to the other one',
  async (fault) => {
    const shards = twoShards();
    const [failing, other] = shards;
    const run = await start(shards);
    failing.fault = () => fault;
    const texts: string[] = [];
    await untilOneWaits(run, texts, failing);
    await untilStored(run, texts, { shard: other, more: 6, waiting: failing });
    expect(new Set(failing.tokens).size).toBe(1);
    expect(run.writer.trouble).toBeUndefined();

    failing.fault = () => undefined;
    await everythingStored(run);
    expect(shards.flatMap(textsOf).sort()).toEqual(texts.sort());
    await stop(run);
  },
);

test('a server that has lost its tables holds up nobody else', async () => {
  const shards = twoShards();
  const [empty, other] = shards;
  const run = await start(shards);
  empty.tables.clear();
  const texts: string[] = [];
  await untilOneWaits(run, texts, empty);
  await untilStored(run, texts, { shard: other, more: 6, waiting: empty });

  for (const table of TABLES) empty.tables.add(table);
  await everythingStored(run);
  expect(shards.flatMap(textsOf).sort()).toEqual(texts.sort());
  await stop(run);
});

test('behind a batch that waits, few messages make few batches, so that the journal has room for long', async () => {
  const shards = twoShards();
  const [away, other] = shards;
  const startedAt = performance.now();
  const run = await start(shards, { config: { maxAgeMs: 1, maxAgeBehindMs: 86_400_000 } });
  away.fault = () => 'unreachable';
  const texts: string[] = [];
  await untilOneWaits(run, texts, away);
  const before = other.inserts;
  for (let sent = 0; sent < 500; sent++) {
    const text = `a-${texts.length}`;
    texts.push(text);
    await appendSettled(run.journal, [text]);
  }
  // Each behind it took twice as long as the one before; two may have begun before anybody knew that it waits.
  const most = 2 + Math.log2(performance.now() - startedAt + 2);
  expect(other.inserts - before).toBeLessThanOrEqual(most);

  away.fault = () => undefined;
  await everythingStored(run);
  expect(shards.flatMap(textsOf).sort()).toEqual(texts.sort());
  await stop(run);
});

test('says that nothing is stored when the journal has no room behind a batch that waits', async () => {
  const shards = twoShards();
  const [away] = shards;
  // Every message is a batch.
  const run = await start(shards, { config: { maxRows: 1, slowAfterMs: 1 } });
  away.fault = () => 'unreachable';
  const texts: string[] = [];
  await untilOneWaits(run, texts, away);
  for (let sent = 0; sent < 40; sent++) {
    const text = `a-${texts.length}`;
    texts.push(text);
    await appendSettled(run.journal, [text]);
  }
  await eventually(() => expect(run.writer.trouble).toContain('before ClickHouse at http://one has stored'));

  away.fault = () => undefined;
  await everythingStored(run);
  expect(run.writer.trouble).toBeUndefined();
  expect(shards.flatMap(textsOf).sort()).toEqual(texts.sort());
  await stop(run);
});
