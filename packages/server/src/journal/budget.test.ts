import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { localByteBudget } from '#testing/local-byte-budget.ts';
import { allocateSharedBudget, SpaceLease, sharedByteBudget } from './budget.ts';

test('a local and a shared budget count the same', () => {
  const memory = allocateSharedBudget(1000, 2);
  for (const budget of [localByteBudget(1000), sharedByteBudget(memory, 0)]) {
    expect(budget.limit).toBe(1000);
    expect(budget.tryReserve(600)).toBe(true);
    expect(budget.tryReserve(401)).toBe(false);
    expect(budget.used()).toBe(600);
    expect(budget.tryReserve(400)).toBe(true);
    budget.release(1000);
    expect(budget.used()).toBe(0);
    budget.reset(1500);
    expect(budget.used()).toBe(1500);
    expect(budget.tryReserve(1)).toBe(false);
    budget.reset(0);
    expect(budget.used()).toBe(0);
  }
});

test('holders share the limit; resetting one leaves the others alone', () => {
  const memory = allocateSharedBudget(1000, 2);
  const first = sharedByteBudget(memory, 0);
  const second = sharedByteBudget(memory, 1);
  first.tryReserve(300);
  second.tryReserve(500);
  expect(first.tryReserve(201)).toBe(false);
  expect(second.used()).toBe(800);
  // The worker of the first died and opens its directory again.
  sharedByteBudget(memory, 0).reset(100);
  expect(second.used()).toBe(600);
  expect(() => sharedByteBudget(memory, 2)).toThrow('the budget has 2 holders, there is no number 2');
});

test('workers that race for a shared budget never get more than there is', async () => {
  const limit = 50_000;
  const memory = allocateSharedBudget(limit, 3);
  const code = `
    import { parentPort, workerData } from 'node:worker_threads';
    const { sharedByteBudget } = await import(workerData.module);
    const budget = sharedByteBudget(workerData.memory, workerData.holder);
    let taken = 0;
    for (let i = 0; i < 20000; i += 1) {
      if (budget.tryReserve(7)) taken += 7;
      if (budget.used() > ${limit} + 21) throw new Error('over the limit');
      if (taken > 9000) { budget.release(taken); taken = 0; }
    }
    parentPort.postMessage(taken);
  `;
  const module = new URL('./budget.ts', import.meta.url).href;
  const taken = await Promise.all(
    [0, 1, 2].map(
      (holder) =>
        new Promise<number>((resolve, reject) => {
          const url = new URL(`data:text/javascript,${encodeURIComponent(code)}`);
          const worker = new Worker(url, { workerData: { memory, holder, module } });
          worker.once('message', resolve);
          worker.once('error', reject);
        }),
    ),
  );
  const total = taken.reduce((sum, bytes) => sum + bytes, 0);
  expect(total).toBeLessThanOrEqual(limit);
  expect(sharedByteBudget(memory, 0).used()).toBe(total);
});

test('a lease takes in larger steps, down to the last byte', () => {
  const budget = localByteBudget(300_000);
  const lease = new SpaceLease(budget);
  expect(lease.take(100)).toBe(true);
  expect(budget.used()).toBe(256 * 1024);
  expect(lease.take(299_900)).toBe(true);
  expect(budget.used()).toBe(300_000);
  expect(lease.take(1)).toBe(false);
  expect(lease.couldTake(1)).toBe(false);
  lease.giveBack(10);
  expect(lease.couldTake(10)).toBe(true);
  expect(lease.take(11)).toBe(false);
  expect(lease.take(10)).toBe(true);
});
