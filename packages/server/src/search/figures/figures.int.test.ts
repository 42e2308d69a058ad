import { afterAll, beforeAll, expect, test } from 'vitest';
import { useTestClickHouse } from '#testing/clickhouse.ts';
import { createSearchFixture, SEARCH_NOW, type SearchFixture } from '#testing/search-fixture.ts';

const server = useTestClickHouse();
let fixture: SearchFixture;

beforeAll(async () => {
  fixture = await createSearchFixture(server(), { hasOneIndexSet: true });
});

afterAll(() => fixture.close());

const MINUTE = 60_000;
const metric = { function: 'count', field: undefined, configuration: undefined };

function counting(...queries: string[]) {
  return {
    figures: queries.map((query) => ({
      metric,
      queries: [query],
      from: SEARCH_NOW - MINUTE,
      to: SEARCH_NOW,
    })),
    groupBy: [],
    limit: 10,
  };
}

async function measured(...queries: string[]) {
  const [found] = await fixture.search.figures.measure(
    { principal: fixture.admin },
    { streams: [], basis: 'message' },
    [counting(...queries)],
  );
  return found?.rows[0]?.figures;
}

test('words are found in any case, alone and beside other figures, in new parts and in merged ones', async () => {
  const timestamp = SEARCH_NOW - 1000;
  await fixture.store([
    { message: 'Disk ERROR', timestamp },
    { message: 'disk error', timestamp },
    { message: 'all fine', timestamp },
  ]);
  const queries = ['error', 'Disk', 'error OR fine', 'NOT error', '*'];
  expect(await measured('error')).toEqual([2]);
  expect(await measured(...queries)).toEqual([2, 2, 3, 1, 3]);
  expect(await measured('error OR fine OR three OR four OR five', '*')).toEqual([3, 3]);
  await fixture.merge();
  expect(await measured('error')).toEqual([2]);
  expect(await measured('error', 'disk')).toEqual([2, 2]);
  expect(await measured(...queries)).toEqual([2, 2, 3, 1, 3]);
});
