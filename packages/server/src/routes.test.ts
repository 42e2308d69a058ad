import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { openApiDocument, routeComplaints } from '#api/index.ts';
import { routesWithoutParts } from './routes.ts';

test('every route declares summary, permission, schemas and error codes', () => {
  const routes = routesWithoutParts();
  expect(routes.length).toBeGreaterThan(30);
  expect(routeComplaints(routes)).toEqual([]);
});

test('no route is declared twice', () => {
  const names = routesWithoutParts().map((route) => `${route.method} ${route.path}`);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('the OpenAPI document of all routes is valid', async () => {
  const document = openApiDocument(routesWithoutParts(), { version: '0.0.0' });
  expect(await new Validator().validate(JSON.parse(JSON.stringify(document)))).toMatchObject({ valid: true });
});
