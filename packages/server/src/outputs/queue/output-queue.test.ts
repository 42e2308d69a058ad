import { expect, test } from 'vitest';
import { createMessageEncoder } from '#codecs/index.ts';
import { messageIdText, type OutputSink, systemClock } from '#core/index.ts';
import type { JournalFile, JournalFileSystem } from '#journal/index.ts';
import { eventually } from '#testing/eventually.ts';
import { aMessage } from '#testing/message-fixture.ts';
import { outputSinkContract } from '#testing/output-sink-suite.ts';
import { SimulatedDisk, systemError } from '#testing/simulated-disk.ts';
import { createSharedEncodings } from '../shared-encodings.ts';
import { OutputQueue } from './output-queue.ts';
import type { OutputQueueSettings } from './queue-deps.ts';

const DIRECTORY = '/outputs/o/partition-0';
const MIB = 1024 * 1024;
const encoding = { key: 'test', create: createMessageEncoder };

class QueueFixture {
  readonly disk = new SimulatedDisk();
  readonly dropped: string[] = [];
  /** What the log says of dropped messages. */
  readonly reported: string[] = [];
  #hold: Promise<void> | undefined;

  get droppedMessages(): number {
    return this.dropped.reduce((sum, text) => sum + Number(text.split(' ')[1]), 0);
  }

  open(
    journalEnd = Number.POSITIVE_INFINITY,
    settings: Partial<OutputQueueSettings> = {},
    disk = this.disk,
  ): Promise<OutputQueue> {
    return OutputQueue.open(
      {
        clock: systemClock,
        report: ({ kind, message }) => {
          if (kind === 'records_dropped') this.reported.push(message);
        },
        dropped: (reason, messages) => void this.dropped.push(`${reason} ${messages}`),
        files: this.#slowed(disk.mount()),
        retryDelayMs: 1,
      },
      { directory: DIRECTORY, maxBytes: 16 * MIB, onFull: 'drop_oldest', markAfterMs: 1, ...settings },
      createSharedEncodings().use(encoding),
      journalEnd,
    );
  }

  holdWrites(): { release(): void } {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#hold = promise;
    return { release: resolve };
  }

  failWrites(count: number): void {
    let left = count;
    this.disk.fault = (operation, file) => {
      if (operation !== 'write' || left === 0 || file.includes('checkpoint')) return;
      left -= 1;
      throw systemError('EIO', file);
    };
  }

  /** What the disk holds, seen by another process. */
  async queued(): Promise<string[]> {
    const copy = new SimulatedDisk();
    for (const [file, bytes] of this.disk.files()) copy.replace(file, Buffer.from(bytes));
    const queue = await this.open(Number.POSITIVE_INFINITY, {}, copy);
    const ids = await deliverAll(queue);
    await queue.stop();
    return ids;
  }

  #slowed(files: JournalFileSystem): JournalFileSystem {
    const hold = () => this.#hold;
    return new Proxy(files, {
      get(target, name: keyof JournalFileSystem) {
        if (name !== 'open') return target[name].bind(target);
        return async (...args: Parameters<JournalFileSystem['open']>): Promise<JournalFile> => {
          const file = await target.open(...args);
          return {
            write: async (buffers, position) => {
              await hold();
              return file.write(buffers, position);
            },
            read: (...of) => file.read(...of),
            sync: () => file.sync(),
            truncate: (size) => file.truncate(size),
            size: () => file.size(),
            close: () => file.close(),
          };
        };
      },
    });
  }
}

const idOf = (offset: number) => messageIdText({ receivedAt: 1, partition: 1, offset });
const batchOf = (...offsets: number[]) => ({
  firstOffset: Math.min(...offsets),
  endOffset: Math.max(...offsets) + 1,
  messages: offsets.map((offset) => Object.assign(aMessage(), { id: idOf(offset) })),
});

const droppedSentence = (messages: number) =>
  `it was full: dropped its oldest ${messages} messages, which were not delivered yet (on_full = drop_oldest)`;

outputSinkContract('the queue of an output', () => {
  const fixture = new QueueFixture();
  return {
    open: ({ journalEnd }) => fixture.open(journalEnd),
    async kill(_sink: OutputSink) {
      fixture.disk.cutPower();
    },
    queued: () => fixture.queued(),
    failWrites: (count) => fixture.failWrites(count),
    holdWrites: () => fixture.holdWrites(),
  };
});

const manyFrom = (first: number, count: number) =>
  batchOf(...Array.from({ length: count }, (_, index) => first + index));

