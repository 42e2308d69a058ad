import { expect, test } from 'vitest';
import { ManualClock } from '#testing/manual-clock.ts';
import { createVerifiedPasswordCache } from './verified-password-cache.ts';

test('a verified password is remembered for its time and not longer', () => {
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

test('only for the same user, the same password and the same stored hash', () => {
  const cache = createVerifiedPasswordCache({ clock: new ManualClock() });
  cache.add('anna', 'secret', 'hash');
  expect(cache.has('anna', 'Secret', 'hash')).toBe(false);
  expect(cache.has('Anna', 'secret', 'hash')).toBe(false);
  expect(cache.has('ann', 'asecret', 'hash')).toBe(false);
  expect(cache.has('anna', 'secret', 'the hash after a password change')).toBe(false);
  // A change back does not bring the old entry back either.
  expect(cache.has('anna', 'secret', 'hash')).toBe(false);
});

test('is bounded and forgets the oldest', () => {
  const cache = createVerifiedPasswordCache({ clock: new ManualClock() }, { maxAgeMs: 1000, maxEntries: 3 });
  for (const user of ['a', 'b', 'c', 'd']) cache.add(user, 'secret', 'hash');
  expect(['a', 'b', 'c', 'd'].map((user) => cache.has(user, 'secret', 'hash'))).toEqual([
    false,
    true,
    true,
    true,
  ]);
});

test('keys differ from process to process and do not show the password', () => {
  const clock = new ManualClock();
  const first = createVerifiedPasswordCache({ clock });
  const second = createVerifiedPasswordCache({ clock });
  expect(first.key('anna', 'secret')).toBe(first.key('anna', 'secret'));
  expect(first.key('anna', 'secret')).not.toBe(second.key('anna', 'secret'));
  expect(first.key('anna', 'hunter2')).not.toContain('hunter2');
});
