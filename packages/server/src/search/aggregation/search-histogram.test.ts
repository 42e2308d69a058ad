import { searchHistogramRequestSchema } from '@millrace/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { principalFor } from '#testing/api-fixture.ts';
import { createIdleSearch } from '#testing/idle-search.ts';
import type { Searches } from '../execution/index.ts';
import { createSearchHistograms, gridOf } from './search-histogram.ts';

const at = (text: string) => Date.parse(text);

test('buckets cover the whole range and are never too many', () => {
  const span = fc
    .tuple(fc.integer({ min: 1, max: 4e12 }), fc.integer({ min: 0, max: 4e12 }))
    .map(([from, length]) => ({ from, to: from + length }));
  fc.assert(
    fc.property(span, fc.integer({ min: 1, max: 1000 }), ({ from, to }, most) => {
      const { start, intervalMs, count } = gridOf({ from, to }, most, 'Europe/Berlin');
      expect(start).toBeLessThanOrEqual(from);
      expect(start + intervalMs).toBeGreaterThan(from);
      expect(start + count * intervalMs).toBeGreaterThan(to);
      expect(start + (count - 1) * intervalMs).toBeLessThanOrEqual(to);
      expect(count).toBeLessThanOrEqual(Math.max(2, most));
    }),
  );
});

test('days begin at midnight of the zone', () => {
  const span = { from: at('2026-06-01T15:00:00Z'), to: at('2026-08-01T15:00:00Z') };
  const { start, intervalMs } = gridOf(span, 120, 'America/New_York');
  expect([new Date(start).toISOString(), intervalMs]).toEqual(['2026-06-01T04:00:00.000Z', 86_400_000]);
});

test('a quarter of an hour is cut into pieces of ten seconds', () => {
  const span = { from: at('2026-06-01T15:00:00.500Z'), to: at('2026-06-01T15:15:00Z') };
  expect(gridOf(span, 120, 'UTC')).toEqual({
    start: at('2026-06-01T15:00:00Z'),
    intervalMs: 10_000,
    count: 91,
  });
});

test('over all time, messages that arrive after the first and the last were asked for stay within the buckets', async () => {
  const { search, metadata } = await createIdleSearch();
  const principal = principalFor({ admin: ['*'] }, 'admin');
  if (principal === undefined) throw new Error('no such user');
  const times = [
    [-1, '1'],
    [0, '2'],
    [10, '3'],
    [11, '4'],
  ];
  const answers: object[] = [
    { earliest: '1000', latest: '11000' },
    { is_total: 1, value: null, messages: '10', times },
  ];
  const rows = (async () => [answers.shift()]) as unknown as Searches['rows'];
  const histograms = createSearchHistograms({ ...search.searches, rows });
  const timerange = { type: 'relative', range: 0 };
  const request = searchHistogramRequestSchema.parse({ query: '*', timerange, buckets: 12 });
  const found = await histograms.find({ principal }, request);
  expect(found.interval_ms).toBe(1000);
  expect(found.starts).toHaveLength(11);
  expect(found.groups[0]?.counts).toEqual([3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7]);
  await metadata.close();
});
