/**
 * Nothing that a reader of one stream can ask tells of the fields of another stream in the same index set: every answer
 * is the same whether the other stream has messages or not.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  fieldRoutes,
  messageExportRoutes,
  scriptingSearchRoutes,
  searchHistogramRoutes,
  searchPatternRoutes,
  searchQueryRoutes,
  universalSearchRoutes,
  viewSearchRoutes,
} from '#api/index.ts';
import type { FieldValue } from '#core/index.ts';
import { useTestClickHouse } from '#testing/clickhouse.ts';
import { createSearchFixture, type SearchFixture } from '#testing/search-fixture.ts';

const server = useTestClickHouse();
let fixture: SearchFixture;
/** The stream that the reader may read, and another one of the same index set. */
let web: string;
let other: string;

beforeAll(async () => {
  fixture = await createSearchFixture(server(), {
    hasOneIndexSet: true,
    routes: ({ search }) => [
      ...fieldRoutes(search),
      ...messageExportRoutes(search),
      ...scriptingSearchRoutes(search),
      ...searchHistogramRoutes(search),
      ...searchPatternRoutes(search),
      ...searchQueryRoutes(search),
      ...universalSearchRoutes(search),
      ...viewSearchRoutes({ ...search, nodeId: 'node-1' }),
    ],
  });
  web = fixture.streamId('web');
  const stream = { title: 'other', description: '', creator: 'admin', matchingType: 'AND' } as const;
  const { id } = await fixture.metadata.repositories.streams.insert(
    {
      ...stream,
      removeMatches: false,
      indexSetId: fixture.indexSetId('web'),
      state: 'running',
      contentPack: null,
    },
    [],
  );
  other = id;
  const permissions = ['searches:relative', 'fieldnames:read'];
  await fixture.auth.addUser('reader', [`streams:read:${web}`, ...permissions], []);
  await fixture.auth.addUser('both', [`streams:read:${web}`, `streams:read:${other}`, ...permissions], []);
  await store([web], { known: 'x' });
});
afterAll(() => fixture.close());

function store(streams: readonly string[], fields: Readonly<Record<string, FieldValue>>) {
  return fixture.store([{ message: 'a message', fields, streams, indexSets: ['web'] }]);
}

const ALL_TIME = { type: 'relative', range: 0 } as const;

/** Requests that could tell whether there is a field of this name. */
function probesOf(name: string): readonly (readonly [method: 'GET' | 'POST', path: string, body?: object])[] {
  const queries = [`${name}:1`, `_exists_:${name}`, `NOT ${name}:x`, `${name}x:1`, `${name}=1`, `${name}:>5`];
  const search = { timerange: ALL_TIME, query: '*', streams: [] };
  const part = { id: 'm', timerange: ALL_TIME, type: 'messages', limit: 10, offset: 0 };
  const pivot = {
    id: 'p',
    type: 'pivot',
    row_groups: [{ type: 'values', fields: [name], limit: 5 }],
    series: [{ type: 'count', id: 'count()' }],
    rollup: true,
  };
  return [
    ['GET', '/system/fields'],
    ['GET', '/system/fields?limit=1000'],
    ['GET', '/views/fields'],
    ['POST', '/views/fields', { streams: [web] }],
    ...queries.flatMap(
      (query) =>
        [
          ['POST', '/search/validate', { query }],
          ['POST', '/search/validate', { query, streams: [web] }],
          ['GET', `/search/universal/relative?range=0&query=${encodeURIComponent(query)}`],
          ['POST', '/search/messages', { ...search, query, fields: ['message'] }],
        ] as const,
    ),
    ...[name, name.slice(0, 3), `${name.slice(0, -1)}x`].flatMap(
      (query) =>
        [
          ['POST', '/search/complete', { query, size: 50 }],
          ['POST', '/search/complete', { query, size: 50, streams: [web] }],
        ] as const,
    ),
    ['POST', '/search/suggest', { field: name, input: '', size: 10, timerange: ALL_TIME }],
    ['POST', '/search/messages', { ...search, fields: [name, 'message'], sort: name }],
    [
      'POST',
      '/search/aggregate',
      { ...search, group_by: [{ field: name }], metrics: [{ function: 'max', field: name }] },
    ],
    ['POST', '/search/facets', { ...search, fields: [name] }],
    ['POST', `/search/fields/${encodeURIComponent(name)}/statistics`, search],
    ['POST', '/search/histogram', { ...search, buckets: 5 }],
    ['POST', '/search/patterns', search],
    ['GET', `/search/universal/relative/terms?field=${encodeURIComponent(name)}&query=*&range=0`],
    [
      'POST',
      '/views/search/messages',
      { query_string: '*', timerange: ALL_TIME, fields_in_order: ['message', name] },
    ],
    [
      'POST',
      '/views/search/sync',
      {
        queries: [
          {
            id: 'q',
            timerange: ALL_TIME,
            query: { type: 'elasticsearch', query_string: '*' },
            search_types: [part, pivot],
          },
        ],
      },
    ],
  ];
}

