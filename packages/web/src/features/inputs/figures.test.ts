import type { MetricsSummary } from '@millrace/contract';
import { expect, test } from 'vitest';
import { figuresOf, sumOfFigures } from './figures.ts';

const record = (full_name: string, metric: object) =>
  ({ full_name, name: '', type: 'gauge', metric }) as unknown as MetricsSummary['metrics'][number];
const summary = (...metrics: MetricsSummary['metrics']): MetricsSummary => ({
  total: metrics.length,
  metrics,
});

test('figures are read by node and added up; a node that does not answer has none', () => {
  const input = { id: '1', type: 'T' };
  const figures = figuresOf([input, { id: '2', type: 'T' }], {
    a: summary(
      record('T.1.incomingMessages', { rate: { total: 40 }, rate_unit: 'events/second' }),
      record('T.1.incomingMessages.1-sec-rate', { value: 3 }),
      record('T.1.total_connections', { count: 2 }),
    ),
    b: summary(
      record('T.1.incomingMessages', { rate: { total: 2 }, rate_unit: 'events/second' }),
      record('T.1.read_bytes_total.1-sec-rate', { value: 100 }),
      record('T.1.open_connections', { value: 1 }),
    ),
    c: null,
  });
  expect([...(figures.get('1')?.keys() ?? [])]).toEqual(['a', 'b']);
  expect(sumOfFigures(figures.get('1'))).toEqual({
    perSecond: 3,
    bytesPerSecond: 100,
    openConnections: 1,
    connections: 2,
    received: 42,
  });
  expect(figures.has('2')).toBe(false);
  expect(sumOfFigures(undefined)).toBeUndefined();
});