/** A queue of which everything is delivered, with a mark at its end that nobody has read. */
async function openMarked(fixture: QueueFixture): Promise<OutputQueue> {
  const queue = await fixture.open(undefined, { maxBytes: MIB });
  await queue.append(batchOf(0, 1));
  await deliverAll(queue);
  // Without the mark the last message would be there.
  await eventually(async () => expect(await fixture.queued()).toEqual([]));
  queue.rewind();
  return queue;
}

/** Reads everything and says that the destination has it. */
async function deliverAll(queue: OutputQueue): Promise<string[]> {
  const ids: string[] = [];
  while (queue.stats().messages > 0) {
    const batch = queue.read(1000);
    if (batch === undefined) {
      await queue.whenReadable();
      continue;
    }
    ids.push(...batch.messages.map(({ id }) => id));
    queue.delivered(batch.endOffset);
    batch.release();
  }
  return ids;
}

test('messages come out in order, with their sender, and only what is not delivered comes again', async () => {
  const fixture = new QueueFixture();
  const queue = await fixture.open();
  await queue.append(batchOf(0, 1, 2));
  const first = queue.read(2);
  expect(first?.messages.map(({ id }) => id)).toEqual([idOf(0), idOf(1)]);
  expect(first?.messages[0]?.origin).toMatchObject({ remoteAddress: '192.0.2.7', remotePort: 40_000 });
  expect(JSON.parse(String(first?.messages[0]?.payload))).toMatchObject({ short_message: 'a message' });
  queue.delivered(first?.endOffset ?? 0);
  expect(queue.stats().messages).toBe(1);
  expect(queue.read(10)?.messages).toHaveLength(1);
  expect(queue.read(10)).toBeUndefined();
  queue.rewind();
  expect((await deliverAll(queue)).at(-1)).toBe(idOf(2));
  expect(queue.stats()).toEqual({ messages: 0, bytes: 0 });
  await queue.stop();
});

test('a delivered queue remembers how far it came, across a stop and across a kill', async () => {
  const fixture = new QueueFixture();
  const queue = await fixture.open();
  await queue.append(batchOf(4, 5));
  await deliverAll(queue);
  await queue.stop();
  expect(await fixture.queued()).toEqual([]);
  const again = await fixture.open();
  expect(again.securedOffset).toBe(6);
  expect(again.stats().messages).toBe(0);
  await again.append(batchOf(6, 9));
  await deliverAll(again);
  // The mark lets the last message be committed; the checkpoint follows.
  await eventually(async () => expect(await fixture.queued()).toEqual([]));
  fixture.disk.cutPower();
  const third = await fixture.open();
  expect(third.securedOffset).toBe(10);
  await third.append(batchOf(10));
  expect(third.stats().messages).toBe(1);
  expect(await deliverAll(third)).toEqual([idOf(10)]);
  await third.stop();
});

test('messages that were sent make room and count as dropped only when they would be sent again', async () => {
  const fixture = new QueueFixture();
  const queue = await fixture.open(undefined, { maxBytes: MIB });
  const sendAll = async (from: number) => {
    let endOffset = 0;
    for (let offset = from; offset < from + 8000; offset += 500) {
      await queue.append(batchOf(...Array.from({ length: 500 }, (_, index) => offset + index)));
      const batch = queue.read(1000);
      batch?.release();
      endOffset = batch?.endOffset ?? 0;
      queue.sent(endOffset);
    }
    return endOffset;
  };
  const end = await sendAll(0);
  expect(queue.stats().bytes).toBeLessThanOrEqual(MIB);
  queue.delivered(end);
  queue.rewind();
  expect(fixture.dropped).toEqual([]);

  const later = await sendAll(8000);
  queue.rewind();
  const left = await deliverAll(queue);
  expect(later).toBeGreaterThan(end);
  expect(fixture.dropped).toEqual([`queue_full ${8000 - left.length}`]);
  expect(fixture.reported).toEqual([droppedSentence(8000 - left.length)]);
  await queue.stop();
});

test('of messages of which some were sent the log names as many as are counted', async () => {
  const fixture = new QueueFixture();
  const queue = await fixture.open(undefined, { maxBytes: MIB });
  queue.sent(10);
  let appended = 0;
  while (fixture.dropped.length === 0) {
    await queue.append(batchOf(...Array.from({ length: 500 }, (_, index) => appended + index)));
    appended += 500;
  }
  const unsent = appended - 10 - queue.stats().messages;
  expect(fixture.dropped).toEqual([`queue_full ${unsent}`]);
  expect(fixture.reported).toEqual([droppedSentence(unsent)]);
  queue.rewind();
  expect(fixture.dropped).toEqual([`queue_full ${unsent}`, 'queue_full 10']);
  expect(fixture.reported).toEqual([unsent, 10].map(droppedSentence));
  await queue.stop();
});

