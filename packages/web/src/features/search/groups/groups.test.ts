import { expect, test } from 'vitest';
import { csvOf } from './csv.ts';
import { metricRequest, metricTitle, parseMetric } from './metrics.ts';
import { groupRows } from './queries.ts';

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
