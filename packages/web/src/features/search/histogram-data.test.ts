import type { TableResponse } from '@millrace/contract';
import { expect, test } from 'vitest';
import { barsOf, intervalFor } from './histogram-data.ts';

const MINUTE = 60_000;

test.each([
  [1000, '1s'],
  [5 * MINUTE, '5s'],
  [15 * MINUTE, '10s'],
  [60 * MINUTE, '30s'],
  [24 * 60 * MINUTE, '15m'],
  [30 * 24 * 60 * MINUTE, '6h'],
  [100 * 365 * 24 * 60 * MINUTE, '8760h'],
])('%d ms are cut into pieces of %s', (length, name) => {
  expect(intervalFor({ from: 0, to: length }).name).toBe(name);
});

const table = (datarows: TableResponse['datarows']): TableResponse => ({
  schema: [],
  datarows,
  metadata: { effective_timerange: { type: 'absolute', from: '', to: '' } },
});

test('bars without messages are there, and what has no level stands with level 1', () => {
  const rows: TableResponse['datarows'] = [
    ['1970-01-01T00:00:00.000Z', '3', 2],
    ['1970-01-01T00:02:00.000Z', '(Empty Value)', 4],
    ['1970-01-01T00:02:00.000Z', '1', 1],
    ['1970-01-01T00:02:00.000Z', 'high', 1],
  ];
  const bars = barsOf(table(rows), { from: 30_000, to: 2 * MINUTE + 1 }, { name: '1m', ms: MINUTE });
  expect(bars.map(({ from }) => from)).toEqual([0, MINUTE, 2 * MINUTE]);
  expect(bars.map(({ counts }) => [...counts])).toEqual([[[3, 2]], [], [[1, 6]]]);
});
