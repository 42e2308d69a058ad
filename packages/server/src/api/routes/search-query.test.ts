import { afterAll, beforeAll, expect, test } from 'vitest';
import { basic, createApiFixture } from '#testing/api-fixture.ts';
import { createIdleSearch, type IdleSearch } from '#testing/idle-search.ts';
import { checkRoutes, type ServedRoutes, servedTo } from '#testing/route-checks.ts';
import type { Route } from '../route.ts';
import { searchQueryRoutes } from './search-query.ts';

let idle: IdleSearch;
let served: ServedRoutes & { readonly routes: readonly Route[] };
const STREAM = 'aaaaaaaaaaaaaaaaaaaaaaaa';
const users: Record<string, readonly string[]> = {
  admin: ['*'],
  reader: [`streams:read:${STREAM}`],
  nobody: [],
};

beforeAll(async () => {
  idle = await createIdleSearch({ fields: { took_ms: ['number'] } });
  const routes = searchQueryRoutes(idle.search);
  served = { routes, ...servedTo(users, await createApiFixture(routes, { users })) };
});
afterAll(() => idle.metadata.close());

checkRoutes(() => served, { runsPerOperation: 100 });

async function post(path: string, body: object, user = 'admin') {
  const answer = await served.send({
    method: 'POST',
    url: `/api${path}`,
    headers: {
      authorization: basic(user),
      'content-type': 'application/json',
      'x-requested-by': 'test',
    },
    payload: JSON.stringify(body),
  });
  return { status: answer.statusCode, body: JSON.parse(answer.body) };
}

test('every route refuses a stream that the caller may not read', async () => {
  const bodies = {
    '/search/validate': { query: '*', streams: ['bbbbbbbbbbbbbbbbbbbbbbbb'] },
    '/search/suggest': { field: 'source', streams: ['bbbbbbbbbbbbbbbbbbbbbbbb'] },
    '/search/complete': { query: 'source:a', streams: ['bbbbbbbbbbbbbbbbbbbbbbbb'] },
  };
  for (const [path, body] of Object.entries(bodies)) {
    expect((await post(path, body, 'reader')).status, path).toBe(403);
    expect((await post(path, { ...body, streams: [STREAM] }, 'reader')).status, path).toBe(200);
    expect((await post(path, { ...body, streams: null }, 'nobody')).status, path).toBe(200);
  }
});

test('fields that the caller may not see are not revealed', async () => {
  const asked = { query: 'took_ns:5' };
  const [known] = (await post('/search/validate', asked, 'admin')).body.explanations;
  expect(known).toMatchObject({ error_type: 'UNKNOWN_FIELD' });
  const [unknown] = (await post('/search/validate', asked, 'nobody')).body.explanations;
  expect(JSON.stringify(unknown)).not.toContain('took_ms');
});

test('an invalid filter is reported with its position', async () => {
  const { status, body } = await post('/search/suggest', { field: 'a', filtering_query: 'x AND "open' });
  expect(status).toBe(400);
  expect(body).toMatchObject({ type: 'QueryParseError', line: 1, column: 7, problems: [{ path: 'query' }] });
});
