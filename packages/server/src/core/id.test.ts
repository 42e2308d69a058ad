import { expect, test } from 'vitest';
import { isEntityId, newEntityId } from './id.ts';

test('ids made in the same second sort in the order in which they were made, and later ones after them', () => {
  const now = Date.UTC(2026, 0, 1);
  const ids = Array.from({ length: 1000 }, () => newEntityId(now));
  ids.push(newEntityId(now + 1000));
  expect(ids.every(isEntityId)).toBe(true);
  expect(new Set(ids).size).toBe(1001);
  expect([...ids].sort()).toEqual(ids);
});

test('the first digits are the seconds, the last are random', () => {
  expect(newEntityId(0x65_00_00_00 * 1000)).toMatch(/^65000000/);
  const tails = Array.from({ length: 100 }, () => newEntityId(0).slice(14));
  expect(new Set(tails).size).toBe(100);
});
