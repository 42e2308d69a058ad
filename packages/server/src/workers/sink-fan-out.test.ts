import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ObserverSink, OutputSink, RoutedBatch, RoutingTarget, StorageSink } from '#core/index.ts';
import { createLogger } from '#telemetry/index.ts';
import { eventually } from '#testing/eventually.ts';
import { appendSettled, openTestJournal, type TestJournal } from '#testing/journal-fixture.ts';
import { testMessage, testMessageId, testTarget } from '#testing/messages.ts';
import { outputSinkContract } from '#testing/output-sink-suite.ts';
import { SimulatedClickHouse } from '#testing/simulated-clickhouse.ts';
import { SimulatedDisk } from '#testing/simulated-disk.ts';
import { TestOutputDisk, type TestOutputSettings, TestOutputSink } from '#testing/test-output-sink.ts';
import {
  createTestWriter,
  DEFAULT_SET,
  FAILURE_SET,
  routedBatch,
  testSnapshot,
} from '#testing/writer-fixture.ts';
import { type Consumer, createConsumer } from './consumer.ts';
import { createSinkFanOut, type SinkFanOut } from './sink-fan-out.ts';

const TABLES = [DEFAULT_SET, FAILURE_SET].map((id) => `table_${id}`);

/** A text names its outputs: `xy-17` goes to the outputs x and y. */
const targets = new Map<string, RoutingTarget>();
function route(word: string): RoutingTarget {
  const outputIds = ['x', 'y'].filter((id) => word.includes(id));
  const key = outputIds.join();
  const target = targets.get(key) ?? { ...testTarget([DEFAULT_SET]), outputIds };
  targets.set(key, target);
  return target;
}

function batchOf(firstOffset: number, ...words: string[]): RoutedBatch {
  return {
    firstOffset,
    endOffset: firstOffset + words.length,
    messages: words.map((message, index) => testMessage({ id: testMessageId(firstOffset + index), message })),
    targets: words.map(route),
  };
}

outputSinkContract('the sink for tests', () => {
  const disk = new TestOutputDisk();
  return {
    open: (partition) => TestOutputSink.open(disk, partition),
    kill: async (sink) => (sink as TestOutputSink).kill(),
    queued: async () => disk.queue,
    failWrites(count) {
      disk.failingWrites = count;
    },
    holdWrites() {
      const { promise, resolve } = Promise.withResolvers<void>();
      disk.slow = promise;
      return { release: resolve };
    },
  };
});

