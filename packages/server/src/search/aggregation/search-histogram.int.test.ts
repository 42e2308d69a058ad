import { afterAll, beforeAll, expect, test } from 'vitest';
import { searchHistogramRoutes } from '#api/index.ts';
import { DEFAULT_STREAM_ID } from '#core/index.ts';
import { useTestClickHouse } from '#testing/clickhouse.ts';
import { createSearchFixture, SEARCH_NOW, type SearchFixture } from '#testing/search-fixture.ts';

const server = useTestClickHouse();
let fixture: SearchFixture;
const MINUTE = 60_000;
const START = SEARCH_NOW - 10 * MINUTE;
const RANGE = {
  type: 'absolute',
  from: new Date(START).toISOString(),
  to: new Date(START + 10 * MINUTE - 1).toISOString(),
};

beforeAll(async () => {
  fixture = await createSearchFixture(server(), { routes: ({ search }) => searchHistogramRoutes(search) });
  await fixture.store([
    ...Array.from({ length: 60 }, (_, at) => ({
      timestamp: START + at * 10_000,
      level: at % 6 === 0 ? 3 : 6,
      source: `web-${at % 4}`,
      fields: at < 30 ? { tenant: `t${at}` } : {},
    })),
    {
      timestamp: START,
      level: 6,
      source: 'both',
      streams: [DEFAULT_STREAM_ID, 'web'],
      indexSets: ['millrace', 'web'],
    },
  ]);
  await fixture.auth.addUser('web', [`streams:read:${fixture.streamId('web')}`], []);
});
afterAll(() => fixture.close());

async function ask(body: Record<string, unknown>, as = 'admin') {
  const answer = await fixture.call('POST', '/search/histogram', { as, body: { timerange: RANGE, ...body } });
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
  return answer.body;
}

test('counts the messages of each minute by level', async () => {
  const result = await ask({ by: 'level', buckets: 10 });
  expect(result).toMatchObject({ interval_ms: MINUTE, total: 61, from: RANGE.from, to: RANGE.to });
  expect(result.starts).toHaveLength(10);
  expect(result.starts[0]).toBe(RANGE.from);
  expect(result.groups).toEqual([
    { key: '6', total: 51, counts: [6, 5, 5, 5, 5, 5, 5, 5, 5, 5] },
    { key: '3', total: 10, counts: [1, 1, 1, 1, 1, 1, 1, 1, 1, 1] },
  ]);
  expect(result.other.total).toBe(0);
});

test('has one group without a field, and empty buckets for nothing', async () => {
  const { groups, other, total } = await ask({ query: 'level:3', buckets: 20 });
  expect(groups).toEqual([
    { key: null, total: 10, counts: Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? 1 : 0)) },
  ]);
  expect([other.total, total]).toEqual([0, 10]);
  const nothing = await ask({ query: 'level:2', by: 'source', buckets: 10 });
  expect(nothing).toMatchObject({ groups: [], total: 0, other: { total: 0 } });
  expect(nothing.starts).toHaveLength(10);
});

test('what is not among the largest groups is other, and what lacks the field is told', async () => {
  const { groups, other, total } = await ask({ by: 'tenant', buckets: 2, size: 3 });
  expect(groups.map(({ key, total: count }: { key: string; total: number }) => [key, count])).toEqual([
    [null, 31],
    ['t0', 1],
    ['t1', 1],
  ]);
  expect([other.total, total]).toEqual([28, 61]);
});

test('a message in several streams counts in each, and once in the total', async () => {
  const { groups, total, other } = await ask({ by: 'streams', query: 'source:both', buckets: 1 });
  expect(groups.map(({ key }: { key: string }) => key).sort()).toEqual(
    [DEFAULT_STREAM_ID, fixture.streamId('web')].sort(),
  );
  expect([total, other.total]).toEqual([1, 0]);
});

test('covers only what the user may read', async () => {
  const { groups, total } = await ask({ by: 'streams' }, 'web');
  expect([groups.map(({ key }: { key: string }) => key), total]).toEqual([[fixture.streamId('web')], 1]);
});

test('all time begins with the first message', async () => {
  const { starts, total } = await ask({ timerange: { type: 'relative', range: 0 }, buckets: 20 });
  expect([starts[0], total]).toEqual([RANGE.from, 61]);
});