test('the oldest messages are dropped and counted when the queue is full', async () => {
  const fixture = new QueueFixture();
  const queue = await fixture.open(undefined, { maxBytes: MIB });
  for (let offset = 0; offset < 8000; offset += 100) {
    await queue.append(batchOf(...Array.from({ length: 100 }, (_, index) => offset + index)));
  }
  const dropped = fixture.droppedMessages;
  expect(dropped).toBeGreaterThan(1000);
  expect(queue.stats().messages).toBe(8000 - dropped);
  expect(queue.stats().bytes).toBeLessThanOrEqual(MIB);
  const ids = await deliverAll(queue);
  expect(ids).toEqual(Array.from({ length: ids.length }, (_, index) => idOf(8000 - ids.length + index)));
  await queue.stop();
});

test('a mark that makes room is not counted as a dropped message', async () => {
  const fixture = new QueueFixture();
  const queue = await openMarked(fixture);
  let appended = 0;
  while (fixture.dropped.length === 0) {
    await queue.append(manyFrom(2 + appended, 500));
    appended += 500;
  }
  const dropped = appended - queue.stats().messages;
  expect(fixture.dropped).toEqual([`queue_full ${dropped}`]);
  expect(fixture.reported).toEqual([droppedSentence(dropped)]);
  expect(await deliverAll(queue)).toHaveLength(appended - dropped);
  await queue.stop();
});

test('a message that is delivered is not counted as dropped, also when it was the last one', async () => {
  const fixture = new QueueFixture();
  const queue = await fixture.open(undefined, { maxBytes: MIB, markAfterMs: 60_000 });
  await queue.append(batchOf(0));
  queue.sent(1);
  await deliverAll(queue);
  queue.rewind();
  let appended = 0;
  while (fixture.dropped.length === 0) {
    await queue.append(manyFrom(1 + appended, 500));
    appended += 500;
  }
  expect(fixture.dropped).toEqual([`queue_full ${appended - queue.stats().messages}`]);
  queue.rewind();
  expect(fixture.dropped).toHaveLength(1);
  await queue.stop();
});

test('a mark before the messages that wait is not counted, also after a restart', async () => {
  const fixture = new QueueFixture();
  const queue = await openMarked(fixture);
  await queue.append(batchOf(2, 3, 4));
  expect(queue.stats().messages).toBe(3);
  await queue.stop();
  const again = await fixture.open(undefined, { maxBytes: MIB });
  expect(again.stats().messages).toBe(3);
  let appended = 3;
  while (fixture.dropped.length === 0) {
    await again.append(manyFrom(2 + appended, 500));
    appended += 500;
  }
  expect(fixture.droppedMessages).toBe(appended - again.stats().messages);
  await again.stop();
});

test('the mark of a node journal that began again is not a message that waits', async () => {
  const fixture = new QueueFixture();
  const first = await fixture.open();
  await first.append(batchOf(900, 901));
  await first.stop();
  const queue = await fixture.open(10);
  expect(queue.stats().messages).toBe(2);
  await queue.stop();
  const again = await fixture.open(10);
  expect(again.stats().messages).toBe(2);
  // Only the messages: nobody says that the mark after them is delivered.
  await again.whenReadable();
  again.delivered(again.read(2)?.endOffset ?? 0);
  expect(again.stats()).toEqual({ messages: 0, bytes: 0 });
  await again.append(batchOf(0));
  expect(again.stats().messages).toBe(1);
  expect(await deliverAll(again)).toEqual([idOf(0)]);
  await again.stop();
});

test('a full queue that blocks secures nothing until there is room', async () => {
  const fixture = new QueueFixture();
  const queue = await fixture.open(undefined, { maxBytes: MIB, onFull: 'block' });
  const secured: number[] = [];
  for (let offset = 0; offset < 8000; offset += 100) {
    void queue
      .append(batchOf(...Array.from({ length: 100 }, (_, index) => offset + index)))
      .then(() => secured.push(offset));
  }
  await eventually(() => expect(queue.stats().messages).toBeGreaterThan(1000));
  expect(secured.length).toBeLessThan(80);
  const ids: string[] = [];
  await eventually(async () => {
    ids.push(...(await deliverAll(queue)));
    expect(ids).toHaveLength(8000);
  });
  expect(ids).toEqual(Array.from({ length: 8000 }, (_, index) => idOf(index)));
  await eventually(() => expect(secured).toHaveLength(80));
  expect(fixture.dropped).toEqual([]);
  await queue.stop();
});