describe('the fan-out', () => {
  function fanOut(outputs: Readonly<Record<string, OutputSink>> = {}) {
    const writes: { batch: RoutedBatch; secured: Promise<void> | undefined }[] = [];
    const seen: RoutedBatch[] = [];
    const waits: string[] = [];
    const missing: [string, number][] = [];
    const stops: string[] = [];
    let room: PromiseWithResolvers<void> | undefined;
    const storage: StorageSink = {
      write(batch, secured) {
        writes.push({ batch, secured });
        return room?.promise;
      },
      async replay(batch, _, secured) {
        writes.push({ batch, secured });
      },
      async stop() {
        stops.push('storage');
      },
    };
    const observer: ObserverSink = {
      observe: (batch) => seen.push(batch),
      waitBegins: () => waits.push('begins'),
      waitEnds: () => waits.push('ends'),
    };
    const sinks = createSinkFanOut({
      storage,
      observer,
      consumer: {},
      missingOutput: (id, messages) => missing.push([id, messages]),
    });
    sinks.useOutputs(new Map(Object.entries(outputs)));
    const setRoom = (next: PromiseWithResolvers<void> | undefined) => {
      room = next;
    };
    return { sinks, writes, seen, waits, missing, stops, setRoom };
  }

  const open = (disk: TestOutputDisk, settings?: TestOutputSettings) =>
    TestOutputSink.open(disk, { partition: 0, journalEnd: 1000 }, settings);
  const offsets = (...numbers: number[]) => numbers.map((offset) => testMessageId(offset));

  test('hands the very same batch to storage and observer, and no promise without messages for outputs', async () => {
    const disk = new TestOutputDisk();
    const { sinks, writes, seen } = fanOut({ x: await open(disk) });
    const batch = batchOf(0, 'a', 'b');
    expect(sinks.write(batch)).toBeUndefined();
    expect(writes).toEqual([{ batch, secured: undefined }]);
    expect(writes[0]?.batch).toBe(batch);
    expect(seen[0]).toBe(batch);
  });

  test('gives each output its messages once, and storage a promise for all of them', async () => {
    const [x, y] = [new TestOutputDisk(), new TestOutputDisk()];
    const { sinks, writes } = fanOut({ x: await open(x), y: await open(y) });
    let release = () => {};
    y.slow = new Promise((resolve) => {
      release = resolve;
    });
    sinks.write(batchOf(0, 'x', 'a', 'xy', 'y'));
    let isSecured = false;
    const secured = writes[0]?.secured?.then(() => {
      isSecured = true;
    });
    await eventually(() => expect(x.queue).toEqual(offsets(0, 2)));
    expect(isSecured).toBe(false);
    release();
    await secured;
    expect(y.queue).toEqual(offsets(2, 3));
    expect([x.securedOffset, y.securedOffset]).toEqual([4, 4]);
  });

  test('leaves out what a queue has from an earlier run, also in the middle of a batch', async () => {
    const disk = new TestOutputDisk();
    disk.securedOffset = 12;
    const sink = await open(disk);
    const { sinks, writes } = fanOut({ x: sink });
    await sinks.replay(batchOf(8, 'x', 'x'), 'token');
    expect(writes[0]?.secured).toBeUndefined();
    sinks.write(batchOf(10, 'x', 'x', 'x', 'a', 'x'));
    await writes[1]?.secured;
    expect(disk.queue).toEqual(offsets(12, 14));
    expect(sink.appended).toBe(1);
  });

  test('shows no replayed batch to the observer, and tells it when the consumer waits', async () => {
    const { sinks, seen, waits, setRoom } = fanOut();
    await sinks.replay(batchOf(0, 'a'), 'token');
    expect(seen).toEqual([]);
    expect(waits).toEqual(['begins', 'ends']);
    sinks.write(batchOf(1, 'a'));
    expect(waits).toHaveLength(2);
    const room = Promise.withResolvers<void>();
    setRoom(room);
    const wait = sinks.write(batchOf(2, 'a'));
    expect(waits).toEqual(['begins', 'ends', 'begins']);
    room.resolve();
    await wait;
    expect(waits).toHaveLength(4);
  });

  test('reports messages for an output that has no sink', async () => {
    const { sinks, missing } = fanOut({ x: await open(new TestOutputDisk()) });
    sinks.write(batchOf(0, 'y', 'a', 'xy'));
    expect(missing).toEqual([['y', 2]]);
    const none = fanOut({});
    none.sinks.write(batchOf(0, 'x', 'a'));
    expect(none.missing).toEqual([['x', 1]]);
  });

  test('an output that is full and drops its oldest messages still secures', async () => {
    const disk = new TestOutputDisk();
    const { sinks, writes } = fanOut({ x: await open(disk, { capacity: 2 }) });
    sinks.write(batchOf(0, 'x', 'x', 'x'));
    await writes[0]?.secured;
    expect(disk.queue).toEqual(offsets(1, 2));
    expect(disk.dropped).toBe(1);
  });

  test('stops the storage and leaves the outputs to those who opened them', async () => {
    const sink: OutputSink = {
      securedOffset: 0,
      append: async () => {},
      async stop() {
        stops.push('output');
      },
    };
    const { sinks, stops } = fanOut({ x: sink });
    await sinks.stop();
    expect(stops).toEqual(['storage']);
  });
});

