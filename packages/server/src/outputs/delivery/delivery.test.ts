import { expect, test } from 'vitest';
import { createMessageEncoder } from '#codecs/index.ts';
import { messageIdText, systemClock } from '#core/index.ts';
import { until } from '#testing/eventually.ts';
import { aMessage } from '#testing/message-fixture.ts';
import { SimulatedDisk, systemError } from '#testing/simulated-disk.ts';
import type { Output } from '../output.ts';
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

function deliver(queue: OutputQueue): {
  readonly delivery: Delivery;
  readonly sent: string[];
  reads(): number;
} {
  const sent: string[] = [];
  let reads = 0;
  const read = queue.read.bind(queue);
  queue.read = (maxMessages) => {
    reads += 1;
    return read(maxMessages);
  };
  const output: Output = {
    send: async (messages) => void sent.push(...messages.map(({ id }) => id)),
    close: async () => true,
  };
  const events = { sent: () => {}, refused: () => {}, stateChanged: () => {} };
  const delivery = new Delivery(
    { queue, createOutput: () => output, clock: systemClock, events },
    { limits: LIMITS, retryDelayMs: 1 },
  );
  return { delivery, sent, reads: () => reads };
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
