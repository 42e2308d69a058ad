import { expect, test } from 'vitest';
import { ManualClock } from '#testing/manual-clock.ts';
import { BoundedMap, ExpiringMap } from './bounded-map.ts';

test('when the map is full the entry set longest ago makes room', () => {
  const map = new BoundedMap<string, number>({ maxEntries: 2 });
  map.set('a', 1);
  map.set('b', 2);
  map.set('a', 3);
  map.set('c', 4);
  expect([map.get('a'), map.get('b'), map.get('c'), map.size]).toEqual([3, undefined, 4, 2]);
});

test('a full map takes a new value for a key it has without dropping another', () => {
  const map = new BoundedMap<string, number>({ maxEntries: 2 });
  map.set('a', 1);
  map.set('b', 2);
  map.set('b', 3);
  expect([map.get('a'), map.get('b')]).toEqual([1, 3]);
});

test('the bound holds through any number of changes', () => {
  const map = new BoundedMap<number, number>({ maxEntries: 3 });
  for (let round = 0; round < 1000; round++) {
    map.set(round, round);
    if (round % 7 === 0) map.delete(round);
    if (round % 100 === 50) map.clear();
  }
  map.set(1000, 1000);
  map.set(1001, 1001);
  map.set(1002, 1002);
  expect(map.size).toBe(3);
  expect([1000, 1001, 1002].map((key) => map.get(key))).toEqual([1000, 1001, 1002]);
});

test('entries expire, and setting one again renews it', () => {
  const clock = new ManualClock();
  const map = new ExpiringMap<string, number>(clock, { maxEntries: 10, maxAgeMs: 1000 });
  map.set('a', 1);
  map.set('b', 2);
  clock.advance(600);
  map.set('a', 3);
  clock.advance(400);
  expect([map.get('a'), map.get('b')]).toEqual([3, undefined]);
  clock.advance(600);
  expect(map.get('a')).toBe(undefined);
});
