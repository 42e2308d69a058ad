import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createQueryHistory, createSavedSearches } from '#search/saved/index.ts';
import { type AuthFixture, createAuthFixture } from '#testing/auth-fixture.ts';
import { ManualClock } from '#testing/manual-clock.ts';
import { openTestMetadata } from '#testing/metadata.ts';
import { checkRoutes, servedBy } from '#testing/route-checks.ts';
import type { Route } from '../route.ts';
import { savedSearchRoutes } from './saved-searches.ts';

let fixture: AuthFixture;
let routes: Route[];
beforeEach(async () => {
  const clock = new ManualClock();
  const metadata = await openTestMetadata(clock);
  fixture = await createAuthFixture({
    metadata,
    clock,
    moreRoutes: async ({ audit }) => {
      routes = savedSearchRoutes({
        saved: createSavedSearches({ metadata, audit }),
        history: createQueryHistory(metadata.repositories.searchHistory),
      });
      return routes;
    },
  });
});
afterEach(() => fixture.close());

const UNKNOWN = 'cccccccccccccccccccccccc';
const ALL = ['savedsearches:create', 'savedsearches:edit', 'savedsearches:read'];
const search = {
  title: 'Errors of the shop',
  description: 'what went wrong',
  query: 'level:<4 AND app:shop',
  timerange: { type: 'relative', range: 300 },
  streams: ['000000000000000000000001'],
  fields: ['timestamp', 'message'],
  sort: [{ field: 'timestamp', order: 'desc' }],
  state: { view: 'patterns', cols: 'source~140,message' },
};
const call: AuthFixture['call'] = (method, path, options = {}) =>
  fixture.call(method, path, { as: 'admin', ...options });
async function create(body: Record<string, unknown> = search, as = 'admin'): Promise<string> {
  const created = await call('POST', '/search/saved', { as, body });
  if (created.status !== 201) throw new Error(created.text);
  return created.body.search_id;
}

checkRoutes(() => ({ routes, ...servedBy(fixture) }));

describe('saved searches', () => {
  test('are created (201 with the id), read, replaced and deleted', async () => {
    const created = await call('POST', '/search/saved', { body: search });
    const id = created.body.search_id;
    expect([created.status, created.headers.location]).toEqual([201, `/api/search/saved/${id}`]);
    const stored = {
      ...search,
      id,
      created_at: '2026-01-01T00:00:00.000Z',
      last_updated_at: '2026-01-01T00:00:00.000Z',
      creator_user_id: 'admin',
    };
    expect((await call('GET', `/search/saved/${id}`)).body).toEqual(stored);
    const numbers = { total: 1, count: 1, page: 1, per_page: 10_000 };
    expect((await call('GET', '/search/saved')).body).toEqual({
      ...numbers,
      pagination: numbers,
      searches: [stored],
      elements: [stored],
    });
    const second = await call('GET', '/search/saved?page=2&per_page=1');
    expect(second.body).toMatchObject({ total: 1, count: 0, elements: [] });

    fixture.clock.advance(1000);
    const replaced = await call('PUT', `/search/saved/${id}`, { body: { title: 'All', query: '*' } });
    expect([replaced.status, replaced.body]).toEqual([
      200,
      {
        id,
        title: 'All',
        description: null,
        query: '*',
        created_at: '2026-01-01T00:00:00.000Z',
        last_updated_at: '2026-01-01T00:00:01.000Z',
        creator_user_id: 'admin',
      },
    ]);
    expect((await call('DELETE', `/search/saved/${id}`)).status).toBe(204);
    for (const method of ['GET', 'DELETE'] as const) {
      expect((await call(method, `/search/saved/${id}`)).status).toBe(404);
    }
    const missing = await call('PUT', `/search/saved/${UNKNOWN}`, { body: search });
    expect([missing.status, missing.body.message]).toEqual([404, `Saved search ${UNKNOWN} not found!`]);
  });

  test("keep Graylog's query object unchanged", async () => {
    const query = { query: 'foo', rangeType: 'relative', range: 300, fields: 'a,b', interval: null };
    const id = await create({ title: 'Old', query });
    expect((await call('GET', `/search/saved/${id}`)).body).toMatchObject({ title: 'Old', query });
  });

  test('need a unique title', async () => {
    const id = await create();
    const other = await create({ ...search, title: 'Other' });
    for (const [method, path] of [
      ['POST', '/search/saved'],
      ['PUT', `/search/saved/${other}`],
    ] as const) {
      const taken = await call(method, path, { body: search });
      expect([taken.status, taken.body.message]).toEqual([
        400,
        'Cannot save search Errors of the shop. Title is already taken.',
      ]);
    }
    expect((await call('PUT', `/search/saved/${id}`, { body: search })).status).toBe(200);
    const atOnce = await Promise.all(
      Array.from({ length: 5 }, () => call('POST', '/search/saved', { body: { ...search, title: 'New' } })),
    );
    expect(atOnce.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400]);
  });

  test.each([
    [{ query: '*' }, 'title'],
    [{ title: ' ', query: '*' }, 'a title cannot be blank'],
    [{ title: 'a\nb', query: '*' }, 'control characters'],
    [{ title: 'a' }, 'query'],
    [{ title: 'a', query: '*', querys: 1 }, 'querys'],
    [{ title: 'a', query: '*', timerange: { type: 'sometimes' } }, 'timerange'],
    [{ title: 'a', query: 'x'.repeat(70_000) }, 'larger than 65536'],
    [{ title: 'a', query: '*', state: { long: 'x'.repeat(17_000) } }, 'larger than 16384'],
    [{ title: 'a', query: '*', state: 'patterns' }, 'state'],
  ])('refuse %j', async (body, reason) => {
    const answer = await call('POST', '/search/saved', { body });
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(reason)]);
  });

  test('belong to their creator, even without permission to edit others', async () => {
    await fixture.addUser('maker', ['savedsearches:create'], []);
    await fixture.addUser('other', ['savedsearches:create'], []);
    const id = await create({ ...search, title: 'Mine' }, 'maker');
    const theirs = await create({ ...search, title: 'Theirs' }, 'other');
    const listed = await call('GET', '/search/saved', { as: 'maker' });
    expect(listed.body.searches.map((one: { id: string }) => one.id)).toEqual([id]);
    for (const method of ['GET', 'DELETE'] as const) {
      expect((await call(method, `/search/saved/${theirs}`, { as: 'maker' })).status).toBe(403);
    }
    expect((await call('PUT', `/search/saved/${theirs}`, { as: 'maker', body: search })).status).toBe(403);
    expect((await call('PUT', `/search/saved/${id}`, { as: 'maker', body: search })).status).toBe(200);
    const granted = async () =>
      (await call('GET', '/users/maker')).body.permissions.filter((one: string) => one.includes(id));
    expect((await granted()).sort()).toEqual([`savedsearches:edit:${id}`, `savedsearches:read:${id}`]);
    expect((await call('DELETE', `/search/saved/${id}`, { as: 'maker' })).status).toBe(204);
    expect(await granted()).toEqual([]);
  });

  test('of others can be seen and changed with the permission for all', async () => {
    const id = await create();
    await fixture.addUser('reader', ALL, []);
    expect((await call('GET', '/search/saved', { as: 'reader' })).body.total).toBe(1);
    expect((await call('DELETE', `/search/saved/${id}`, { as: 'reader' })).status).toBe(204);
  });

  test('are recorded in the audit log', async () => {
    const id = await create();
    await call('PUT', `/search/saved/${id}`, { body: { ...search, title: 'New' } });
    await call('DELETE', `/search/saved/${id}`);
    const { body } = await call('GET', `/system/audit?object_type=saved_search&object_id=${id}`);
    expect(JSON.stringify(body)).toContain('saved_search.delete');
    expect(JSON.stringify(body)).toContain('saved_search.update');
    expect(JSON.stringify(body)).toContain('saved_search.create');
  });
});

