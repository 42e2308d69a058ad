import { describe, expect, test } from 'vitest';
import { formatAge, formatDuration } from './duration.ts';
import { formatClock, formatInstant, parseInstant, zoneName } from './instant.ts';

const INSTANT = Date.UTC(2026, 10, 15, 9, 59, 59, 120);

test('times of the API are read in all their forms', () => {
  for (const text of [
    '2026-11-15T09:59:59.120Z',
    '2026-11-15T10:59:59.120+0100',
    '2026-11-15T09:59:59.120+00:00',
  ]) {
    expect(parseInstant(text)).toBe(INSTANT);
  }
  expect(parseInstant('yesterday')).toBeUndefined();
});

test('an instant is shown in its zone', () => {
  expect(formatInstant(INSTANT, 'UTC')).toBe('2026-11-15 09:59:59');
  expect(formatInstant(INSTANT, 'Europe/Berlin', 'millisecond')).toBe('2026-11-15 10:59:59.120');
  expect(formatInstant(Date.UTC(2026, 0, 1, 0, 30), 'America/New_York', 'minute')).toBe('2025-12-31 19:30');
  expect(formatInstant(INSTANT, 'Asia/Kolkata', 'day')).toBe('2026-11-15');
  expect(formatClock(Date.UTC(2026, 0, 1), 'UTC')).toBe('00:00:00');
  expect(zoneName(INSTANT, 'UTC')).toBe('UTC');
});

describe('lengths of time', () => {
  test.each([
    [0, '0 ms'],
    [42.4, '42 ms'],
    [1840, '1.8 s'],
    [59_999, '59 s'],
    [61_000, '1 min 1 s'],
    [840_000, '14 min'],
    [3_600_000 * 27, '1 d 3 h'],
    [86_400_000 * 30, '30 d'],
  ])('%d ms is %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });
  test('ages are those of now', () => {
    expect(formatAge(0, 180_500)).toBe('3 min ago');
    expect(formatAge(7_200_000, 0)).toBe('in 2 h');
    expect(formatAge(1, 999)).toBe('now');
  });
});
