import { viewSearchRequestSchema } from '@millrace/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { principalFor } from '#testing/api-fixture.ts';
import { createIdleSearch, type IdleSearch } from '#testing/idle-search.ts';

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

async function run(query: object) {
  const principal = principalFor({ admin: ['*'] }, 'admin');
  if (principal === undefined) throw new Error('no such user');
  const request = viewSearchRequestSchema.parse({
    queries: [{ id: 'q', search_types: [{ id: 'm', type: 'messages' }], ...query }],
  });
  const { results } = await idle.search.views.run({ principal }, request);
  return results.q;
}

test('messages of one stream, or of one of several', async () => {
  const stream = (id: string) => ({ type: 'stream', id });
  expect((await run({ filter: stream('a') }))?.errors).toEqual([]);
  expect((await run({ filter: { type: 'or', filters: [stream('a'), stream('b')] } }))?.errors).toEqual([]);
  expect((await run({ filter: { type: 'and', filters: [stream('a')] } }))?.errors).toEqual([]);
  expect(idle.statements.every((sql) => sql.includes('hasAny(streams'))).toBe(true);
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
])('a filter %s is refused, instead of searching in more', async (_name, filter, words) => {
  expect((await run({ filter }))?.errors).toMatchObject([{ description: expect.stringContaining(words) }]);
  expect(idle.statements).toEqual([]);
});

test('all statements of a pivot look at the same time, also at all of it', async () => {
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
