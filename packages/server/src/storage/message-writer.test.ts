import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEFAULT_STREAM_ID, type RecordBatch } from '#core/index.ts';
import { assertComponentTelemetry } from '#testing/component-telemetry.ts';
import { eventually } from '#testing/eventually.ts';
import { appendSettled, openTestJournal, type TestJournal } from '#testing/journal-fixture.ts';
import { type InsertFault, SimulatedClickHouse } from '#testing/simulated-clickhouse.ts';
import { SimulatedDisk } from '#testing/simulated-disk.ts';
import {
  createTestWriter,
  DEFAULT_SET,
  FAILURE_SET,
  OTHER_SET,
  pump,
  type Route,
  routeByText,
  routedBatch,
  type TestWriter,
  testSnapshot,
} from '#testing/writer-fixture.ts';
import type { MessageWriterConfig } from './message-writer.ts';

const TABLES = [DEFAULT_SET, OTHER_SET, FAILURE_SET].map((id) => `table_${id}`);
const [DEFAULT_TABLE, OTHER_TABLE, FAILURE_TABLE] = TABLES;
const COMPONENT = { kind: 'storage', type: 'clickhouse', id: 'clickhouse' } as const;

interface Run {
  readonly journal: TestJournal;
  readonly writer: TestWriter;
  readonly done: Promise<void>;
}

async function start(
  clickhouse: SimulatedClickHouse,
  options: { disk?: SimulatedDisk; route?: Route; config?: Partial<MessageWriterConfig> } = {},
): Promise<Run> {
  const journal = await openTestJournal(options.disk ? { disk: options.disk } : {});
  const writer = createTestWriter(journal.reader, () => clickhouse, options.config);
  writer.useIndexSets(testSnapshot(1));
  return { journal, writer, done: pump(journal.reader, writer, options.route ?? routeByText) };
}

async function everythingStored({ journal }: Run): Promise<void> {
  await eventually(() => expect(journal.stats().uncommittedRecords).toBe(0));
}

async function stop({ journal, writer, done }: Run): Promise<void> {
  await writer.stop();
  await journal.close();
  await done;
}

/** Message texts in a table, sorted: the first line of the text column. */
function textsIn(clickhouse: SimulatedClickHouse, table = DEFAULT_TABLE): string[] {
  return clickhouse.rows
    .filter((row) => row.table === table)
    .map((row) => row.text.split('\x1f')[0] ?? '')
    .sort();
}

