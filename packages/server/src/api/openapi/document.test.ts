import {
  booleanParameter,
  ERROR_CODES,
  entityIdParameter,
  integerParameter,
  listParameter,
  pagingQueryShape,
} from '@millrace/contract';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineRoute, type Route } from '../route.ts';
import { rootRoutes } from '../routes/root.ts';
import { openApiDocument } from './document.ts';

const rule = z.strictObject({ type: z.int(), inverted: z.boolean().default(false) }).meta({ id: 'TestRule' });
const thing = z
  .strictObject({ id: z.string(), rules: z.array(rule), parent: z.string().nullable() })
  .meta({ id: 'TestThing' });
interface Tree {
  name: string;
  children: Tree[];
}
const tree: z.ZodType<Tree> = z
  .strictObject({
    name: z.string(),
    get children() {
      return z.array(tree);
    },
  })
  .meta({ id: 'TestTree' });

const routes: Route[] = [
  ...rootRoutes({ clusterId: 'c', nodeId: 'n', version: '1' }),
  defineRoute({
    method: 'PUT',
    path: '/things/:thingId',
    tag: 'Things',
    summary: 'Change a thing',
    description: 'Long text.',
    permission: 'streams:edit',
    instance: (params) => params.thingId,
    params: z.object({ thingId: entityIdParameter }),
    query: z.object({
      ...pagingQueryShape,
      limit: integerParameter({ min: 1, max: 7 }).describe('How many.'),
      all: booleanParameter().optional(),
      fields: listParameter().optional(),
    }),
    body: z.strictObject({ rules: z.array(rule), tree }),
    responses: { 200: thing, 202: null },
    errors: ['not_found', 'conflict'],
    handler: () => {},
  }),
  defineRoute({
    method: 'GET',
    path: '/things/:thingId/export.csv',
    tag: 'Things',
    summary: 'Export a thing',
    permission: { kind: 'authenticated' },
    params: z.object({ thingId: entityIdParameter }),
    responses: { 200: { contentType: 'text/csv', description: 'Rows' } },
    errors: [],
    handler: () => {
      throw new Error('never called');
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/things/:idOrName',
    tag: 'Things',
    summary: 'Delete a thing',
    permission: 'streams:edit',
    params: z.object({ idOrName: z.string().describe('Id or name.') }),
    responses: { 204: null },
    errors: [],
    handler: () => {},
  }),
  defineRoute({
    method: 'GET',
    path: '/page',
    tag: 'Pages',
    summary: 'A page',
    permission: { kind: 'public' },
    responses: { 200: null },
    errors: [],
    undocumented: true,
    handler: () => {},
  }),
];

const document = openApiDocument(routes, { version: '1.2.3+abc' });

test('an independent validator accepts the document as OpenAPI 3.1', async () => {
  const validator = new Validator();
  const result = await validator.validate(structuredClone(document));
  expect(result.errors).toBeUndefined();
  expect(result.valid).toBe(true);
  expect(validator.version).toBe('3.1');
});

test('the validator rejects an invalid document', async () => {
  const broken = structuredClone(document) as unknown as {
    paths: Record<string, { put: { responses: unknown } }>;
  };
  broken.paths['/things/{thingId}']!.put.responses = 'none';
  expect((await new Validator().validate(broken)).valid).toBe(false);
});

test('parameters, body, header and answers of an operation', () => {
  const operation = document.paths['/things/{thingId}']?.put;
  expect(operation).toMatchObject({
    operationId: 'putThingsByThingId',
    tags: ['Things'],
    summary: 'Change a thing',
    description: 'Long text.\n\nPermission: `streams:edit` for the object in the path.',
    'x-permission': 'streams:edit',
  });
  const parameters = operation?.parameters ?? [];
  expect(parameters).toContainEqual(expect.objectContaining({ name: 'thingId', in: 'path', required: true }));
  expect(parameters).toContainEqual({
    name: 'limit',
    in: 'query',
    required: true,
    description: 'How many.',
    schema: { type: 'integer', minimum: 1, maximum: 7 },
  });
  expect(parameters).toContainEqual({ name: 'all', in: 'query', schema: { type: 'boolean' } });
  expect(parameters).toContainEqual({
    name: 'fields',
    in: 'query',
    schema: { type: 'array', items: { type: 'string' } },
  });
  expect(parameters).toContainEqual({
    name: 'page',
    in: 'query',
    description: 'Page, counted from 1.',
    schema: { type: 'integer', minimum: 1, default: 1 },
  });
  expect(parameters).toContainEqual({ $ref: '#/components/parameters/requestedBy' });
  expect(operation?.requestBody).toMatchObject({
    required: true,
    content: { 'application/json': { schema: { additionalProperties: false } } },
  });
  expect(Object.keys(operation?.responses ?? {}).sort()).toEqual([
    '200',
    '202',
    '400',
    '401',
    '403',
    '404',
    '409',
    '413',
    '415',
    '429',
    '500',
    '503',
  ]);
});

test('paths that differ only in parameter names are one path', () => {
  expect(Object.keys(document.paths)).not.toContain('/things/{idOrName}');
  expect(document.paths['/things/{thingId}']?.delete?.parameters[0]).toEqual({
    name: 'thingId',
    in: 'path',
    required: true,
    description: 'Id or name.',
    schema: { type: 'string' },
  });
});

test('named schemas are shared, with two names where input and output differ', () => {
  const { schemas } = (
    document as unknown as { components: { schemas: Record<string, Record<string, unknown>> } }
  ).components;
  expect(schemas.TestThing).toMatchObject({
    properties: { parent: { type: ['string', 'null'] } },
  });
  expect(schemas.TestTree).toMatchObject({
    properties: { children: { items: { $ref: '#/components/schemas/TestTree' } } },
  });
  const required = [schemas.TestRule?.required, (schemas.TestRuleInput ?? schemas.TestRuleOutput)?.required];
  expect(required).toContainEqual(['type']);
  expect(required).toContainEqual(['type', 'inverted']);
  expect(JSON.stringify(document)).not.toContain('$defs');
  // The API browser replaces these references and no others.
  for (const [, reference] of JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g)) {
    expect(reference).toMatch(/^#\/components\//);
  }
});

test('public routes need no login, pages are excluded, every error code is explained', () => {
  expect(document.paths['/']?.get?.security).toEqual([]);
  expect(document.paths).not.toHaveProperty('/page');
  const text = JSON.stringify(document);
  for (const code of Object.keys(ERROR_CODES)) expect(text).toContain(`\`${code}\``);
});
