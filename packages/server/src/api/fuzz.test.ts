import { booleanParameter, entityIdParameter, integerParameter, listParameter } from '@millrace/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { NotFoundError } from '#core/index.ts';
import { type ApiFixture, basic, createApiFixture, fixtureAuthenticator } from '#testing/api-fixture.ts';
import { type FuzzRequest, fuzzApi, problemOf } from '#testing/api-fuzz.ts';
import { permissionMatrixProblems } from '#testing/permission-matrix.ts';
import { openApiDocument } from './openapi/document.ts';
import { defineRoute, type Route } from './route.ts';
import { apiBrowserRoutes } from './routes/api-browser.ts';
import { rootRoutes } from './routes/root.ts';

const matcher = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('exact'), value: z.string() }),
  z.strictObject({ kind: z.literal('range'), from: z.number(), to: z.number().nullable() }),
]);
const thing = z.strictObject({
  title: z.string().min(1).max(20),
  count: z.int().min(0).optional(),
  when: z.iso.datetime().optional(),
  labels: z.record(z.string(), z.string()).default({}),
  matchers: z.array(z.union([matcher, z.string()])).max(5),
});

const described: Route[] = [
  ...rootRoutes({ clusterId: 'c', nodeId: 'n', version: '1' }),
  defineRoute({
    method: 'POST',
    path: '/things',
    tag: 'Things',
    summary: 'Create',
    permission: 'streams:create',
    query: z.object({ dry_run: booleanParameter().default(false) }),
    body: thing,
    responses: { 201: z.looseObject({ title: z.string() }) },
    errors: [],
    handler: async ({ body }) => body,
  }),
  defineRoute({
    method: 'GET',
    path: '/things/:thingId/rules',
    tag: 'Things',
    summary: 'List',
    permission: 'streams:read',
    instance: (params) => params.thingId,
    params: z.object({ thingId: entityIdParameter }),
    query: z.object({
      limit: integerParameter({ min: 1, max: 9 }).default(3),
      fields: listParameter().optional(),
    }),
    responses: { 200: z.strictObject({ id: z.string(), fields: z.array(z.string()) }) },
    errors: ['not_found'],
    handler: ({ params, query }) => {
      if (params.thingId.startsWith('0')) throw new NotFoundError(`Thing <${params.thingId}> not found!`);
      return { id: params.thingId, fields: query.fields ?? [] };
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/things',
    tag: 'Things',
    summary: 'Delete all',
    permission: { kind: 'authenticated' },
    responses: { 204: null },
    errors: [],
    handler: () => {},
  }),
];
const routes = [...described, ...apiBrowserRoutes(described, { version: '1' })];
const document = openApiDocument(described, { version: '1' });

const users: Record<string, string[]> = { admin: ['*'] };
let fixture: ApiFixture;
const send = (request: FuzzRequest) =>
  fixture.api.fastify.inject({ ...request, headers: { ...request.headers } });

beforeAll(async () => {
  fixture = await createApiFixture(routes, { authenticator: fixtureAuthenticator(users) });
});
afterAll(() => fixture.api.stop());

test('random requests to every operation are answered, never with an internal error', async () => {
  const report = await fuzzApi(document, {
    send,
    credentials: { authorization: basic('admin') },
    runsPerOperation: 150,
  });
  expect(report.operations).toBe(4);
  // The fuzzer reaches both handlers and checks.
  for (const status of [200, 201, 204, 400, 404])
    expect(Object.keys(report.statuses)).toContain(String(status));
}, 60_000);

test('the fuzzer finds a handler that fails on some input', async () => {
  const faulty = described.map((route) =>
    route.path === '/things' && route.method === 'POST'
      ? {
          ...route,
          handler: ({ body }: { body: unknown }) => ({
            title: (body as z.infer<typeof thing>).when!.slice(1),
          }),
        }
      : route,
  ) as Route[];
  const broken = await createApiFixture(faulty);
  await expect(
    fuzzApi(document, {
      send: (request) => broken.api.fastify.inject({ ...request, headers: { ...request.headers } }),
      credentials: { authorization: basic('admin') },
      runsPerOperation: 200,
      seed: 1,
    }),
  ).rejects.toThrow(/answered 500/);
  await broken.api.stop();
}, 60_000);

test('answers that do not have the shape of an error are found', () => {
  const headers = { 'x-graylog-node-id': 'n', 'x-millrace-error-code': 'not_found' };
  const f = (answer: Parameters<typeof problemOf>[0]) => problemOf(answer);
  expect(f({ statusCode: 404, headers, body: '{"type":"ApiError","message":"x"}' })).toBeUndefined();
  expect(f({ statusCode: 404, headers, body: '{"message":"x"}' })).toBe('404 without type and message');
  expect(f({ statusCode: 404, headers, body: 'x' })).toBe('404 without a JSON body');
  expect(f({ statusCode: 401, headers, body: 'x' })).toBe('401 must have no body');
  expect(f({ statusCode: 500, headers, body: '' })).toBe('answered 500');
  expect(f({ statusCode: 200, headers: {}, body: '' })).toBe('the node id header is missing');
});

const userWith = async (permissions: readonly string[]) => {
  const username = `user-${permissions.join()}`.replaceAll(':', '-');
  users[username] = [...permissions];
  return { authorization: basic(username) };
};

test('every route requires its permission', async () => {
  expect(await permissionMatrixProblems(routes, { send, userWith })).toEqual([]);
});

test('the permission matrix finds a route that admits everybody, and one that admits nobody', async () => {
  const open = routes.map((route) => ({
    ...route,
    permission: { kind: 'public' } as const,
    instance: undefined,
  }));
  const careless = await createApiFixture(open as unknown as Route[], {
    authenticator: fixtureAuthenticator(users),
  });
  const problems = await permissionMatrixProblems(routes, {
    send: (request) => careless.api.fastify.inject({ ...request, headers: { ...request.headers } }),
    userWith,
  });
  expect(problems).toContain('POST /things without a user: 400, expected 401');
  expect(problems).toContain('GET /things/:thingId/rules with it for another object: 200, expected 403');
  await careless.api.stop();

  const closed = await permissionMatrixProblems(routes, { send, userWith: async () => ({}) });
  expect(closed).toContain(
    'DELETE /things by a user without permissions: 401, expected 400 for the missing CSRF header',
  );
});
