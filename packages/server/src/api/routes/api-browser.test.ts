import vm from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiFixture, basic, createApiFixture } from '#testing/api-fixture.ts';
import { routeProblems } from '#testing/route-problems.ts';
import { apiBrowserRoutes } from './api-browser.ts';
import { rootRoutes } from './root.ts';

const described = rootRoutes({ clusterId: 'c', nodeId: 'n', version: '1' });
const routes = [...described, ...apiBrowserRoutes(described, { version: '1.2.3+x' })];
let fixture: ApiFixture;

beforeAll(async () => {
  fixture = await createApiFixture(routes, { users: { anna: [] } });
});
afterAll(() => fixture.api.stop());

const get = (url: string, user?: string) =>
  fixture.api.fastify.inject({ url, headers: user === undefined ? {} : { authorization: basic(user) } });

test('the routes have no problems', () => {
  expect(routeProblems(routes)).toEqual([]);
});

test('everything requires a login with a Basic challenge', async () => {
  for (const url of [
    '/api/openapi.json',
    '/api/api-browser',
    '/api/api-browser/',
    '/api/api-browser/start.js',
  ]) {
    const answer = await get(url);
    expect([url, answer.statusCode]).toEqual([url, 401]);
    expect(answer.headers['www-authenticate']).toContain('Basic');
  }
});

test('the document describes all routes and itself', async () => {
  const document = (await get('/api/openapi.json', 'anna')).json();
  expect(document.openapi).toBe('3.1.0');
  expect(document.info.version).toBe('1.2.3+x');
  expect(Object.keys(document.paths)).toEqual(['/', '/openapi.json']);
  expect((await get('/api/openapi.json?pretty=true', 'anna')).body).toContain('\n  "openapi"');
});

test('the policy of the page forbids inline scripts, and all its files exist', async () => {
  const redirect = await get('/api/api-browser', 'anna');
  expect(redirect.statusCode).toBe(302);
  expect(redirect.headers.location).toBe('/api/api-browser/');
  const page = await get('/api/api-browser/', 'anna');
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(page.headers['content-security-policy']).toContain("script-src 'self';");
  expect(page.body).not.toMatch(/<script>|on\w+=|https?:/);
  const files = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]);
  expect(files).toHaveLength(4);
  for (const file of files) {
    const answer = await get(`/api/api-browser/${file}`, 'anna');
    expect([file, answer.statusCode]).toEqual([file, 200]);
    expect(answer.rawPayload.length).toBeGreaterThan(100);
  }
});

test('no other file can be read', async () => {
  for (const file of ['package.json', '..%2fpackage.json', '%2e%2e%2f%2e%2e%2fpackage.json', 'constructor']) {
    expect((await get(`/api/api-browser/${file}`, 'anna')).statusCode).toBe(404);
  }
});

/** What `start.js` sets up in Swagger UI to replace references. */
interface SwaggerUiOptions {
  readonly plugins: readonly (() => {
    fn: { resolveSubtree(document: unknown, path: readonly string[]): Promise<unknown> };
  })[];
}

test('its script puts values where references were, with their names', async () => {
  const window: { ui?: SwaggerUiOptions } = {};
  const SwaggerUIBundle = (options: SwaggerUiOptions) => options;
  vm.runInNewContext((await get('/api/api-browser/start.js', 'anna')).body, { window, SwaggerUIBundle });
  const { resolveSubtree } = window.ui?.plugins[0]?.().fn ?? {};
  const schemas = {
    Thing: { type: 'object', properties: { leaf: { $ref: '#/components/schemas/a~1b%20c' } } },
    'a/b c': { type: 'string', enum: ['x', null, 1] },
    Tree: { properties: { children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } } },
  };
  const document = {
    components: { schemas },
    paths: { '/things': { get: { schema: { $ref: '#/components/schemas/Thing', description: 'Own.' } } } },
  };
  const replaced = async (...path: string[]) =>
    JSON.parse(JSON.stringify(await resolveSubtree?.(document, path)));

  const leaf = { ...schemas['a/b c'], $$ref: '#/components/schemas/a~1b%20c' };
  expect(await replaced('paths', '/things', 'get')).toEqual({
    spec: {
      schema: {
        type: 'object',
        properties: { leaf },
        description: 'Own.',
        $$ref: '#/components/schemas/Thing',
      },
    },
    errors: [],
  });
  // What contains itself stays a reference where it does.
  expect(await replaced('components', 'schemas', 'Tree')).toEqual({
    spec: {
      properties: {
        children: {
          items: { properties: schemas.Tree.properties, $$ref: '#/components/schemas/Tree' },
          type: 'array',
        },
      },
    },
    errors: [],
  });
  expect(await replaced('components', 'nothing', 'there')).toEqual({ errors: [] });
  expect(document.components.schemas).toBe(schemas);
});
