import { describe, expect, test } from 'vitest';
import { messageIdText, type OutputPartition, type OutputSink } from '#core/index.ts';
import { aMessage } from './message-fixture.ts';

/** One output queue, as its disk sees it. */
export interface OutputSinkHarness {
  open(partition: OutputPartition): Promise<OutputSink>;
  /** Ends the sink as if the process had been killed. */
  kill(sink: OutputSink): Promise<void>;
  /** Ids of all messages in the queue, in order. */
  queued(): Promise<readonly string[]>;
  /** The next writes to the disk fail. */
  failWrites(count: number): void;
  /** Writes to the disk wait until `release` is called. */
  holdWrites(): { release(): void };
}

const PARTITION = { partition: 0, journalEnd: 1000 };
const idOf = (offset: number) => messageIdText({ receivedAt: 1, partition: 1, offset });
const ids = (...offsets: number[]) => offsets.map(idOf);
const batchOf = (...offsets: number[]) => ({
  firstOffset: Math.min(...offsets),
  endOffset: Math.max(...offsets) + 1,
  messages: offsets.map((offset) => Object.assign(aMessage(), { id: idOf(offset) })),
});

/** What `core/sinks.ts` demands of every output sink. */
export function outputSinkContract(name: string, createHarness: () => OutputSinkHarness): void {
  describe(`${name}, as an output sink`, () => {
    securing(createHarness);
    ending(createHarness);
  });
}

function securing(createHarness: () => OutputSinkHarness): void {
  test('has the messages and their offset on disk when it says so', async () => {
    const harness = createHarness();
    const sink = await harness.open(PARTITION);
    expect(sink.securedOffset).toBe(0);
    await sink.append(batchOf(3, 4));
    await harness.kill(sink);
    expect(await harness.queued()).toEqual(ids(3, 4));
    const again = await harness.open(PARTITION);
    expect(again.securedOffset).toBe(5);
    await again.append(batchOf(5));
    expect(await harness.queued()).toEqual(ids(3, 4, 5));
    await again.stop();
  });

  test('secures batches in their order, and says so in that order', async () => {
    const harness = createHarness();
    const sink = await harness.open(PARTITION);
    const held = harness.holdWrites();
    const order: number[] = [];
    const all = [0, 1, 2, 3].map((offset) => sink.append(batchOf(offset)).then(() => order.push(offset)));
    expect(sink.securedOffset).toBe(0);
    held.release();
    await Promise.all(all);
    expect(order).toEqual([0, 1, 2, 3]);
    expect(await harness.queued()).toEqual(ids(0, 1, 2, 3));
    await sink.stop();
  });

  test('retries when the disk fails, without a second copy', async () => {
    const harness = createHarness();
    const sink = await harness.open(PARTITION);
    harness.failWrites(3);
    await Promise.all([sink.append(batchOf(0, 1)), sink.append(batchOf(2))]);
    expect(await harness.queued()).toEqual(ids(0, 1, 2));
    expect(sink.securedOffset).toBe(3);
    await sink.stop();
  });
}

function ending(createHarness: () => OutputSinkHarness): void {
  test('killed in the middle, it has all messages below its offset and none from there on', async () => {
    const harness = createHarness();
    const sink = await harness.open(PARTITION);
    await sink.append(batchOf(0));
    const held = harness.holdWrites();
    void sink.append(batchOf(1, 2));
    void sink.append(batchOf(3));
    await harness.kill(sink);
    held.release();
    const again = await harness.open(PARTITION);
    const all = ids(0, 1, 2, 3);
    expect(await harness.queued()).toEqual(all.slice(0, again.securedOffset));
    await again.stop();
  });

  test('stopped before a batch is secured, it rejects', async () => {
    const harness = createHarness();
    const sink = await harness.open(PARTITION);
    const held = harness.holdWrites();
    const secured = sink.append(batchOf(0));
    const rejected = expect(secured).rejects.toThrow();
    await sink.stop();
    held.release();
    await rejected;
  });

  test('starts again at 0 when its journal has, and remembers that', async () => {
    const harness = createHarness();
    const sink = await harness.open(PARTITION);
    await sink.append(batchOf(900));
    await sink.stop();
    const restarted = await harness.open({ partition: 0, journalEnd: 10 });
    expect(restarted.securedOffset).toBe(0);
    await harness.kill(restarted);
    const later = await harness.open({ partition: 0, journalEnd: 2000 });
    expect(later.securedOffset).toBe(0);
    await later.append(batchOf(7));
    expect(later.securedOffset).toBe(8);
    await later.stop();
  });

  test('copies what it needs before it returns', async () => {
    const harness = createHarness();
    const sink = await harness.open(PARTITION);
    const batch = batchOf(0, 1);
    const secured = sink.append(batch);
    for (const message of batch.messages) message.id = 'changed';
    batch.messages.length = 0;
    await secured;
    expect(await harness.queued()).toEqual(ids(0, 1));
    await sink.stop();
  });
}
