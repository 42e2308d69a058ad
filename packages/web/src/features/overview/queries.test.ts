import { expect, test } from 'vitest';
import { lastDay } from './queries.ts';

test('the last day has a value for each of its hours, the present one last', () => {
  const until = Date.parse('2026-01-02T10:30:00Z');
  const hours = lastDay(
    { '2026-01-02T10:00:00.000Z': 5, '2026-01-01T11:00:00.000Z': 7, '2026-01-01T10:00:00.000Z': 9 },
    until,
  );
  expect(hours).toHaveLength(24);
  expect(hours.at(-1)).toBe(5);
  expect(hours[0]).toBe(7);
  expect(hours.reduce((sum, bytes) => sum + bytes)).toBe(12);
});