function numbered(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}-${String(index).padStart(4, '0')}`);
}

describe('the message writer', () => {
  test('stores every message in each of its index sets and commits the journal', async () => {
    const clickhouse = new SimulatedClickHouse(TABLES);
    const run = await start(clickhouse);
    await appendSettled(run.journal, [...numbered('a', 30), ...numbered('ab', 20)]);
    await everythingStored(run);
    expect(textsIn(clickhouse)).toEqual([...numbered('a', 30), ...numbered('ab', 20)].sort());
    expect(textsIn(clickhouse, OTHER_TABLE)).toEqual(numbered('ab', 20));
    const ids = (table = '') => clickhouse.rows.filter((row) => row.table === table).map((row) => row.id);
    expect(ids(DEFAULT_TABLE)).toEqual(expect.arrayContaining(ids(OTHER_TABLE)));
    expect(run.writer.newFields).toEqual([
      { indexSetId: DEFAULT_SET, name: 'text', type: 'string', streamIds: [DEFAULT_STREAM_ID] },
      { indexSetId: OTHER_SET, name: 'text', type: 'string', streamIds: [DEFAULT_STREAM_ID] },
    ]);
    assertComponentTelemetry(run.writer.metrics, COMPONENT, {
      received: { events: 50 },
      sent: { events: 50 },
    });
    await stop(run);
  });

  test('writes into the active index, from the next batch on after a rotation', async () => {
    const clickhouse = new SimulatedClickHouse(TABLES);
    const run = await start(clickhouse);
    await appendSettled(run.journal, ['a-1']);
    await everythingStored(run);
    run.writer.useIndexSets(testSnapshot(2, { [DEFAULT_SET]: 1 }));
    run.writer.useIndexSets(testSnapshot(1));
    await appendSettled(run.journal, ['a-2']);
    await everythingStored(run);
    expect(clickhouse.rows.map(({ indexNumber }) => indexNumber)).toEqual([0, 1]);
    await stop(run);
  });

  test('tries again for as long as it takes, and says why', async () => {
    const clickhouse = new SimulatedClickHouse(TABLES);
    const run = await start(clickhouse);
    clickhouse.fault = () => 'unreachable';
    await appendSettled(run.journal, numbered('ab', 10));
    await eventually(() => expect(clickhouse.inserts).toBeGreaterThan(6));
    expect(run.writer.trouble).toBe('simulated: not reachable');
    expect(run.journal.stats().uncommittedRecords).toBe(10);
    clickhouse.fault = () => undefined;
    await everythingStored(run);
    expect(run.writer.trouble).toBeUndefined();
    expect(textsIn(clickhouse)).toEqual(numbered('ab', 10));
    await stop(run);
  });

  test('a lost answer does not lead to a second copy', async () => {
    const clickhouse = new SimulatedClickHouse(TABLES);
    const run = await start(clickhouse);
    const faults: (InsertFault | undefined)[] = ['lost-answer', 'unreachable', 'lost-answer', 'lost-answer'];
    clickhouse.fault = () => faults.shift();
    await appendSettled(run.journal, numbered('ab', 10));
    await everythingStored(run);
    expect(textsIn(clickhouse)).toEqual(numbered('ab', 10));
    expect(textsIn(clickhouse, OTHER_TABLE)).toEqual(numbered('ab', 10));
    await stop(run);
  });

  test.each<[string, InsertFault]>([
    ['an engine killed between the record of the token and the new part', 'phantom'],
    ['an engine that stored the rows and not their token', 'forgotten'],
    ['a connection lost in the middle of a block', 'partial'],
    ['an answer that was lost', 'lost-answer'],
  ])('%s neither loses nor doubles a message', async (_, fault) => {
    const clickhouse = new SimulatedClickHouse(TABLES);
    const run = await start(clickhouse);
    const faults = [fault, 'unreachable', fault, undefined, fault] as const;
    let next = 0;
    clickhouse.fault = () => faults[next++];
    await appendSettled(run.journal, numbered('ab', 10));
    await everythingStored(run);
    expect(textsIn(clickhouse)).toEqual(numbered('ab', 10));
    expect(textsIn(clickhouse, OTHER_TABLE)).toEqual(numbered('ab', 10));
    await stop(run);
  });

  test('a failing disk is not blamed on messages, even when it fails in the middle of a search for bad ones', async () => {
    const clickhouse = new SimulatedClickHouse(TABLES);
    const run = await start(clickhouse);
    let inserts = 0;
    // The halves of the block are tried one by one; the disk fails after the first of them.
    clickhouse.fault = () => (++inserts > 3 ? 'disk' : undefined);
    await appendSettled(run.journal, [...numbered('a', 20), 'poison-1', ...numbered('aa', 20)]);
    await eventually(() => expect(inserts).toBeGreaterThan(200));
    await eventually(() => expect(run.writer.trouble).toBe('simulated: the disk fails'));
    expect(textsIn(clickhouse, FAILURE_TABLE)).toEqual([]);
    expect(run.journal.stats().uncommittedRecords).toBe(41);
    clickhouse.fault = () => undefined;
    await everythingStored(run);
    expect(textsIn(clickhouse)).toEqual([...numbered('a', 20), ...numbered('aa', 20)].sort());
    expect(textsIn(clickhouse, FAILURE_TABLE)).toHaveLength(1);
    await stop(run);
  });

  test.each<[string, readonly (InsertFault | undefined)[]]>([
    // The block, its halves, then what decides: a probe row, the refused row again, a probe row.
    ['before', ['disk', undefined, 'disk', 'disk', undefined]],
    ['after', ['disk', undefined, 'disk', undefined, 'disk', 'disk']],
  ])('a disk that fails right %s a message is refused again is not blamed on it', async (_, script) => {
    const clickhouse = new SimulatedClickHouse(TABLES);
    const run = await start(clickhouse);
    const faults = [...script];
    clickhouse.fault = () => faults.shift();
    await appendSettled(run.journal, ['a-1', 'a-2']);
    await everythingStored(run);
    expect(textsIn(clickhouse)).toEqual(['a-1', 'a-2']);
    expect(textsIn(clickhouse, FAILURE_TABLE)).toEqual([]);
    await stop(run);
  });

  test('a token that was recorded for nothing is not trusted by a later attempt either', async () => {
    const clickhouse = new SimulatedClickHouse(TABLES);
    const run = await start(clickhouse);
    // The block is refused after the phantom, and so are its halves; then the whole block is tried again.
    const faults: InsertFault[] = ['phantom', ...Array<InsertFault>(7).fill('disk')];
    clickhouse.fault = () => faults.shift();
    await appendSettled(run.journal, numbered('a', 4));
    await everythingStored(run);
    expect(textsIn(clickhouse)).toEqual(numbered('a', 4));
    await stop(run);
  });

  test('a batch the engine has no memory for is split', async () => {
    const clickhouse = new SimulatedClickHouse(TABLES);
    clickhouse.maxRows = 3;
    const run = await start(clickhouse);
    await appendSettled(run.journal, numbered('ab', 40));
    await everythingStored(run);
    expect(textsIn(clickhouse)).toEqual(numbered('ab', 40));
    expect(textsIn(clickhouse, OTHER_TABLE)).toEqual(numbered('ab', 40));
    await stop(run);
  });

  test('a bug in the program ends the worker', async () => {
    const clickhouse = new SimulatedClickHouse(TABLES);
    const run = await start(clickhouse);
    const fault = new TypeError('a bug');
    run.journal.reader.commitBatch = () => {
      throw fault;
    };
    await appendSettled(run.journal, ['a-1']);
    await eventually(() => expect(run.writer.crashes).toEqual([fault]));
    await stop(run);
  });

  test('a message that is refused becomes a failure, the others of its batch are stored', async () => {
    const clickhouse = new SimulatedClickHouse(TABLES);
    const run = await start(clickhouse);
    const good = numbered('a', 40);
    await appendSettled(run.journal, [...good.slice(0, 13), 'poison-1', ...good.slice(13), 'poison-2']);
    await everythingStored(run);
    expect(textsIn(clickhouse)).toEqual(good);
    expect(textsIn(clickhouse, FAILURE_TABLE)).toEqual(
      Array(2).fill('failed: simulated: a row cannot be stored'),
    );
    const raw = clickhouse.rows
      .filter((row) => row.table === FAILURE_TABLE)
      .map((row) => JSON.parse(Buffer.from(row.text.split('\x1f')[2] ?? '', 'base64').toString()));
    expect(raw).toMatchObject([
      { short_message: 'poison-1', _text: 'poison-1', version: '1.1' },
      { short_message: 'poison-2', host: 'host-1', level: 6 },
    ]);
    assertComponentTelemetry(run.writer.metrics, COMPONENT, {
      received: { events: 42 },
      sent: { events: 42 },
      errors: { 'refused.insert': 2 },
    });
    await stop(run);
  });

  test('a table that is created between a refusal and the probe causes no failure', async () => {
    const clickhouse = new SimulatedClickHouse(TABLES);
    const faults: InsertFault[] = ['refused'];
    clickhouse.fault = () => faults.shift();
    const run = await start(clickhouse);
    await appendSettled(run.journal, ['a-1']);
    await everythingStored(run);
    expect(textsIn(clickhouse)).toEqual(['a-1']);
    expect(textsIn(clickhouse, FAILURE_TABLE)).toEqual([]);
    await stop(run);
  });

  test('a table that is missing or refuses everything causes no failures: messages wait', async () => {
    const clickhouse = new SimulatedClickHouse([FAILURE_TABLE ?? '']);
    const run = await start(clickhouse);
    await appendSettled(run.journal, numbered('a', 5));
    await eventually(() => expect(clickhouse.inserts).toBeGreaterThan(6));
    expect(run.writer.trouble).toContain('no table');
    clickhouse.tables.add(DEFAULT_TABLE ?? '');
    await everythingStored(run);
    expect(textsIn(clickhouse)).toEqual(numbered('a', 5));
    expect(textsIn(clickhouse, FAILURE_TABLE)).toEqual([]);
    await stop(run);
  });

  test('while storage is down, messages are accepted until the batches are full', async () => {
    const journal = await openTestJournal();
    let clickhouse: SimulatedClickHouse | undefined;
    const writer = createTestWriter(journal.reader, () => clickhouse, { maxRows: 15 });
    writer.useIndexSets(testSnapshot(1));
    const write = async (texts: readonly string[]) => {
      await appendSettled(journal, texts);
      // What was appended together may have to be read in several pieces.
      const records: RecordBatch[] = [];
      for (let read = journal.reader.read(); read !== undefined; read = journal.reader.read())
        records.push(read);
      return { room: writer.write(routedBatch(records, routeByText)) };
    };
    // Two batches on their way, and one that grows.
    for (const name of ['aa', 'aaa']) expect((await write(numbered(name, 15))).room).toBeUndefined();
    for (const name of ['a1', 'a2']) expect((await write(numbered(name, 5))).room).toBeUndefined();
    const { room } = await write(numbered('a3', 5));
    expect(room).toBeInstanceOf(Promise);
    clickhouse = new SimulatedClickHouse(TABLES);
    await room;
    await eventually(() => expect(journal.stats().uncommittedRecords).toBe(0));
    expect(textsIn(clickhouse)).toHaveLength(45);
    await writer.stop();
    await journal.close();
  });

  test('accepts no more than its batches in flight and one pending batch', async () => {
    const clickhouse = new SimulatedClickHouse(TABLES);
    const run = await start(clickhouse, { config: { maxRows: 10, maxInFlight: 2 } });
    clickhouse.isHeld = true;
    for (let round = 0; round < 30; round++) await appendSettled(run.journal, numbered(`a${round}`, 10));
    await eventually(() => expect(clickhouse.inserts).toBe(2));
    const { readRecords } = run.journal.stats();
    expect(readRecords).toBeLessThan(200);
    clickhouse.release();
    await everythingStored(run);
    expect(textsIn(clickhouse)).toHaveLength(300);
    await stop(run);
  });

  test('nothing is written before the index sets and the engine are available', async () => {
    const clickhouse = new SimulatedClickHouse(TABLES);
    let engine: SimulatedClickHouse | undefined;
    const journal = await openTestJournal();
    const writer = createTestWriter(journal.reader, () => engine);
    const run: Run = { journal, writer, done: pump(journal.reader, writer, routeByText) };
    await appendSettled(journal, ['a-1']);
    writer.useIndexSets(testSnapshot(1));
    await eventually(() => expect(writer.trouble).toContain('not started'));
    engine = clickhouse;
    await everythingStored(run);
    expect(textsIn(clickhouse)).toEqual(['a-1']);
    await stop(run);
  });

  test('stop sends what is pending; if the engine is down it still ends and nothing is lost', async () => {
    const clickhouse = new SimulatedClickHouse(TABLES);
    const disk = new SimulatedDisk();
    const first = await start(clickhouse, { disk, config: { maxAgeMs: 60_000 } });
    await appendSettled(first.journal, ['a-1']);
    await eventually(() => expect(first.journal.stats().readRecords).toBe(1));
    await stop(first);
    expect(textsIn(clickhouse)).toEqual(['a-1']);

    const second = await start(clickhouse, { disk, config: { stopGraceMs: 5 } });
    clickhouse.fault = () => 'unreachable';
    await appendSettled(second.journal, ['a-2']);
    await eventually(() => expect(second.writer.trouble).toBeDefined());
    await stop(second);
    clickhouse.fault = () => undefined;
    const third = await start(clickhouse, { disk });
    await everythingStored(third);
    expect(textsIn(clickhouse)).toEqual(['a-1', 'a-2']);
    await stop(third);
  });
});

describe('after a crash', () => {
  /** Stores a batch in every way a crash can leave it, then lets a second run finish it. */
  async function crashed(options: {
    fault: (insert: number) => InsertFault | undefined;
    texts: string[];
    laterRoute?: Route;
    rotate?: boolean;
  }): Promise<SimulatedClickHouse> {
    const clickhouse = new SimulatedClickHouse(TABLES);
    const disk = new SimulatedDisk();
    const first = await start(clickhouse, { disk });
    let inserts = 0;
    clickhouse.fault = () => options.fault(++inserts);
    // Or it would find out by itself what is stored.
    clickhouse.answersQueries = false;
    await appendSettled(first.journal, options.texts);
    await eventually(() => expect(first.writer.trouble).toBeDefined());
    disk.cutPower();
    // The dead run must not go on beside the living one.
    clickhouse.fault = () => 'unreachable';
    await first.writer.stop();
    clickhouse.fault = () => undefined;
    clickhouse.answersQueries = true;
    const journal = await openTestJournal({ disk });
    const writer = createTestWriter(journal.reader, () => clickhouse);
    writer.useIndexSets(
      options.rotate ? testSnapshot(2, { [DEFAULT_SET]: 1, [OTHER_SET]: 1 }) : testSnapshot(1),
    );
    const second = { journal, writer, done: pump(journal.reader, writer, options.laterRoute ?? routeByText) };
    await everythingStored(second);
    await stop(second);
    return clickhouse;
  }

  const stored = () => 'lost-answer' as const;
  const firstOnly = (insert: number) => (insert === 1 ? ('lost-answer' as const) : ('unreachable' as const));

  test.each([
    ['stored everywhere', stored],
    ['stored in one table', firstOnly],
    ['stored nowhere', () => 'unreachable' as const],
  ])('a batch that was %s is there once', async (_, fault) => {
    const texts = numbered('ab', 6);
    for (const rotate of [false, true]) {
      const clickhouse = await crashed({ fault, texts, rotate });
      expect(textsIn(clickhouse)).toEqual(texts);
      expect(textsIn(clickhouse, OTHER_TABLE)).toEqual(texts);
      expect(new Set(clickhouse.rows.map((row) => row.indexNumber))).toEqual(new Set([0]));
    }
  });

  test('rules that changed in the meantime neither lose nor duplicate a message', async () => {
    const texts = [...numbered('a', 3), ...numbered('b', 3)];
    const swapped: Route = (text) => routeByText(text.includes('a') ? 'b' : 'a');
    const both: Route = () => routeByText('ab');
    for (const fault of [stored, firstOnly]) {
      for (const laterRoute of [swapped, both]) {
        const clickhouse = await crashed({ fault, texts, laterRoute });
        for (const text of texts) {
          const copies = clickhouse.rows.filter((row) => row.text.startsWith(text)).map((row) => row.table);
          expect(copies.length).toBeGreaterThan(0);
          expect(new Set(copies).size, text).toBe(copies.length);
        }
      }
    }
  });
});

test('whatever happens, every acknowledged message is stored exactly once in each index set', async () => {
  const fault = fc.constantFrom<InsertFault | undefined>(
    undefined,
    undefined,
    'unreachable',
    'lost-answer',
    'phantom',
    'forgotten',
    'partial',
    'memory',
    'disk',
  );
  const action = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ kind: fc.constant('append'), count: fc.integer({ min: 1, max: 12 }) }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('faults'), faults: fc.array(fault) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('rotate') }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('kill') }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('settle') }) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 3, maxLength: 25 }), async (actions) => {
      const clickhouse = new SimulatedClickHouse(TABLES);
      const disk = new SimulatedDisk();
      const acknowledged: string[] = [];
      let snapshot = testSnapshot(1);
      let faults: (InsertFault | undefined)[] = [];
      const config = { stopGraceMs: 1 };
      let run = await start(clickhouse, { disk, config });
      clickhouse.fault = () => faults.shift();
      let sent = 0;
      for (const step of actions) {
        if (step.kind === 'append' && 'count' in step) {
          const texts = Array.from({ length: step.count }, () => {
            sent += 1;
            return `${['a', 'b', 'ab', 'poison_a'][sent % (sent % 7 === 0 ? 4 : 3)]}-${sent}`;
          });
          if (await appendSettled(run.journal, texts)) acknowledged.push(...texts);
        } else if (step.kind === 'faults' && 'faults' in step) faults = [...step.faults];
        else if (step.kind === 'rotate') {
          const version = snapshot.version + 1;
          snapshot = {
            ...snapshot,
            revision: version,
            version,
            indexSets: snapshot.indexSets.map((set) => ({
              ...set,
              indices: [...set.indices, { number: set.indices.length, version }],
            })),
          };
          run.writer.useIndexSets(snapshot);
        } else if (step.kind === 'kill') {
          disk.cutPower();
          clickhouse.fault = () => 'unreachable';
          run.done.catch(() => {});
          await run.writer.stop();
          clickhouse.fault = () => faults.shift();
          run = await start(clickhouse, { disk, config });
          run.writer.useIndexSets(snapshot);
        } else await new Promise((resolve) => setImmediate(resolve));
      }
      faults = [];
      await everythingStored(run);
      await stop(run);
      for (const text of acknowledged) {
        const target = routeByText(text.split('-')[0] ?? '').indexSetIds.map((id) => `table_${id}`);
        const copies = clickhouse.rows
          .filter((row) => row.text.split('\x1f')[0] === text)
          .map((row) => row.table);
        const expected = text.startsWith('poison') ? [] : target;
        expect(copies.sort(), text).toEqual([...expected].sort());
      }
      const poisoned = acknowledged.filter((text) => text.startsWith('poison'));
      expect(textsIn(clickhouse, FAILURE_TABLE)).toHaveLength(poisoned.length);
    }),
    { numRuns: 40 },
  );
}, 120_000);
