import { expect, test } from 'vitest';
import { QueueMemory } from './queue-memory.ts';

const MIB = 1024 * 1024;

function memoryOf(count: number): { readonly memory: QueueMemory; readonly queues: readonly object[] } {
  const memory = new QueueMemory();
  const queues = Array.from({ length: count }, () => ({}));
  for (const queue of queues) memory.add(queue);
  return { memory, queues };
}

const sumOf = (queues: readonly object[], bytes: (queue: object) => number) =>
  Math.round(queues.reduce((sum, queue) => sum + bytes(queue), 0));

test('a queue keeps more in memory while it is read, and many together no more than their bound', () => {
  const { memory, queues } = memoryOf(50);
  for (const queue of queues) memory.setRead(queue, true);
  expect(sumOf(queues, (queue) => memory.windowBytes(queue))).toBe(32 * MIB);
  for (const queue of queues.slice(1)) memory.setRead(queue, false);
  expect(memory.windowBytes(queues[0] as object)).toBe(32 * MIB);
});

test.each([10, 50])('%d queues that nobody reads keep no more than a few', (count) => {
  const { memory, queues } = memoryOf(count);
  expect(sumOf(queues, (queue) => memory.windowBytes(queue))).toBe(4 * MIB);
  expect(sumOf(queues, () => memory.pendingBytes(1024 * MIB))).toBe(16 * MIB);
});

test('a queue alone has more than its part, and those that are forgotten have none', () => {
  const { memory, queues } = memoryOf(50);
  for (const queue of queues.slice(1)) memory.forget(queue);
  expect(memory.windowBytes(queues[0] as object)).toBe(0.75 * MIB);
  expect(memory.pendingBytes(1024 * MIB)).toBe(16 * MIB);
  expect([8 * MIB, 32 * MIB].map((bytes) => memory.pendingBytes(bytes))).toEqual([2 * MIB, 4 * MIB]);
});
