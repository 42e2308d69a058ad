import { expect, test } from 'vitest';
import { createVersionWaiters } from './version-waiters.ts';

test('callers wait until their version is reached', async () => {
  let reached = 0;
  const waiters = createVersionWaiters((version) => reached >= version);
  const resolved: number[] = [];
  const waiting = [1, 2].map((version) => waiters.until(version).then(() => resolved.push(version)));
  waiters.check();
  await new Promise(setImmediate);
  expect(resolved).toEqual([]);
  reached = 1;
  waiters.check();
  await waiting[0];
  expect(resolved).toEqual([1]);
  reached = 2;
  waiters.check();
  await Promise.all(waiting);
});

test('nobody waits for a version that is already reached', async () => {
  await createVersionWaiters(() => true).until(7);
});

test('a wait can have an end', async () => {
  await createVersionWaiters(() => false).until(1, 1);
});
