import { expect, test } from 'vitest';
import { AnswerCache } from './answer-cache.ts';

const NEVER = Number.POSITIVE_INFINITY;

function cacheOf(maxEntries: number): AnswerCache {
  const policy = { maxEntries, afterAccessMs: NEVER, afterWriteMs: NEVER, emptyAfterWriteMs: NEVER };
  return new AnswerCache({ policy, usesExpired: false });
}

const answerOf = (text: string) => ({ answer: { single: text, multi: null } });
const keysFrom = (first: number, end: number) =>
  Array.from({ length: end - first }, (_, index) => `key-${first + index}`);

test('a cache whose memory is used up stays nearly full; the answers that were not used for longest go', () => {
  const cache = cacheOf(1_000_000);
  const text = 'x'.repeat(1000);
  // Far more than fit into 16 MiB, and one of them is in use all the time.
  let largest = 0;
  let largestLoss = 0;
  for (let index = 0; index < 20_000; index++) {
    const before = cache.size;
    cache.set(`key-${index}`, answerOf(text), 0);
    cache.get('key-0', 0);
    largest = Math.max(largest, cache.size);
    largestLoss = Math.max(largestLoss, before - cache.size);
  }
  expect(largestLoss).toBeLessThan(largest / 100);
  expect(largest).toBeGreaterThan(5000);
  expect(largest).toBeLessThan(9000);
  const oldest = 20_000 - cache.size + 1;
  for (const key of ['key-0', ...keysFrom(oldest, 20_000)]) expect(cache.get(key, 0)).toBeDefined();
  expect(cache.get(`key-${oldest - 1}`, 0)).toBeUndefined();
});

test('one large answer takes the place of as many as it needs', () => {
  const cache = cacheOf(1_000_000);
  for (const key of keysFrom(0, 20_000)) cache.set(key, answerOf('x'.repeat(100)), 0);
  expect(cache.size).toBe(20_000);
  cache.set('large', answerOf('x'.repeat(6 * 1024 * 1024)), 0);
  expect(cache.get('large', 0)).toBeDefined();
  expect(cache.get('key-19999', 0)).toBeDefined();
  expect(cache.get('key-0', 0)).toBeUndefined();
  expect(cache.size).toBeGreaterThan(5000);
  expect(cache.size).toBeLessThan(12_000);
});

test('a cache with all entries that it may have drops the one that was not used for longest', () => {
  const cache = cacheOf(100);
  for (const key of keysFrom(0, 100)) cache.set(key, answerOf('x'), 0);
  cache.get('key-0', 0);
  cache.set('key-100', answerOf('x'), 0);
  expect(cache.size).toBe(100);
  expect(cache.get('key-1', 0)).toBeUndefined();
  for (const key of ['key-0', 'key-2', 'key-100']) expect(cache.get(key, 0)).toBeDefined();
});

test.each([
  { usesExpired: true, later: 'a' },
  { usesExpired: false, later: undefined },
])('after the clock was set back a new answer is due: $usesExpired', ({ usesExpired, later }) => {
  const policy = { maxEntries: 10, afterAccessMs: NEVER, afterWriteMs: 1000, emptyAfterWriteMs: 1000 };
  const cache = new AnswerCache({ policy, usesExpired });
  cache.set('k', answerOf('a'), 3_600_000);
  expect(cache.get('k', 3_600_500)?.freshMs).toBe(500);
  const known = cache.get('k', 1000);
  expect([known?.answer.single, (known?.freshMs ?? 0) <= 0]).toEqual([later, true]);
  // It does not become new again, and is not used for ever.
  expect((cache.get('k', 2000)?.freshMs ?? 0) <= 0).toBe(true);
  expect(cache.get('k', 1000 + 5 * 60_000)).toBeUndefined();
  cache.set('k', answerOf('b'), 2000);
  expect(cache.get('k', 2500)?.freshMs).toBe(500);
});
