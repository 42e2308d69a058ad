import { expect, test } from 'vitest';
import { ApiError } from '../api/index.ts';
import { arrivalOf, pauseBeforeSearch } from './queries.ts';

const sent = { query: 'q', startedAt: 1000 };

test('a test message has arrived, is on its way, or is not found after a minute', () => {
  expect(arrivalOf(sent, true, 1250)).toBe(250);
  expect(arrivalOf(sent, false, 1250)).toBe('on its way');
  expect(arrivalOf(sent, false, 61_000)).toBe('not found');
});

test('searches for it become rarer and end: when it is found, after a minute, or when they are refused', () => {
  const waiting = { data: 'on its way', error: null, searches: 1 } as const;
  const pauses = [1, 2, 5, 100].map((searches) => pauseBeforeSearch(sent, { ...waiting, searches }, 2000));
  expect(pauses).toEqual([...pauses].sort((a, b) => Number(a) - Number(b)));
  expect(pauses.at(-1)).toBe(5000);
  expect(pauseBeforeSearch(sent, waiting, 61_000)).toBe(false);
  expect(pauseBeforeSearch(sent, { ...waiting, data: 12 }, 2000)).toBe(false);
  const failed = (status: number) => ({ ...waiting, error: new ApiError('no', { status, code: undefined }) });
  expect(pauseBeforeSearch(sent, failed(403), 2000)).toBe(false);
  expect(pauseBeforeSearch(sent, failed(503), 2000)).toBeTypeOf('number');
});
