import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { basic, createApiFixture } from '#testing/api-fixture.ts';
import { permissionMatrixProblems } from '#testing/permission-matrix.ts';
import { routeProblems } from '#testing/route-problems.ts';
import { openApiDocument, type Route } from '../index.ts';
import { routesWithoutParts } from './index.ts';

test('every route declares summary, permission, schemas and error codes', () => {
  const routes = routesWithoutParts();
  expect(routes.length).toBeGreaterThan(30);
  expect(routeProblems(routes)).toEqual([]);
});

test('no route is declared twice', () => {
  const names = routesWithoutParts().map((route) => `${route.method} ${route.path}`);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('the OpenAPI document of all routes is valid', async () => {
  const document = openApiDocument(routesWithoutParts(), { version: '0.0.0' });
  expect(await new Validator().validate(JSON.parse(JSON.stringify(document)))).toMatchObject({ valid: true });
});

test('every route requires its permission and no other', async () => {
  const users: Record<string, readonly string[]> = {};
  // Permissions that handlers check themselves are covered by their own tests.
  const routes = routesWithoutParts().map((route): Route => ({ ...route, handler: () => undefined }));
  const { api } = await createApiFixture(routes, { users, settings: { validateResponses: false } });
  const problems = await permissionMatrixProblems(routes, {
    send: (request) => api.fastify.inject({ ...request, headers: { ...request.headers } }),
    userWith: async (permissions) => {
      const name = `with ${permissions.join(' ').replaceAll(':', '.')}`;
      users[name] = permissions;
      return { authorization: basic(name) };
    },
  });
  expect(problems).toEqual([]);
  await api.stop();
});