describe('the queries a user has used', () => {
  const used = async (as: string, limit = '') =>
    (await call('GET', `/search/history${limit}`, { as })).body.queries;
  const use = (as: string, query: string) => call('POST', '/search/history', { as, body: { query } });

  test('are visible only to that user, each once, most recently used first', async () => {
    await fixture.addUser('anna');
    for (const query of ['a', 'b', ' a ']) {
      fixture.clock.advance(1000);
      expect((await use('anna', query)).status).toBe(204);
    }
    await use('admin', 'c');
    expect(await used('anna')).toEqual([
      { query: 'a', used_at: '2026-01-01T00:00:03.000Z', uses: 2 },
      { query: 'b', used_at: '2026-01-01T00:00:02.000Z', uses: 1 },
    ]);
    expect(await used('anna', '?limit=1')).toHaveLength(1);
    expect((await used('admin')).map(({ query }: { query: string }) => query)).toEqual(['c']);
  });

  test('have the time range and the streams of their last use', async () => {
    const scope = {
      timerange: { type: 'keyword', keyword: 'yesterday' },
      streams: ['000000000000000000000001'],
    };
    await call('POST', '/search/history', { body: { query: 'a', ...scope } });
    expect(await used('admin')).toEqual([{ query: 'a', uses: 1, used_at: expect.anything(), ...scope }]);
    await use('admin', 'a');
    expect(await used('admin')).toEqual([{ query: 'a', uses: 2, used_at: expect.anything() }]);
    const wrong = { query: 'a', timerange: { type: 'sometimes' } };
    expect((await call('POST', '/search/history', { body: wrong })).status).toBe(400);
  });

  test('can be deleted one by one or all, and only the last 50 are kept', async () => {
    for (let i = 0; i < 55; i++) {
      fixture.clock.advance(1);
      await use('admin', `query ${i}`);
    }
    for (const empty of ['', '  ', '\0']) expect((await use('admin', empty)).status).toBe(204);
    const queries = await used('admin');
    expect([queries.length, queries[0].query, queries.at(-1).query]).toEqual([50, 'query 54', 'query 5']);
    expect((await call('DELETE', '/search/history?query=query%2054')).status).toBe(204);
    expect((await used('admin'))[0].query).toBe('query 53');
    expect((await call('DELETE', '/search/history')).status).toBe(204);
    expect(await used('admin')).toEqual([]);
  });
});
