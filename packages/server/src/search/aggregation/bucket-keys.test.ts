import { expect, test } from 'vitest';
import { type BucketedTimes, bucketKeys, MAX_BUCKETS } from './bucket-keys.ts';
import { parseInterval } from './intervals.ts';

function keysOf(text: string, times: Partial<BucketedTimes> = {}) {
  const interval = parseInterval(text);
  if (interval === undefined) throw new Error(text);
  const anywhere = {
    column: 'timestamp',
    timeZone: 'UTC',
    timeZoneParameter: '{zone:String}',
    span: undefined,
  };
  return bucketKeys(interval, { ...anywhere, ...times });
}

const seconds = (...times: number[]) => times.map((time) => time / 1000);

test('of fixed length they are numbered from the epoch', () => {
  expect(keysOf('5m').between(1, 4)).toEqual([300, 600, 900, 1200]);
  expect(keysOf('minute').between(-1, 1)).toEqual([-60, 0, 60]);
});

test('of fixed length within a span they are numbered from its first one', () => {
  const span = { from: Date.UTC(2026, 0, 5, 10, 7, 30), to: Date.UTC(2026, 0, 5, 11) };
  const { startOf, between } = keysOf('5m', { span });
  expect(startOf(0)).toBe(Date.UTC(2026, 0, 5, 10, 5) / 1000);
  expect(between(0, 2)).toEqual(
    seconds(Date.UTC(2026, 0, 5, 10, 5), Date.UTC(2026, 0, 5, 10, 10), Date.UTC(2026, 0, 5, 10, 15)),
  );
});

test('days in a time zone, one of them short', () => {
  const { startOf, between } = keysOf('day', { timeZone: 'Europe/Berlin' });
  const days = between(20260328, 20260330) ?? [];
  expect(days.map((start) => new Date(start * 1000).toISOString())).toEqual([
    '2026-03-27T23:00:00.000Z',
    '2026-03-28T23:00:00.000Z',
    '2026-03-29T22:00:00.000Z',
  ]);
  expect(startOf(20260330)).toBe(days[2]);
});

test('months, quarters and years', () => {
  expect(keysOf('month').between(20251201, 20260301)).toEqual(
    seconds(Date.UTC(2025, 11), Date.UTC(2026, 0), Date.UTC(2026, 1), Date.UTC(2026, 2)),
  );
  expect(keysOf('quarter').between(20251001, 20260401)?.length).toBe(3);
  expect(keysOf('year').between(19690101, 20260101)?.length).toBe(58);
});

test('too many are not listed', () => {
  expect(keysOf('second').between(0, MAX_BUCKETS - 1)?.length).toBe(MAX_BUCKETS);
  expect(keysOf('second').between(0, MAX_BUCKETS)).toBeUndefined();
  expect(keysOf('day').between(19000101, 20990101)).toBeUndefined();
});
