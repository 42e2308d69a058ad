import { expect, test } from 'vitest';
import { createMessageEncoder } from '#codecs/index.ts';
import { messageIdText, systemClock } from '#core/index.ts';
import { until } from '#testing/eventually.ts';
import { aMessage } from '#testing/message-fixture.ts';
import { SimulatedDisk, systemError } from '#testing/simulated-disk.ts';
import { type OutgoingMessage, type Output, RefusedError } from '../output.ts';
import { OutputQueue } from '../queue/output-queue.ts';
import { createSharedEncodings } from '../shared-encodings.ts';
import { Delivery } from './delivery.ts';

const LONG_MS = 600_000;
const LIMITS = { messages: 100, bytes: 1024 * 1024, lingerMs: 0 };
const encoding = { key: 'test', create: createMessageEncoder };

function openQueue(disk: SimulatedDisk): Promise<OutputQueue> {
  return OutputQueue.open(
    { clock: systemClock, report: () => {}, dropped: () => {}, files: disk.mount(), retryDelayMs: 1 },
    { directory: '/outputs/o/partition-0', maxBytes: 16 * 1024 * 1024, onFull: 'block' },
    createSharedEncodings().use(encoding),
    Number.POSITIVE_INFINITY,
  );
}

const idOf = (offset: number) => messageIdText({ receivedAt: 1, partition: 1, offset });
const batchOf = (first: number, count: number) => ({
  firstOffset: first,
  endOffset: first + count,
  messages: Array.from({ length: count }, (_, index) =>
    Object.assign(aMessage(), { id: idOf(first + index) }),
  ),
});

/** Sends to a destination that takes everything, unless `check` throws. */
function deliver(
  queue: OutputQueue,
  check: (ids: readonly string[]) => void = () => {},
): {
  readonly delivery: Delivery;
  readonly sent: string[];
  readonly refused: string[];
  reads(): number;
} {
  const sent: string[] = [];
  const refused: string[] = [];
  let reads = 0;
  const read = queue.read.bind(queue);
  queue.read = (maxMessages) => {
    reads += 1;
    return read(maxMessages);
  };
  const output: Output = {
    async send(messages) {
      const ids = messages.map(({ id }) => id);
      check(ids);
      sent.push(...ids);
    },
    close: async () => true,
  };
  const events = {
    sent: () => {},
    refused: ({ id }: OutgoingMessage) => void refused.push(id),
    stateChanged: () => {},
  };
  const delivery = new Delivery(
    { queue, createOutput: () => output, clock: systemClock, events },
    { limits: LIMITS, retryDelayMs: 1 },
  );
  return { delivery, sent, refused, reads: () => reads };
}

test('what is on its way to the disk of the queue is sent before a stop with time for it ends', async () => {
  const disk = new SimulatedDisk();
  const queue = await openQueue(disk);
  const { delivery, sent, reads } = deliver(queue);
  await queue.append(batchOf(0, 1));
  await until(() => sent.length === 1);
  disk.fault = (operation, file) => {
    if (operation === 'write') throw systemError('EIO', file);
  };
  const secured = queue.append(batchOf(1, 20));
  const before = reads();
  const stopped = delivery.stop(LONG_MS);
  // It has looked again and again, each time for longer than a group of messages waits to be written.
  await until(() => reads() >= before + 5);
  expect(sent).toHaveLength(1);
  disk.fault = () => {};
  await Promise.all([stopped, secured]);
  expect(sent).toEqual(Array.from({ length: 21 }, (_, offset) => idOf(offset)));
  await queue.stop();
});

test('what is not on disk when a stop without time for it ends stays queued or is not secured', async () => {
  const disk = new SimulatedDisk();
  const queue = await openQueue(disk);
  const { delivery, sent } = deliver(queue);
  await queue.append(batchOf(0, 1));
  await until(() => sent.length === 1);
  const secured = queue.append(batchOf(1, 20)).then(
    () => true,
    () => false,
  );
  await delivery.stop(0);
  await queue.stop();
  const again = await openQueue(disk);
  const unsent = Array.from({ length: 20 }, (_, index) => idOf(index + 1)).filter((id) => !sent.includes(id));
  if (await secured) expect(again.securedOffset).toBe(21);
  // Whoever appends goes on where the queue says; what was written is not appended again.
  const missing = 21 - again.securedOffset;
  if (missing > 0) await again.append(batchOf(again.securedOffset, missing));
  const next = deliver(again);
  await until(() => !again.hasUnread);
  await next.delivery.stop(LONG_MS);
  expect(next.sent).toEqual(expect.arrayContaining(unsent));
  expect(new Set(next.sent).size).toBe(next.sent.length);
  await again.stop();
});

/** The destination refuses the first message. The last one it gets when `isReachable` says so. */
const refusesFirst = (isReachable: () => boolean) => (ids: readonly string[]) => {
  if (ids.includes(idOf(0))) throw new RefusedError('400');
  if (ids.includes(idOf(3)) && !isReachable()) throw new Error('connection reset');
};

test('a refused message is told once, however often the rest of its batch is sent', async () => {
  const queue = await openQueue(new SimulatedDisk());
  let attempts = 0;
  const { delivery, sent, refused } = deliver(
    queue,
    refusesFirst(() => ++attempts > 3),
  );
  await queue.append(batchOf(0, 4));
  await until(() => sent.includes(idOf(3)));
  await delivery.stop(LONG_MS);
  expect(refused).toEqual([idOf(0)]);
  expect(new Set(sent)).toEqual(new Set([1, 2, 3].map(idOf)));
  expect(queue.stats().messages).toBe(0);
  await queue.stop();
});

test('a refused message is told once when a stop comes before the rest of its batch has arrived', async () => {
  const queue = await openQueue(new SimulatedDisk());
  let attempts = 0;
  const first = deliver(
    queue,
    refusesFirst(() => ++attempts < 0),
  );
  await queue.append(batchOf(0, 4));
  await until(() => attempts > 0);
  await first.delivery.stop(0);
  const next = deliver(
    queue,
    refusesFirst(() => true),
  );
  await until(() => next.sent.includes(idOf(3)));
  await next.delivery.stop(LONG_MS);
  expect([...first.refused, ...next.refused]).toEqual([idOf(0)]);
  await queue.stop();
});
