import { expect, test } from 'vitest';
import { StopSignal } from './stop-signal.ts';

test('a wait ends with its work, and nothing of it is kept', async () => {
  const signal = new StopSignal();
  expect(await signal.or(Promise.resolve('done'))).toBe('done');
  await expect(signal.or(Promise.reject(new Error('no')))).rejects.toThrow('no');
  const work = Promise.withResolvers<true>();
  const wait = signal.or(work.promise);
  expect(signal.waiting).toBe(1);
  work.resolve(true);
  expect(await wait).toBe(true);
  expect(signal.waiting).toBe(0);
});

test('all waits end when it is stopped, and later ones at once', async () => {
  const signal = new StopSignal();
  const never = new Promise<true>(() => {});
  const waits = [signal.or(never), signal.or(never)];
  signal.stop();
  expect(await Promise.all(waits)).toEqual([false, false]);
  expect(signal.waiting).toBe(0);
  expect(await signal.or(never)).toBe(false);
});
