import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ManualClock } from '#testing/manual-clock.ts';
import { addDistributions, Distribution, summarize, withoutRecent } from './distribution.ts';

function distributionOf(values: readonly number[], clock = new ManualClock()): Distribution {
  const distribution = new Distribution(clock);
  for (const value of values) distribution.update(value);
  return distribution;
}

test('without values everything is zero', () => {
  const summary = summarize(distributionOf([]).data());
  expect({ ...summary, quantile: summary.quantile(0.99) }).toEqual({
    min: 0,
    max: 0,
    mean: 0,
    standardDeviation: 0,
    quantile: 0,
  });
});

test('mean and deviation are exact, quantiles close', () => {
  const summary = summarize(distributionOf(Array.from({ length: 1000 }, (_, index) => index + 1)).data());
  expect(summary).toMatchObject({ min: 1, max: 1000, mean: 500.5 });
  expect(summary.standardDeviation).toBeCloseTo(288.675, 3);
  for (const fraction of [0.5, 0.75, 0.95, 0.99]) {
    expect(Math.abs(summary.quantile(fraction) / (fraction * 1000) - 1)).toBeLessThan(0.035);
  }
});

test('for any values, quantiles increase, stay between min and max and within 3.5 % of the exact one', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 1e-9, max: 1e12, noNaN: true }), { minLength: 1 }), (values) => {
      const summary = summarize(distributionOf(values).data());
      const sorted = values.toSorted((a, b) => a - b);
      let last = 0;
      for (const fraction of [0.01, 0.5, 0.95, 0.99, 1]) {
        const truth = sorted[Math.max(0, Math.ceil(fraction * sorted.length) - 1)]!;
        const estimate = summary.quantile(fraction);
        expect(estimate).toBeGreaterThanOrEqual(last);
        expect(Math.abs(estimate - truth)).toBeLessThanOrEqual(truth * 0.035);
        last = estimate;
      }
    }),
  );
});

test('zero and negative values count, values that are not finite do not', () => {
  const data = distributionOf([0, -5, Number.NaN, Number.POSITIVE_INFINITY, 4]).data();
  expect(data).toMatchObject({ count: 3, sum: -1 });
  expect(summarize(data)).toMatchObject({ min: -5, max: 4 });
});

test('merging gives the same result as collecting in one place', () => {
  const clock = new ManualClock();
  const merged = addDistributions(
    distributionOf([1, 5, 100], clock).data(),
    distributionOf([2, 5, 7000], clock).data(),
  );
  expect(merged).toEqual(distributionOf([1, 5, 100, 2, 5, 7000], clock).data());
});

test('old values count in the totals only', () => {
  const clock = new ManualClock();
  const distribution = distributionOf([1000], clock);
  clock.advance(6 * 60_000);
  distribution.update(10);
  expect(summarize(distribution.data())).toMatchObject({ min: 10, max: 1000 });
  clock.advance(6 * 60_000);
  expect(summarize(distribution.data())).toMatchObject({ min: 10, max: 10 });
  clock.advance(60 * 60_000);
  expect(summarize(distribution.data())).toMatchObject({ max: 0 });
  expect(distribution.data()).toMatchObject({ count: 2, sum: 1010 });
});

test('only the totals remain of a source that has ended', () => {
  const left = withoutRecent(distributionOf([3, 4]).data());
  expect(left).toMatchObject({ count: 2, sum: 7, recent: { count: 0, buckets: [] } });
});
