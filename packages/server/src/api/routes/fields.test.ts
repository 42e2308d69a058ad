import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createAnswerMemory, UnavailableError } from '#core/index.ts';
import { createSearches, createSearchSlots } from '#search/execution/index.ts';
import { createFields } from '#search/fields/index.ts';
import { createPatternSearch } from '#search/patterns/index.ts';
import { type AuthFixture, createAuthFixture } from '#testing/auth-fixture.ts';
import { ManualClock } from '#testing/manual-clock.ts';
import { openTestMetadata } from '#testing/metadata.ts';
import { checkRoutes, servedBy } from '#testing/route-checks.ts';
import { FIXTURE_LIMITS } from '#testing/search-fixture.ts';
import type { Route } from '../route.ts';
import { fieldRoutes } from './fields.ts';
import { searchPatternRoutes } from './search-patterns.ts';

/** Index sets and their fields are known even while the engine is unavailable. */
const FIELDS: Readonly<Record<string, Readonly<Record<string, ('string' | 'number')[]>>>> = {
  'set-a': { user: ['string'], took: ['number'] },
  'set-b': { user: ['number'], secret: ['string'] },
};
const away = () => {
  throw new UnavailableError('the engine is unavailable');
};
const storage = {
  fields: (ids: readonly string[] = Object.keys(FIELDS)) =>
    ids.flatMap((id) => Object.entries(FIELDS[id] ?? {}).map(([name, types]) => ({ name, types }))),
  searchTargets: () =>
    Object.keys(FIELDS).map((indexSetId) => ({
      indexSetId,
      prefix: indexSetId.slice(-1),
      database: 'db',
      table: indexSetId,
      indices: indexSetId === 'set-a' ? [3, 4] : [],
      closedIndices: [],
      incompleteBefore: undefined,
      mayHaveManyNew: false,
      mayBeLarge: false,
    })),
  clickhouse: away,
};

let fixture: AuthFixture;
let routes: Route[];
let streamA: string;
let streamB: string;
beforeEach(async () => {
  const clock = new ManualClock();
  const metadata = await openTestMetadata(clock);
  const stream = {
    title: 's',
    description: '',
    creator: 'admin',
    matchingType: 'AND',
    removeMatches: false,
    state: 'running',
    contentPack: null,
  } as const;
  const { streams } = metadata.repositories;
  streamA = (await streams.insert({ ...stream, indexSetId: 'set-a' }, [])).id;
  streamB = (await streams.insert({ ...stream, indexSetId: 'set-b' }, [])).id;
  fixture = await createAuthFixture({
    metadata,
    clock,
    moreRoutes: async () => {
      const slots = createSearchSlots(FIXTURE_LIMITS);
      const searches = createSearches(
        {
          storage,
          streams: () => streams.list(),
          slots,
          answerMemory: createAnswerMemory({ maxBytes: 2 ** 30 }),
          clock,
        },
        FIXTURE_LIMITS,
      );
      routes = [
        ...fieldRoutes({ fields: createFields({ searches, storage, streams: () => streams.list() }) }),
        ...searchPatternRoutes({ patterns: createPatternSearch({ searches, clock }) }),
      ];
      return routes;
    },
  });
});
afterEach(() => fixture.close());

checkRoutes(() => ({ routes, ...servedBy(fixture) }));

describe('fields', () => {
  const names = async (as: string, method: 'GET' | 'POST' = 'GET', body?: unknown) => {
    const answer = await fixture.call(method, '/views/fields', {
      as,
      ...(body === undefined ? {} : { body }),
    });
    if (answer.status !== 200) return answer.status;
    return answer.body
      .map(({ name }: { name: string }) => name)
      .filter((name: string) => /^[stu]/.test(name));
  };
  const OWN = ['source', 'streams', 'timestamp'];

  test('come from the index sets of readable streams', async () => {
    await fixture.addUser('a', [`streams:read:${streamA}`], []);
    await fixture.addUser('none', [], []);
    expect(await names('admin')).toEqual(['secret', ...OWN, 'took', 'user']);
    expect(await names('a')).toEqual([...OWN, 'took', 'user']);
    expect(await names('none')).toEqual(OWN);
    expect(await names('a', 'POST', { streams: [streamA] })).toEqual([...OWN, 'took', 'user']);
    expect(await names('a', 'POST', {})).toEqual([...OWN, 'took', 'user']);
    expect(await names('a', 'POST', { streams: [streamA, streamB] })).toBe(403);
    expect(await names('admin', 'POST', { streams: [streamB] })).toEqual(['secret', ...OWN, 'user']);
    expect(await names('admin', 'POST', { streams: ['unknown'] })).toEqual(OWN);
  });

  test('have all their types and the indices they may occur in', async () => {
    const { body } = await fixture.call('GET', '/views/fields', { as: 'admin' });
    const type = (name: string) => body.find((one: { name: string }) => one.name === name).type;
    expect(type('user')).toEqual({
      type: 'compound(double,string)',
      properties: ['compound', 'enumerable'],
      index_names: ['a_3', 'a_4'],
    });
    expect(type('took')).toMatchObject({ type: 'double', properties: ['numeric', 'enumerable'] });
    expect(body.some((one: { name: string }) => one.name === '_id')).toBe(false);
    const listed = await fixture.call('GET', '/system/fields?limit=1000', { as: 'admin' });
    expect(listed.body.types.user).toEqual(['number', 'string']);
    expect((await fixture.call('GET', '/system/fields?limit=1', { as: 'admin' })).body.fields).toHaveLength(
      1,
    );
  });
});
