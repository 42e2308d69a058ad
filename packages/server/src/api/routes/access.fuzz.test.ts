import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  auditRoutes,
  openApiDocument,
  permissionRoutes,
  type Route,
  roleRoutes,
  sessionRoutes,
  tokenRoutes,
  userRoutes,
} from '#api/index.ts';
import { fuzzApi } from '#testing/api-fuzz.ts';
import { type AuthFixture, basicAuth, createAuthFixture, passwordOf } from '#testing/auth-fixture.ts';
import { permissionMatrixComplaints } from '#testing/permission-matrix.ts';

/** Everything about users, roles, tokens, sessions and the audit log, attacked as a whole. */

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

const credentialsOf = (name: string) => ({ authorization: basicAuth(name, passwordOf(name)) });
const inject = (request: { headers: Readonly<Record<string, string>> }) =>
  fixture.api.api.fastify.inject({ ...request, headers: { ...request.headers } });

test('any request is answered without a fault', async () => {
  const report = await fuzzApi(openApiDocument(routes, { version: '1' }), {
    send: inject,
    credentials: credentialsOf('admin'),
    runsPerOperation: 20,
  });
  expect(report.operations).toBe(routes.length);
  expect(report.statuses[200]).toBeGreaterThan(0);
  expect(report.statuses[400]).toBeGreaterThan(0);
});

test('every route asks for its permission', async () => {
  let count = 0;
  // Tokens are everybody's own affair: their permission is asked for one's own name, see the tests of tokens.
  const others = routes.filter((route) => !route.path.includes('/tokens'));
  const complaints = await permissionMatrixComplaints(others, {
    send: inject,
    userWith: async (permissions) => {
      const name = `matrix${count++}`;
      await fixture.addUser(name, permissions);
      return credentialsOf(name);
    },
  });
  expect(complaints).toEqual([]);
});
