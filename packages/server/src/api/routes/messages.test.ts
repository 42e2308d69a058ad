import { afterAll, beforeAll, expect, test } from 'vitest';
import { NotFoundError } from '#core/index.ts';
import { createApiFixture } from '#testing/api-fixture.ts';
import { createIdleSearch, type IdleSearch } from '#testing/idle-search.ts';
import { checkRoutes, type ServedRoutes, servedTo } from '#testing/route-checks.ts';
import type { Route } from '../route.ts';
import { exportJobRoutes } from './export-jobs.ts';
import { messageExportRoutes } from './message-exports.ts';
import { messageRoutes } from './messages.ts';

let idle: IdleSearch;
let served: ServedRoutes & { readonly routes: readonly Route[] };
const users: Record<string, readonly string[]> = { admin: ['*'] };

beforeAll(async () => {
  idle = await createIdleSearch();
  const routes = [
    ...messageRoutes({
      ...idle.search,
      parseMessage: ({ codec }) => {
        throw new NotFoundError(`There is no codec ${codec}.`);
      },
    }),
    ...messageExportRoutes(idle.search),
    ...exportJobRoutes(idle.search),
  ];
  served = { routes, ...servedTo(users, await createApiFixture(routes, { users })) };
});
afterAll(() => idle.metadata.close());

checkRoutes(() => served, { runsPerOperation: 50 });

async function post(path: string, body: object, permissions: readonly string[], accept = '*/*') {
  const answer = await served.send({
    method: 'POST',
    url: `/api${path}`,
    headers: {
      ...(await served.userWith(permissions)),
      accept,
      'content-type': 'application/json',
      'x-requested-by': 'test',
    },
    payload: JSON.stringify(body),
  });
  return { status: answer.statusCode, text: answer.body, headers: answer.headers };
}

test.each(['/messages/search', '/views/search/messages'])(
  '%s: a stream that the caller may not read is refused by its name',
  async (path) => {
    const streams = ['aaaaaaaaaaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbbbbbbbbbb'];
    const read = streams.map((id) => `streams:read:${id}`);
    expect((await post(path, { streams }, read)).status).toBe(200);
    const refused = await post(path, { streams }, read.slice(0, 1));
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining(streams[1] ?? '')]);
    expect((await post(path, {}, [])).status).toBe(200);
  },
);

test('only users with the permission see the SQL of a search', async () => {
  expect((await post('/messages/search/sql', {}, ['streams:read'])).status).toBe(403);
  const { status, text } = await post('/messages/search/sql', { query: "it's" }, ['searches:sql']);
  expect([status, JSON.parse(text).statements.length]).toEqual([200, 2]);
  expect(idle.statements.some((sql) => sql.includes("it's"))).toBe(false);
});

test.each([
  ['text/csv', 'text/csv; charset=utf-8', '"timestamp","source","message"\n'],
  ['application/x-ndjson', 'application/x-ndjson', ''],
  ['text/plain', 'text/plain; charset=utf-8', ''],
])('an export is %s if requested', async (accept, type, text) => {
  const answer = await post('/views/search/messages', {}, [], accept);
  expect([answer.headers['content-type'], answer.text]).toEqual([type, text]);
});

test('an export is created, downloaded by a plain link under any name, and cancelled', async () => {
  const create = () => post('/views/export', { format: 'json' }, []);
  const created = await create();
  expect(created.status).toBe(201);
  const { id, total } = JSON.parse(created.text);
  expect([total, created.headers.location]).toEqual([0, `/api/views/export/${id}`]);
  const owner = await served.userWith([]);
  const get = (path: string, method: 'GET' | 'DELETE' = 'GET') =>
    served.send({ method, url: `/api${path}`, headers: { ...owner, 'x-requested-by': 'test' } });
  const name = encodeURIComponent('Fehler "heute" é.json');
  const file = await get(`/views/search/messages/job/${id}/${name}`);
  expect([file.statusCode, file.headers['content-type'], JSON.parse(file.body)]).toEqual([
    200,
    'application/json',
    [],
  ]);
  expect(file.headers['content-disposition']).toBe(
    `attachment; filename="Fehler _heute_ _.json"; filename*=UTF-8''Fehler%20%22heute%22%20%C3%A9.json`,
  );
  expect(JSON.parse((await get(`/views/export/${id}`)).body)).toMatchObject({ state: 'done', rows: 0 });
  expect((await get(`/views/export/${id}`, 'DELETE')).statusCode).toBe(200);
  expect((await get(`/views/export/${id}`)).statusCode).toBe(404);
});

test('an export of a stream that the caller may not read is refused', async () => {
  expect((await post('/views/export', { streams: ['aaaaaaaaaaaaaaaaaaaaaaaa'] }, [])).status).toBe(403);
});
