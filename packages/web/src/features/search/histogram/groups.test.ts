import type { SearchHistogram } from '@millrace/contract';
import { expect, test } from 'vitest';
import { formatChange, histogramData, totalsOf } from './groups.ts';

const group = (key: string | null, ...counts: number[]) => ({
  key,
  total: counts.reduce((sum, count) => sum + count, 0),
  counts,
});
const answer = (groups: SearchHistogram['groups'], other: number[] = [0, 0]): SearchHistogram => ({
  from: '2026-11-15T10:00:00.000Z',
  to: '2026-11-15T10:01:59.999Z',
  interval_ms: 60_000,
  starts: ['2026-11-15T10:00:00.000Z', '2026-11-15T10:01:00.000Z'],
  groups,
  other: group(null, ...other),
  total: 0,
});
const shown = (by: string, groups: SearchHistogram['groups'], other?: number[]) =>
  histogramData(answer(groups, other), by, (value) => value.toUpperCase()).groups.map(
    ({ label, counts, colour }) => [label, colour, ...counts],
  );

test('levels share their colours, severe ones first; what is no level counts as none', () => {
  const groups = [group('6', 5, 1), group('5', 1, 1), group('3', 2, 0), group('42', 0, 3), group('1', 1, 0)];
  expect(shown('level', groups, [0, 1])).toEqual([
    ['Error', 'error', 2, 0],
    ['Info', 'info', 6, 2],
    ['Alert or no level', 'none', 1, 4],
  ]);
});

test('values of another field, then all others, then messages without it', () => {
  const groups = ['a', 'b', 'c', 'd', 'e', 'f'].map((key) => group(key, 1, 0));
  expect(shown('user', [...groups, group(null, 4, 4)], [0, 2])).toEqual([
    ...['A', 'B', 'C', 'D', 'E'].map((label, at) => [label, `series-${at + 1}`, 1, 0]),
    ['Other values', 'debug', 1, 2],
    ['No user', 'none', 4, 4],
  ]);
});

test('totals of each bar', () => {
  expect(totalsOf(answer([group('a', 1, 2), group(null, 3, 4)], [5, 6]))).toEqual([9, 12]);
});

test.each([
  [138, 100, '+38 %'],
  [96, 100, '−4 %'],
  [100, 100, '±0 %'],
  [1200, 100, '×12'],
  [3, 0, 'new'],
  [0, 0, '±0 %'],
  [0, 5, '−100 %'],
])('%d after %d is %s', (now, before, text) => {
  expect(formatChange(now, before)).toBe(text);
});