test('a queue that may drop gives up on a broken disk; one that blocks waits', async () => {
  const fixture = new QueueFixture();
  fixture.failWrites(Number.POSITIVE_INFINITY);
  const queue = await fixture.open(undefined, { diskPatienceMs: 10 });
  await queue.append(batchOf(0));
  await queue.append(batchOf(1));
  expect(fixture.dropped).toEqual(['disk_failing 1', 'disk_failing 1']);
  const blocking = await fixture.open(undefined, {
    diskPatienceMs: 10,
    onFull: 'block',
    directory: '/outputs/b',
  });
  const secured = blocking.append(batchOf(0));
  fixture.failWrites(0);
  await secured;
  await Promise.all([queue.stop(), blocking.stop()]);
});

test('other bounds keep the messages and what is on its way', async () => {
  const fixture = new QueueFixture();
  const queue = await fixture.open();
  await queue.append(batchOf(0, 1));
  const onItsWay = queue.append(batchOf(2));
  const encoder = createSharedEncodings().use(encoding);
  await queue.reconfigure({ directory: DIRECTORY, maxBytes: 2 * MIB, onFull: 'block' }, encoder);
  await onItsWay;
  await queue.append(batchOf(3));
  expect(await deliverAll(queue)).toEqual([0, 1, 2, 3].map(idOf));
  await queue.stop();
});

test('a queue that cannot be opened with its new bounds at once takes messages when it can', async () => {
  const fixture = new QueueFixture();
  const queue = await fixture.open();
  await queue.append(batchOf(0));
  let failures = 0;
  fixture.disk.fault = (operation, file) => {
    if (operation !== 'open') return;
    failures += 1;
    throw systemError('EMFILE', file);
  };
  const encoder = createSharedEncodings().use(encoding);
  const settings = { directory: DIRECTORY, maxBytes: 2 * MIB, onFull: 'block' } as const;
  const reconfigured = queue.reconfigure(settings, encoder);
  const onItsWay = queue.append(batchOf(1));
  await eventually(() => expect(failures).toBeGreaterThan(2));
  fixture.disk.fault = () => {};
  await Promise.all([reconfigured, onItsWay]);
  expect(await deliverAll(queue)).toEqual([0, 1].map(idOf));
  await queue.stop();
});

test('a queue that cannot be opened with its new bounds can be stopped', async () => {
  const fixture = new QueueFixture();
  const queue = await fixture.open();
  await queue.append(batchOf(0));
  fixture.disk.fault = (operation, file) => {
    if (operation === 'open') throw systemError('EMFILE', file);
  };
  const encoder = createSharedEncodings().use(encoding);
  const reconfigured = queue.reconfigure(
    { directory: DIRECTORY, maxBytes: 2 * MIB, onFull: 'block' },
    encoder,
  );
  const onItsWay = queue.append(batchOf(1));
  const refused = expect(onItsWay).rejects.toThrow('was stopped');
  await queue.stop();
  await Promise.all([reconfigured, refused]);
});

test('a removed queue leaves nothing behind and lets nobody wait', async () => {
  const fixture = new QueueFixture();
  const queue = await fixture.open();
  await queue.append(batchOf(0));
  const held = fixture.holdWrites();
  const onItsWay = queue.append(batchOf(1));
  const removed = queue.remove();
  held.release();
  await Promise.all([removed, onItsWay]);
  expect([...fixture.disk.files().keys()]).toEqual([]);
});

test('the age of the oldest message is known when it has to be read from disk, and reading goes on as before', async () => {
  const fixture = new QueueFixture();
  const queue = await fixture.open();
  const padding = 'x'.repeat(10_000);
  // More than is kept in memory.
  for (let first = 0; first < 200; first += 50) {
    const messages = Array.from({ length: 50 }, (_, index) =>
      Object.assign(aMessage({ padding }), { id: idOf(first + index) }),
    );
    await queue.append({ firstOffset: first, endOffset: first + 50, messages });
  }
  for (let call = 0; call < 3; call++) {
    await eventually(() => expect(queue.peekOldest()).toBe(Date.UTC(2026, 0, 1)));
  }
  expect(await deliverAll(queue)).toEqual(Array.from({ length: 200 }, (_, offset) => idOf(offset)));
  await queue.stop();
});
