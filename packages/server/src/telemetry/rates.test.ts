import { expect, test } from 'vitest';
import { ManualClock } from '#testing/manual-clock.ts';
import { addRates, LastSecond, Rates } from './rates.ts';

test('all windows report a steady rate', () => {
  const clock = new ManualClock();
  const rates = new Rates(clock);
  for (let second = 0; second < 3600; second++) {
    rates.mark(100);
    clock.advance(1000);
  }
  const data = rates.data();
  expect(data.count).toBe(360_000);
  for (const rate of [data.oneMinute, data.fiveMinute, data.fifteenMinute, data.mean]) {
    expect(rate).toBeCloseTo(100, 6);
  }
});

test('after silence the short window decays first, however long nobody reads it', () => {
  const clock = new ManualClock();
  const rates = new Rates(clock);
  rates.mark(500);
  clock.advance(5000);
  expect(rates.data().oneMinute).toBeCloseTo(100, 6);

  clock.advance(60_000);
  const afterMinute = rates.data();
  expect(afterMinute.oneMinute).toBeCloseTo(100 / Math.E, 6);
  expect(afterMinute.fiveMinute).toBeCloseTo(100 * Math.exp(-1 / 5), 6);
  expect(afterMinute.fifteenMinute).toBeCloseTo(100 * Math.exp(-1 / 15), 6);

  clock.advance(365 * 86_400_000);
  expect(rates.data()).toMatchObject({ count: 500, oneMinute: 0 });
});

test('a clock that is set back is harmless', () => {
  const clock = new ManualClock();
  const rates = new Rates(clock);
  rates.mark(10);
  clock.advance(-3_600_000);
  rates.mark(10);
  expect(rates.data()).toMatchObject({ count: 20, oneMinute: 0, mean: 0 });
  clock.advance(5000);
  expect(rates.data().oneMinute).toBeCloseTo(4, 6);
});

test('the last whole second is counted', () => {
  const clock = new ManualClock();
  const last = new LastSecond(clock);
  last.mark(7);
  last.mark(1);
  expect(last.read()).toBe(0);
  clock.advance(1000);
  expect(last.read()).toBe(8);
  clock.advance(999);
  expect(last.read()).toBe(8);
  clock.advance(1);
  expect(last.read()).toBe(0);
  last.mark(3);
  clock.advance(2000);
  expect(last.read()).toBe(0);
});

test('rates of two workers add up', () => {
  const one = { count: 1, oneMinute: 2, fiveMinute: 3, fifteenMinute: 4, mean: 5 };
  expect(addRates(one, one)).toEqual({ count: 2, oneMinute: 4, fiveMinute: 6, fifteenMinute: 8, mean: 10 });
});
