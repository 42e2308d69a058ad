import { PERMISSION_CATALOGUE } from '@millrace/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fuzzApi } from '#testing/api-fuzz.ts';
import { type AuthFixture, basicAuth, createAuthFixture, passwordOf } from '#testing/auth-fixture.ts';
import { permissionMatrixProblems } from '#testing/permission-matrix.ts';
import { routeProblems } from '#testing/route-problems.ts';
import { openApiDocument } from '../openapi/document.ts';
import type { Route } from '../route.ts';
import { auditRoutes } from './audit.ts';
import { permissionRoutes } from './permissions.ts';
import { roleRoutes } from './roles.ts';
import { sessionRoutes } from './sessions.ts';
import { tokenRoutes } from './tokens.ts';
import { userRoutes } from './users.ts';

let fixture: AuthFixture;
let routes: Route[];
beforeAll(async () => {
  fixture = await createAuthFixture();
  const { auth } = fixture;
  routes = [
    ...userRoutes(auth),
    ...roleRoutes(auth),
    ...tokenRoutes(auth),
    ...sessionRoutes(auth),
    ...permissionRoutes(),
    ...auditRoutes(auth),
  ];
});
afterAll(() => fixture.close());

test('no route has problems', () => {
  expect(routeProblems(routes)).toEqual([]);
});

test('every required permission is in the catalogue', () => {
  const known = new Set(
    Object.entries(PERMISSION_CATALOGUE).flatMap(([group, actions]) =>
      actions.map((action) => `${group}:${action}`),
    ),
  );
  for (const { permission } of routes)
    if (typeof permission === 'string') expect(known).toContain(permission);
});

test('all of them are in the OpenAPI document', () => {
  const document = openApiDocument(routes, { version: '1.0.0' });
  const documented = Object.values(document.paths ?? {}).flatMap((path) => Object.keys(path ?? {}));
  expect(documented).toHaveLength(routes.length);
});

const credentialsOf = (name: string) => ({ authorization: basicAuth(name, passwordOf(name)) });
const inject = (request: { readonly headers: Readonly<Record<string, string>> }) =>
  fixture.api.api.fastify.inject({ ...request, headers: { ...request.headers } });

test('any request is answered without an internal error', async () => {
  const report = await fuzzApi(openApiDocument(routes, { version: '1' }), {
    send: inject,
    credentials: credentialsOf('admin'),
    runsPerOperation: 20,
  });
  expect(report.operations).toBe(routes.length);
  expect(report.statuses[200]).toBeGreaterThan(0);
  expect(report.statuses[400]).toBeGreaterThan(0);
});

test('every route requires its permission', async () => {
  let count = 0;
  // Users manage their own tokens: the permission is for their own name, see the tests of tokens.
  const others = routes.filter((route) => !route.path.includes('/tokens'));
  const problems = await permissionMatrixProblems(others, {
    send: inject,
    userWith: async (permissions) => {
      const name = `matrix${count++}`;
      await fixture.addUser(name, permissions);
      return credentialsOf(name);
    },
  });
  expect(problems).toEqual([]);
});
