import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { autoInterval, bucketStart, bucketsBetween, MAX_BUCKETS, parseInterval } from './intervals.ts';

describe('the text of an interval', () => {
  test.each([
    ['minute', 'minute'],
    ['MINUTE', 'minute'],
    ['Hours', 'hour'],
    ['1m', 'minute'],
    ['5m', '5m'],
    ['1M', 'month'],
    ['90 seconds', '90s'],
    ['12H', '12h'],
    ['1 week', 'week'],
    ['1q', 'quarter'],
    ['1Y', 'year'],
  ])('%s is %s', (text, name) => {
    expect(parseInterval(text)?.name).toBe(name);
  });

  test.each(['auto', 'AUTO', ' '])('%j depends on the time range', (text) => {
    expect(parseInterval(text)).toBeUndefined();
  });

  test.each([
    '',
    '0m',
    '-1m',
    '1.5h',
    'minute; DROP',
    '5',
    'm',
    '5 fortnights',
    '2d',
    '9999999m',
    '2 months',
  ])('%j is refused', (text) => {
    if (text === '') expect(parseInterval(text)).toBeUndefined();
    else expect(() => parseInterval(text)).toThrow(/interval/i);
  });

  test('any text is either an interval or an InvalidError', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        try {
          const interval = parseInterval(text);
          expect(interval === undefined || interval.count > 0).toBe(true);
        } catch (error) {
          expect(error).toMatchObject({ name: 'InvalidError' });
        }
      }),
    );
  });
});

test.each([
  [0, 'second'],
  [60, 'second'],
  [300, '5s'],
  [3600, '30s'],
  [86_400, '30m'],
  [7 * 86_400, '3h'],
  [90 * 86_400, 'day'],
  [3 * 365 * 86_400, 'month'],
  [1e12, 'year'],
])('auto over %i seconds is %s', (seconds, name) => {
  expect(autoInterval({ from: 5000, to: 5000 + seconds * 1000 }).name).toBe(name);
});

describe('the buckets between two others', () => {
  const interval = (text: string) => {
    const parsed = parseInterval(text);
    if (parsed === undefined) throw new Error(text);
    return parsed;
  };

  test('of fixed length', () => {
    expect(bucketsBetween(interval('5m'), 300, 1200, 'UTC')).toEqual([300, 600, 900, 1200]);
    expect(bucketsBetween(interval('minute'), -60, 60, 'UTC')).toEqual([-60, 0, 60]);
  });

  test('days in a time zone, one of them short', () => {
    const days = bucketsBetween(interval('day'), 20260328, 20260330, 'Europe/Berlin') ?? [];
    expect(days.map((start) => new Date(start * 1000).toISOString())).toEqual([
      '2026-03-27T23:00:00.000Z',
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
    ]);
    expect(bucketStart(interval('day'), 20260330, 'Europe/Berlin')).toBe(days[2]);
  });

  test('months, quarters and years', () => {
    expect(bucketsBetween(interval('month'), 20251201, 20260301, 'UTC')).toEqual(
      [Date.UTC(2025, 11), Date.UTC(2026, 0), Date.UTC(2026, 1), Date.UTC(2026, 2)].map(
        (time) => time / 1000,
      ),
    );
    expect(bucketsBetween(interval('quarter'), 20251001, 20260401, 'UTC')?.length).toBe(3);
    expect(bucketsBetween(interval('year'), 19690101, 20260101, 'UTC')?.length).toBe(58);
  });

  test('undefined if there are too many', () => {
    expect(bucketsBetween(interval('second'), 0, MAX_BUCKETS - 1, 'UTC')?.length).toBe(MAX_BUCKETS);
    expect(bucketsBetween(interval('second'), 0, MAX_BUCKETS, 'UTC')).toBeUndefined();
    expect(bucketsBetween(interval('day'), 19000101, 20990101, 'UTC')).toBeUndefined();
  });
});
