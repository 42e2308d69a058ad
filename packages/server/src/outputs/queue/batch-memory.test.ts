import { expect, test } from 'vitest';
import { ManualClock } from '#testing/manual-clock.ts';
import { BatchMemory } from './batch-memory.ts';

const MEGABYTE = 2 ** 20;

function takeAll(memory: BatchMemory, count: number) {
  return Array.from({ length: count }, () => memory.take(1000));
}

test('memory that was given back is used again, unless the batch needs more', () => {
  const memory = new BatchMemory();
  const first = memory.take(1000);
  memory.giveBack(first);
  expect(memory.take(MEGABYTE + 1).bytes.length).toBe(MEGABYTE + 1);
  // Compared here: a report of two megabytes takes seconds.
  expect([memory.take(MEGABYTE) === first, memory.take(MEGABYTE) === first]).toEqual([true, false]);
});

test('memory of an exceptional batch is not kept, and not more than a busy disk needs', () => {
  const memory = new BatchMemory();
  memory.giveBack(memory.take(MEGABYTE + 1));
  expect(memory.take(MEGABYTE).bytes.length).toBe(MEGABYTE);
  const many = takeAll(memory, 100);
  for (const one of many) memory.giveBack(one);
  const again = new Set(takeAll(memory, 100));
  expect(many.filter((one) => again.has(one))).toHaveLength(64);
});

test('what only a busy disk needed is released, what each batch needs is not', () => {
  const clock = new ManualClock();
  const memory = new BatchMemory(clock);
  const many = takeAll(memory, 20);
  for (const one of many) memory.giveBack(one);
  const used = memory.take(1000);
  memory.giveBack(used);
  for (let batch = 0; batch < 100; batch++) {
    clock.advance(1000);
    expect(memory.take(1000) === used).toBe(true);
    memory.giveBack(used);
  }
  const again = new Set(takeAll(memory, 20));
  expect(many.filter((one) => again.has(one)).map((one) => one === used)).toEqual([true]);
});
