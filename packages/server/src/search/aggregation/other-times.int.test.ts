import { aggregateRequestSchema } from '@millrace/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useTestClickHouse } from '#testing/clickhouse.ts';
import { createSearchFixture, SEARCH_NOW, type SearchFixture } from '#testing/search-fixture.ts';

const server = useTestClickHouse();
let fixture: SearchFixture;

beforeAll(async () => {
  fixture = await createSearchFixture(server());
});

afterAll(() => fixture.close());

const aggregate = (request: object) =>
  fixture.search.tables.aggregate({ principal: fixture.admin }, aggregateRequestSchema.parse(request));

test('groups other fields with times by time, and scales the interval that follows from the range', async () => {
  await fixture.store([
    { message: 'dated', timestamp: SEARCH_NOW - 5000, fields: { due: '2026-01-02T10:00:00.000Z' } },
    { message: 'dated', timestamp: SEARCH_NOW - 4000, fields: { due: '2026-01-02 23:59:59' } },
    { message: 'dated', timestamp: SEARCH_NOW - 3000, fields: { due: '2026-01-03T00:00:00+02:00' } },
    { message: 'dated', timestamp: SEARCH_NOW - 2000, fields: { due: 'soon' } },
    { message: 'dated', timestamp: SEARCH_NOW - 1000 },
  ]);
  const request = {
    query: 'dated',
    timerange: { type: 'relative', range: 3600 },
    metrics: [{ function: 'count' }],
  };
  const days = await aggregate({ ...request, group_by: [{ field: 'due', timeunit: '1d' }] });
  expect(days.datarows).toEqual([['2026-01-02T00:00:00.000Z', 3]]);
  const auto = await aggregate({ ...request, group_by: [{ field: 'due', timeunit: 'auto' }] });
  expect(auto.datarows).toEqual([
    ['2026-01-02T10:00:00.000Z', 1],
    ['2026-01-02T22:00:00.000Z', 1],
    ['2026-01-02T23:50:00.000Z', 1],
  ]);
  const received = await aggregate({
    ...request,
    group_by: [{ field: 'gl2_receive_timestamp', timeunit: '1M' }],
  });
  expect(received.datarows.reduce((all, [, count]) => all + Number(count), 0)).toBe(5);
  const scaled = await aggregate({ ...request, group_by: [{ field: 'timestamp', scaling: 1000 }] });
  expect(scaled.datarows).toHaveLength(1);
});