describe('from the journal to the outputs', () => {
  interface Run {
    readonly journal: TestJournal;
    readonly sinks: SinkFanOut;
    readonly outputs: readonly TestOutputSink[];
    readonly consumer: Consumer;
  }

  async function start(
    clickhouse: SimulatedClickHouse,
    disk: SimulatedDisk,
    outputDisks: Readonly<Record<string, TestOutputDisk>>,
    settings: TestOutputSettings = {},
  ): Promise<Run> {
    const journal = await openTestJournal({ disk });
    const writer = createTestWriter(journal.reader, () => clickhouse, { stopGraceMs: 1, maxRows: 8 });
    writer.useIndexSets(testSnapshot(1));
    const partition = { partition: 0, journalEnd: journal.writer.nextOffset };
    const outputs = new Map<string, TestOutputSink>();
    for (const [id, outputDisk] of Object.entries(outputDisks)) {
      outputs.set(id, await TestOutputSink.open(outputDisk, partition, settings));
    }
    const logger = createLogger({ level: 'silent' });
    const sinks = createSinkFanOut({
      storage: writer,
      observer: undefined,
      consumer: journal,
      missingOutput: (id) => expect.fail(`output ${id} is missing`),
    });
    sinks.useOutputs(outputs);
    const processor = {
      process: (records: Parameters<typeof routedBatch>[0][number]) => routedBatch([records], route),
    };
    const consumer = createConsumer({ reader: journal.reader, processor, sinks, logger }, { paused: false });
    return { journal, sinks, outputs: [...outputs.values()], consumer };
  }

  async function stop({ consumer, journal }: Run): Promise<void> {
    await consumer.stop();
    await journal.close();
  }

  async function kill(run: Run, clickhouse: SimulatedClickHouse, disk: SimulatedDisk): Promise<void> {
    disk.cutPower();
    for (const output of run.outputs) output.kill();
    const { fault } = clickhouse;
    clickhouse.fault = () => 'unreachable';
    await run.consumer.stop();
    clickhouse.fault = fault;
  }

  const allCommitted = ({ journal }: Run) =>
    eventually(() => expect(journal.stats().uncommittedRecords).toBe(0));

  test('nothing is committed before the queues have it', async () => {
    const x = new TestOutputDisk();
    const clickhouse = new SimulatedClickHouse(TABLES);
    const run = await start(clickhouse, new SimulatedDisk(), { x });
    let release = () => {};
    x.slow = new Promise((resolve) => {
      release = resolve;
    });
    await appendSettled(run.journal, ['a-1', 'x-2']);
    await eventually(() => expect(clickhouse.rows).toHaveLength(2));
    expect(run.journal.stats().uncommittedRecords).toBe(2);
    release();
    await allCommitted(run);
    expect(x.queue).toHaveLength(1);
    await stop(run);
  });

  test('a full output that blocks delays commits only, and continues when there is room', async () => {
    const x = new TestOutputDisk();
    const clickhouse = new SimulatedClickHouse(TABLES);
    const run = await start(clickhouse, new SimulatedDisk(), { x }, { capacity: 4, whenFull: 'block' });
    for (let number = 0; number < 60; number++) await appendSettled(run.journal, [`x-${number}`]);
    await eventually(() => expect(clickhouse.rows.length).toBeGreaterThan(0));
    expect(run.journal.stats().uncommittedRecords).toBeGreaterThan(0);
    while (x.delivered.length < 60) {
      run.outputs[0]?.deliver(3);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await allCommitted(run);
    expect(new Set(x.delivered).size).toBe(60);
    await stop(run);
  });

  test('whatever is killed, every message is queued for each of its outputs exactly once, in order', async () => {
    const action = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.integer({ min: 1, max: 12 }).map((count) => ({ kind: 'append' as const, count })),
      },
      {
        weight: 2,
        arbitrary: fc.integer({ min: 1, max: 4 }).map((count) => ({ kind: 'fail' as const, count })),
      },
      { weight: 2, arbitrary: fc.constant({ kind: 'kill' as const, count: 0 }) },
      { weight: 1, arbitrary: fc.constant({ kind: 'slow' as const, count: 0 }) },
      {
        weight: 2,
        arbitrary: fc.integer({ min: 1, max: 3 }).map((count) => ({ kind: 'turns' as const, count })),
      },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 3, maxLength: 25 }), async (actions) => {
        const clickhouse = new SimulatedClickHouse(TABLES);
        const disk = new SimulatedDisk();
        const outputDisks = { x: new TestOutputDisk(), y: new TestOutputDisk() };
        const acknowledged: string[] = [];
        let run = await start(clickhouse, disk, outputDisks);
        let sent = 0;
        let release = () => {};
        for (const { kind, count } of actions) {
          if (kind === 'append') {
            const texts = Array.from({ length: count }, () => `${['x', 'y', 'xy', 'a'][sent % 4]}-${sent++}`);
            if (await appendSettled(run.journal, texts)) acknowledged.push(...texts);
          } else if (kind === 'fail') outputDisks.x.failingWrites = count;
          else if (kind === 'slow') {
            release();
            outputDisks.y.slow = new Promise((resolve) => {
              release = resolve;
            });
          } else if (kind === 'kill') {
            await kill(run, clickhouse, disk);
            release();
            run = await start(clickhouse, disk, outputDisks);
          }
          for (let turn = 0; kind === 'turns' && turn < count; turn++) {
            await new Promise((resolve) => setImmediate(resolve));
          }
        }
        release();
        await allCommitted(run);
        await stop(run);
        for (const [id, { received }] of Object.entries(outputDisks)) {
          const expected = acknowledged.filter((text) => text.split('-')[0]?.includes(id));
          const textOf = new Map(clickhouse.rows.map((row) => [row.id, row.text.split('\x1f')[0]]));
          expect(received.map((message) => textOf.get(message))).toEqual(expected);
        }
      }),
      { numRuns: 60 },
    );
  }, 120_000);
});
