import { PERMISSION_CATALOGUE } from '@millrace/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AuthFixture, createAuthFixture } from '#testing/auth-fixture.ts';
import { openApiDocument } from '../openapi/document.ts';
import type { Route } from '../route.ts';
import { routeComplaints } from '../route-contract.ts';
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

test('every route declares what it owes its callers', () => {
  expect(routeComplaints(routes)).toEqual([]);
});

test('every permission asked for is in the catalogue', () => {
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

test('every route turns away those who are nobody (401) and those without the permission (403)', async () => {
  await fixture.addUser('powerless', [], []);
  for (const route of routes) {
    if (typeof route.permission !== 'string') continue;
    const path = route.path.replace(/:status/, 'enabled').replace(/:\w+/g, 'somebody');
    const nobody = await fixture.call(route.method as 'GET', path);
    expect([route.method, path, nobody.status]).toEqual([route.method, path, 401]);
    const powerless = await fixture.call(route.method as 'GET', path, { as: 'powerless' });
    expect([route.method, path, powerless.status]).toEqual([route.method, path, 403]);
  }
});
