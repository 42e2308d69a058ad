import { expect, test } from 'vitest';
import { trendOf } from './trend.ts';

const bars = (...starts: readonly string[]) => starts.map((from) => ({ from, present: 2, mean: null }));

test('the trend of a field covers the whole range', () => {
  const effective_timerange = { from: '2026-11-19T10:02:00.000Z', to: '2026-11-19T11:02:00.000Z' };
  const histogram = bars('2026-11-19T10:40:00.000Z', '2026-11-19T10:50:00.000Z');
  expect(trendOf({ histogram, interval: '10m', effective_timerange })).toEqual([0, 0, 0, 0, 2, 2, 0]);
  expect(trendOf({ histogram: [], interval: '10m', effective_timerange })).toEqual([]);
});

test('days, of which one has 25 hours', () => {
  const effective_timerange = { from: '2026-10-31T09:00:00.000Z', to: '2026-11-03T05:00:00.000Z' };
  const histogram = bars('2026-11-02T05:00:00.000Z');
  expect(trendOf({ histogram, interval: 'day', effective_timerange })).toEqual([0, 0, 2, 0]);
});

test('of all time only what was found is drawn', () => {
  const effective_timerange = { from: '1970-01-01T00:00:00.000Z', to: '2026-11-19T11:02:00.000Z' };
  const histogram = bars('2026-11-19T10:40:00.000Z');
  expect(trendOf({ histogram, interval: 'minute', effective_timerange })).toEqual([2]);
});
