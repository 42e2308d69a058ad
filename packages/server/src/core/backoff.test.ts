import { expect, test } from 'vitest';
import { createBackoff } from './backoff.ts';

const pauses = (backoff: { next(): number }, count: number) =>
  Array.from({ length: count }, () => backoff.next());

test('pauses double up to the longest, and begin again after a success', () => {
  const backoff = createBackoff({ firstMs: 200, maxMs: 1000 });
  expect(pauses(backoff, 5)).toEqual([200, 400, 800, 1000, 1000]);
  backoff.reset();
  expect(backoff.next()).toBe(200);
});

test('the first attempt can be immediate', () => {
  const backoff = createBackoff({ firstMs: 200, maxMs: 1000, immediate: true });
  expect(pauses(backoff, 3)).toEqual([0, 200, 400]);
  backoff.reset();
  expect(pauses(backoff, 2)).toEqual([0, 200]);
});

test('jitter shortens pauses by up to its fraction', () => {
  const random = [0, 0.5, 0.999];
  const backoff = createBackoff({ firstMs: 1000, maxMs: 1000, jitter: 0.2 }, () => random.shift() ?? 0);
  expect(pauses(backoff, 3).map(Math.round)).toEqual([1000, 900, 800]);
});

test('the longest pause holds after any number of failures', () => {
  const backoff = createBackoff({ firstMs: 1, maxMs: 60_000 });
  expect(pauses(backoff, 2000).at(-1)).toBe(60_000);
});