/** Without what differs between two equal answers: times that something took, and random ids. */
function comparable(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, each: unknown) =>
      /^(time|took_ms|duration|id|execution|search_id|executing_node|started_at|finished_at|query_time)$/.test(
        key,
      )
        ? undefined
        : each,
    ) ?? 'null',
  );
}

async function answers(as: string, name: string): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for (const [method, path, body] of probesOf(name)) {
    const { status, body: answer } = await fixture.call(method, path, { as, ...(body && { body }) });
    if (status !== 200) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`);
    found.push({ method, path, asked: body, answer: comparable(answer) });
  }
  return found;
}

const namesFor = async (as: string): Promise<string[]> =>
  (await fixture.call('GET', '/system/fields', { as })).body.fields;

test('every answer to the reader is the same, whatever fields another stream has', async () => {
  const secret = { secret_name: 'x', secret_number: 1, secret_flag: true, known: 5 };
  const names = ['secret_number', 'known'];
  const before: unknown[] = [];
  for (const name of names) before.push(await answers('reader', name));
  const adminBefore = await answers('admin', 'secret_number');
  await store([other], secret);
  const after: unknown[] = [];
  for (const name of names) after.push(await answers('reader', name));
  expect(after).toEqual(before);
  // The probes can tell a difference.
  expect(await answers('admin', 'secret_number')).not.toEqual(adminBefore);
  expect(await namesFor('both')).toEqual(expect.arrayContaining(names));
});

test('a field is known to the reader as soon as a message of their stream has it, with its types there only', async () => {
  await store([other], { shared: 1, shared_types: 'x' });
  expect(await namesFor('reader')).not.toContain('shared');
  await store([web, other], { shared: 'x' });
  await store([web], { shared_types: 5 });
  const { types } = (await fixture.call('GET', '/system/fields', { as: 'reader' })).body;
  expect(types).toMatchObject({ shared: ['string'], shared_types: ['number'] });
  const { body } = await fixture.call('GET', '/views/fields', { as: 'reader' });
  expect(body).toContainEqual(
    expect.objectContaining({ name: 'shared', type: expect.objectContaining({ type: 'string' }) }),
  );
  const all = (await fixture.call('GET', '/system/fields', { as: 'admin' })).body.types;
  expect(all).toMatchObject({ shared: ['number', 'string'], shared_types: ['number', 'string'] });
});

test('rotation changes nothing about it', async () => {
  const before = await namesFor('reader');
  await fixture.storage.indexSets.cycle(fixture.caller, fixture.indexSetId('web'));
  await store([other], { after_rotation: 1 });
  expect(await namesFor('reader')).toEqual(before);
  await store([web], { after_rotation_too: 1 });
  expect(await namesFor('reader')).toEqual([...before, 'after_rotation_too'].sort());
});

test('of messages in any streams, the reader knows exactly the fields of those in theirs', async () => {
  let run = 0;
  const message = fc.record({
    streams: fc.constantFrom([0], [1], [0, 1]),
    fields: fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd.e'), fc.constantFrom<FieldValue>('x', 1, true)),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 6 }), async (messages) => {
      const prefix = `run${++run}_`;
      const typesIn = new Map<string, Map<string, Set<string>>>([web, other].map((id) => [id, new Map()]));
      for (const { streams, fields } of messages) {
        const ids = streams.map((place) => [web, other][place] ?? '');
        const named = Object.entries(fields).map(([name, value]) => [`${prefix}${name}`, value] as const);
        await store(ids, Object.fromEntries(named));
        for (const [name, value] of named) {
          for (const id of ids) {
            const types = typesIn.get(id) ?? new Map();
            types.set(name, (types.get(name) ?? new Set()).add(typeof value));
          }
        }
      }
      const { types } = (await fixture.call('GET', '/system/fields', { as: 'reader' })).body;
      const known = Object.entries(types).filter(([name]) => name.startsWith(prefix));
      const expected = [...(typesIn.get(web) ?? [])].map(([name, found]) => [name, [...found].sort()]);
      expect(Object.fromEntries(known)).toEqual(Object.fromEntries(expected));
    }),
    { numRuns: 8 },
  );
});
