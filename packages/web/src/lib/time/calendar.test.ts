import { expect, test } from 'vitest';
import { daysOfMonth, shiftMonth } from './calendar.ts';

test('a month has whole weeks, Monday first', () => {
  const days = daysOfMonth('2026-11');
  expect([days.length, days[0], days.at(-1)]).toEqual([42, '2026-10-26', '2026-12-06']);
  expect(daysOfMonth('2027-02')).toHaveLength(28);
  expect(daysOfMonth('2024-02')).toContain('2024-02-29');
});

test('months shift over the end of a year', () => {
  expect([shiftMonth('2026-12', 1), shiftMonth('2026-01', -1)]).toEqual(['2027-01', '2025-12']);
});
