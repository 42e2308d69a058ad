import { expect, test } from 'vitest';
import { ManualClock } from '#testing/manual-clock.ts';
import { createVerifiedPasswordCache } from './verified-password-cache.ts';

test('a verified password is cached until it expires', () => {
  const clock = new ManualClock();
  const cache = createVerifiedPasswordCache({ clock }, { maxAgeMs: 1000, maxEntries: 10 });
  expect(cache.has('anna', 'secret', 'hash')).toBe(false);
  cache.add('anna', 'secret', 'hash');
  expect(cache.has('anna', 'secret', 'hash')).toBe(true);
  clock.advance(999);
  expect(cache.has('anna', 'secret', 'hash')).toBe(true);
  clock.advance(1);
  expect(cache.has('anna', 'secret', 'hash')).toBe(false);
});

test('an entry is valid only for the same user, password and stored hash', () => {
  const cache = createVerifiedPasswordCache({ clock: new ManualClock() });
  cache.add('anna', 'secret', 'hash');
  expect(cache.has('anna', 'Secret', 'hash')).toBe(false);
  expect(cache.has('Anna', 'secret', 'hash')).toBe(false);
  expect(cache.has('ann', 'asecret', 'hash')).toBe(false);
  expect(cache.has('anna', 'secret', 'the hash after a password change')).toBe(false);
  // Changing the password back does not restore the old entry.
  expect(cache.has('anna', 'secret', 'hash')).toBe(false);
});

test('the cache is bounded and drops the oldest entry', () => {
  const cache = createVerifiedPasswordCache({ clock: new ManualClock() }, { maxAgeMs: 1000, maxEntries: 3 });
  for (const user of ['a', 'b', 'c', 'd']) cache.add(user, 'secret', 'hash');
  expect(['a', 'b', 'c', 'd'].map((user) => cache.has(user, 'secret', 'hash'))).toEqual([
    false,
    true,
    true,
    true,
  ]);
});

test('keys differ between processes and do not reveal the password', () => {
  const clock = new ManualClock();
  const first = createVerifiedPasswordCache({ clock });
  const second = createVerifiedPasswordCache({ clock });
  expect(first.key('anna', 'secret')).toBe(first.key('anna', 'secret'));
  expect(first.key('anna', 'secret')).not.toBe(second.key('anna', 'secret'));
  expect(first.key('anna', 'hunter2')).not.toContain('hunter2');
});
