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
  const memory = new BatchMemory(clock, clock);
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

test('what only a busy disk needed is released, too, when no more batches come, and then no timer is left', () => {
  const clock = new ManualClock();
  const memory = new BatchMemory(clock, clock);
  const many = takeAll(memory, 20);
  expect(clock.waiting).toBe(0);
  for (const one of many.slice(0, 10)) memory.giveBack(one);
  clock.advance(4000);
  for (const one of many.slice(10)) memory.giveBack(one);
  expect(clock.waiting).toBe(1);
  clock.advance(6000);
  expect(clock.waiting).toBe(1);
  const kept = takeAll(memory, 20);
  expect(many.map((one) => kept.includes(one))).toEqual(many.map((_, index) => index >= 10));
  for (const one of kept) memory.giveBack(one);
  clock.advance(10_000);
  expect(clock.waiting).toBe(0);
  const again = takeAll(memory, 20);
  expect(kept.filter((one) => again.includes(one))).toHaveLength(0);
});

test('batches that come one after the other need one timer, and no new one for each', () => {
  const clock = new ManualClock();
  const scheduled: number[] = [];
  const memory = new BatchMemory(clock, {
    schedule(delayMs, action) {
      scheduled.push(delayMs);
      return clock.schedule(delayMs, action);
    },
  });
  for (let batch = 0; batch < 100; batch++) {
    memory.giveBack(memory.take(1000));
    clock.advance(10);
  }
  expect(scheduled).toEqual([10_000]);
});

test('memory that is all in use at the time is kept when it is given back', () => {
  const clock = new ManualClock();
  const memory = new BatchMemory(clock, clock);
  memory.giveBack(memory.take(1000));
  const used = memory.take(1000);
  clock.advance(10_000);
  expect(clock.waiting).toBe(0);
  memory.giveBack(used);
  expect(clock.waiting).toBe(1);
  expect(memory.take(1000) === used).toBe(true);
});

test('after the stop nothing is kept, also not what is given back later, and no timer is left', () => {
  const clock = new ManualClock();
  const memory = new BatchMemory(clock, clock);
  const [idle, used] = [memory.take(1000), memory.take(1000)];
  memory.giveBack(idle);
  memory.stop();
  expect(clock.waiting).toBe(0);
  memory.giveBack(used);
  expect(clock.waiting).toBe(0);
  const again = takeAll(memory, 2);
  expect([idle, used].map((one) => again.includes(one))).toEqual([false, false]);
});
