import { viewSearchRequestSchema } from '@millrace/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { InvalidError, Principal } from '#core/index.ts';
import { principalFor } from '#testing/api-fixture.ts';
import { createIdleSearch, type IdleSearch } from '#testing/idle-search.ts';
import { createViewSearches } from './index.ts';
import { requireDistinctIds } from './view-search.ts';

let idle: IdleSearch;
const parameters: Readonly<Record<string, unknown>>[] = [];
beforeAll(async () => {
  idle = await createIdleSearch({
    engine: async (_sql, statement) => {
      parameters.push(statement.parameters ?? {});
      idle.clock.advance(1000);
    },
  });
});
afterAll(() => idle.metadata.close());
beforeEach(() => {
  idle.statements.length = 0;
  parameters.length = 0;
});

function requirePrincipal(): Principal {
  const principal = principalFor({ admin: ['*'] }, 'admin');
  if (principal === undefined) throw new Error('no such user');
  return principal;
}

async function run(query: object) {
  const principal = requirePrincipal();
  const request = viewSearchRequestSchema.parse({
    queries: [{ id: 'q', search_types: [{ id: 'm', type: 'messages' }], ...query }],
  });
  const { searches, messages } = idle.search;
  const views = createViewSearches({ searches, messages, clock: idle.clock });
  const { results } = await views.run({ principal }, request);
  return results.q;
}

test('a filter by one stream or by several', async () => {
  const stream = (id: string) => ({ type: 'stream', id });
  expect((await run({ filter: stream('a') }))?.errors).toEqual([]);
  expect((await run({ filter: { type: 'or', filters: [stream('a'), stream('b')] } }))?.errors).toEqual([]);
  expect((await run({ filter: { type: 'and', filters: [stream('a')] } }))?.errors).toEqual([]);
  expect(idle.statements.every((sql) => sql.includes('hasAny(streams'))).toBe(true);
});

test('streams beside the filter, as newer clients send them', async () => {
  const searched = () => JSON.stringify(parameters);
  expect((await run({ streams: ['a', 'b'] }))?.errors).toEqual([]);
  expect(searched()).toContain('["a","b"]');
  parameters.length = 0;
  expect((await run({ streams: ['a', 'b'], filter: { type: 'stream', id: 'b' } }))?.errors).toEqual([]);
  expect(searched()).toContain('["b"]');
  const neither = await run({ streams: ['a'], filter: { type: 'stream', id: 'b' } });
  expect(neither?.errors).toMatchObject([{ description: expect.stringContaining('no stream in common') }]);
});

test.each([
  [
    'of several streams at once',
    {
      type: 'and',
      filters: [
        { type: 'stream', id: 'a' },
        { type: 'stream', id: 'b' },
      ],
    },
    'streams:a AND streams:b',
  ],
  ['of a stream without an id', { type: 'stream' }, 'id'],
  [
    'of a list with one that has none',
    { type: 'or', filters: [{ type: 'stream', id: 'a' }, { type: 'stream' }] },
    'id',
  ],
])('a filter %s is refused', async (_name, filter, words) => {
  expect((await run({ filter }))?.errors).toMatchObject([{ description: expect.stringContaining(words) }]);
  expect(idle.statements).toEqual([]);
});

test('all statements of a pivot use the same time range, also for all time', async () => {
  const pivot = {
    id: 'p',
    type: 'pivot',
    series: [{ type: 'count' }],
    row_groups: [{ type: 'values', field: 'source' }],
  };
  const start = idle.clock.now();
  const result = await run({ timerange: { type: 'relative', range: 0 }, search_types: [pivot] });
  expect(result?.search_types.p).toMatchObject({
    effective_timerange: { from: '1970-01-01T00:00:00.000Z', to: new Date(start).toISOString() },
  });
  expect(idle.clock.now()).toBeGreaterThan(start);
  expect(parameters.length).toBeGreaterThan(1);
  for (const values of parameters) expect(Object.values(values)).toContain(start);
});

test('results have a total limit: a part that exceeds it is an error, earlier parts stay', async () => {
  const { searches, messages } = idle.search;
  const long = 'x'.repeat(40 * 2 ** 20);
  const views = createViewSearches({
    searches,
    clock: idle.clock,
    messages: {
      find: async (...asked) => ({
        ...(await messages.find(...asked)),
        messages: [{ id: '1', timestamp: 0, receivedAt: 0, index: 'a_0', fields: new Map([['text', long]]) }],
      }),
    },
  });
  const principal = requirePrincipal();
  const parts = ['first', 'second', 'third'].map((id) => ({ id, type: 'messages' }));
  const request = viewSearchRequestSchema.parse({ queries: [{ id: 'q', search_types: parts }] });
  const { q } = (await views.run({ principal }, request)).results;
  expect(Object.keys(q?.search_types ?? {})).toEqual(['first']);
  expect(q?.errors.map(({ search_type_id, description }) => [search_type_id, description])).toEqual([
    ['second', expect.stringContaining('exceed 64 MiB')],
    ['third', expect.stringContaining('exceed 64 MiB')],
  ]);
});

test('ids that are used twice are refused, because results are found by them', () => {
  const parts = (...ids: string[]) => ids.map((id) => ({ id, type: 'messages' }));
  const problems = (queries: object[]) => {
    try {
      requireDistinctIds(viewSearchRequestSchema.parse({ queries }));
      return [];
    } catch (error) {
      return (error as InvalidError).problems;
    }
  };
  expect(
    problems([
      { id: 'a', search_types: parts('x', 'y') },
      { id: 'b', search_types: parts('x') },
    ]),
  ).toEqual([]);
  expect(problems([{ id: 'a' }, { id: 'b' }, { id: 'a', search_types: parts('x', 'y', 'x') }])).toEqual([
    {
      path: 'queries[2].id',
      message: 'Another query has the id "a" too. Give each its own: results are found by it.',
    },
    {
      path: 'queries[2].search_types[2].id',
      message: 'Another search type has the id "x" too. Give each its own: results are found by it.',
    },
  ]);
});
