/** Follows docs/how-to/add-a-route.md: two routes and everything that comes without another line of code. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openApiDocument } from '#api/index.ts';
import { NotFoundError } from '#core/index.ts';
import { type ApiFixture, basic, createApiFixture } from '#testing/api-fixture.ts';
import { checkRoutes, servedTo } from '#testing/route-checks.ts';
import type { Bookmark } from './contract.ts';
import { bookmarkRoutes } from './routes.ts';

const ID = '65a1b2c3d4e5f60718293a4b';
const users: Record<string, readonly string[]> = { admin: ['*'], reader: [`dashboards:read:${ID}`] };
const stored = new Map<string, Bookmark>();
const routes = bookmarkRoutes({
  bookmarks: {
    async get(id) {
      const found = stored.get(id);
      if (found === undefined) throw new NotFoundError(`There is no bookmark ${id}.`);
      return found;
    },
    async create(title) {
      const bookmark = { id: ID, title };
      stored.set(ID, bookmark);
      return bookmark;
    },
  },
});

let fixture: ApiFixture;
beforeEach(async () => {
  stored.clear();
  fixture = await createApiFixture(routes, { users });
});
afterEach(() => fixture.api.stop());

async function call(method: 'GET' | 'POST', url: string, user: string, payload?: object) {
  const answer = await fixture.api.fastify.inject({
    method,
    url: `/api${url}`,
    headers: { authorization: basic(user), 'x-requested-by': 'test' },
    ...(payload && { payload }),
  });
  return { status: answer.statusCode, body: answer.json() };
}

test('the routes answer with what their schemas declare', async () => {
  const bookmark = { id: ID, title: 'Failed logins' };
  expect(await call('POST', '/bookmarks', 'admin', { title: 'Failed logins' })).toEqual({
    status: 200,
    body: bookmark,
  });
  expect(await call('GET', `/bookmarks/${ID}`, 'reader')).toEqual({ status: 200, body: bookmark });
  expect(await call('GET', `/bookmarks/${'0'.repeat(24)}`, 'admin')).toMatchObject({ status: 404 });
});

test('a wrong request is refused with the path of its problem, before the handler runs', async () => {
  const { status, body } = await call('POST', '/bookmarks', 'admin', { title: '' });
  expect(status).toBe(400);
  expect(body).toMatchObject({ problems: [{ path: 'title' }] });
  expect(stored.size).toBe(0);
});

test('the OpenAPI document lists them with their schemas and permissions', () => {
  const { paths } = openApiDocument(routes, { version: '1' });
  expect(Object.keys(paths)).toEqual(['/bookmarks', '/bookmarks/{bookmarkId}']);
  expect(paths['/bookmarks']?.post).toMatchObject({ summary: 'Create a bookmark', tags: ['Bookmarks'] });
  expect(JSON.stringify(paths['/bookmarks'])).toContain('dashboards:create');
});

checkRoutes(() => ({ routes, ...servedTo(users, fixture) }));
