import { expect, test } from 'vitest';
import { csvOf } from './csv.ts';
import { metricRequest, metricTitle, parseMetric } from './metrics.ts';
import { groupRows, linesOf } from './queries.ts';

test('figures as they stand in the URL, as a title and as a request', () => {
  expect(metricTitle(parseMetric('count'))).toBe('Messages');
  expect(metricTitle(parseMetric('p95:took:ms'))).toBe('95 % below, of took:ms');
  expect(metricRequest(parseMetric('p95:took'), false)).toEqual({
    function: 'percentile',
    field: 'took',
    configuration: { percentile: 95 },
  });
  expect(metricRequest(parseMetric('count'), true)).toEqual({ function: 'count', sort: 'desc' });
});

test('rows of the table', () => {
  expect(groupRows([['web-1', 3, 12, '-']], 2)).toEqual([
    { key: '["web-1","3"]', values: ['web-1', '3'], figures: [12, undefined] },
  ]);
});

test('lines over time have the times of all of them', () => {
  const rows = groupRows(
    [
      ['web-1', '2026-11-19T12:01:00.000Z', 5],
      ['web-1', '2026-11-19T12:00:00.000Z', 3],
      ['web-2', '2026-11-19T12:02:00.000Z', 4],
    ],
    2,
  );
  const noon = Date.UTC(2026, 10, 19, 12);
  expect(linesOf(rows)).toEqual({
    starts: [noon, noon + 60_000, noon + 120_000],
    lines: [
      { value: 'web-1', figures: [3, 5, undefined] },
      { value: 'web-2', figures: [undefined, undefined, 4] },
    ],
  });
});

test('CSV is safe for spreadsheets', () => {
  expect(
    csvOf(
      ['source', 'Messages'],
      [
        ['=1+1', 2],
        ['a "b", c', undefined],
      ],
    ),
  ).toBe('source,Messages\r\n\'=1+1,2\r\n"a ""b"", c",');
});
