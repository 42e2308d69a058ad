import { expect, test } from 'vitest';
import { QueueMemory } from './queue-memory.ts';

const MIB = 1024 * 1024;

test('a queue keeps more in memory while it is read, and many together no more than their bound', () => {
  const memory = new QueueMemory();
  const queues = Array.from({ length: 50 }, () => ({}));
  const [first = {}] = queues;
  const idle = memory.windowBytes(first);
  expect(idle).toBeLessThan(MIB);
  memory.setRead(first, true);
  expect(memory.windowBytes(first)).toBe(4 * MIB);
  for (const queue of queues) memory.setRead(queue, true);
  const all = queues.reduce((sum: number, queue) => sum + memory.windowBytes(queue), 0);
  expect(all).toBe(Math.max(32 * MIB, queues.length * idle));
  for (const queue of queues) memory.setRead(queue, false);
  expect(memory.windowBytes(first)).toBe(idle);
});
