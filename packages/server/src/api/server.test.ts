import { gunzipSync } from 'node:zlib';
import { ERROR_CODE_HEADER, integerParameter } from '@millrace/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { NotFoundError, RetryableError, UnavailableError } from '#core/index.ts';
import { type ApiFixture, basic, createApiFixture, FIXTURE_NODE_ID } from '#testing/api-fixture.ts';
import { emptyReply, rawReply, reply } from './reply.ts';
import { defineRoute, type Route } from './route.ts';
import { rootRoutes } from './routes/root.ts';

const things = { tag: 'Things', errors: [] } as const;
const calls: unknown[] = [];

const routes: Route[] = [
  ...rootRoutes({ clusterId: 'c', nodeId: FIXTURE_NODE_ID, version: '1.0.0+test' }),
  defineRoute({
    ...things,
    method: 'GET',
    path: '/things',
    summary: 'List',
    permission: { kind: 'authenticated' },
    query: z.object({ limit: integerParameter({ min: 1, max: 100 }).default(10) }),
    responses: { 200: z.strictObject({ limit: z.number(), user: z.string(), filler: z.string() }) },
    handler: ({ query, principal }) => ({
      limit: query.limit,
      user: principal.username,
      filler: 'x'.repeat(query.limit * 20),
    }),
  }),
  defineRoute({
    ...things,
    method: 'GET',
    path: '/things/recent',
    summary: 'List the recent ones',
    permission: { kind: 'authenticated' },
    responses: { 200: z.strictObject({}) },
    handler: () => ({}),
  }),
  defineRoute({
    ...things,
    method: 'GET',
    path: '/things/:thingId',
    summary: 'Get',
    permission: 'streams:read',
    instance: (params) => params.thingId,
    params: z.object({ thingId: z.string() }),
    responses: { 200: z.strictObject({ id: z.string() }) },
    errors: ['not_found'],
    handler: async ({ params }) => {
      if (params.thingId === 'none') throw new NotFoundError(`Thing <${params.thingId}> not found!`);
      return { id: params.thingId };
    },
  }),
  defineRoute({
    ...things,
    method: 'PUT',
    path: '/things/:other',
    summary: 'Change',
    permission: 'streams:edit',
    params: z.object({ other: z.string() }),
    body: z.strictObject({
      title: z.string().min(1),
      rules: z.array(z.strictObject({ type: z.int() })).optional(),
    }),
    responses: { 204: null },
    handler: ({ body }) => {
      calls.push(body);
    },
  }),
  defineRoute({
    ...things,
    method: 'POST',
    path: '/users/:username/tokens/:token',
    summary: 'Create',
    permission: 'users:tokencreate',
    params: z.object({ username: z.string(), token: z.string() }),
    responses: { 201: z.strictObject({ name: z.string() }) },
    handler: ({ params }) => reply(201, { name: params.token }, { location: '/somewhere' }),
  }),
  defineRoute({
    ...things,
    method: 'POST',
    path: '/login',
    summary: 'Public with a body',
    permission: { kind: 'public' },
    body: z.strictObject({ password: z.string().max(3) }),
    responses: { 204: null },
    handler: () => emptyReply(204, { 'set-cookie': ['a=1', 'b=2'] }),
  }),
  defineRoute({
    ...things,
    method: 'GET',
    path: '/faults/:kind',
    summary: 'Fail',
    permission: { kind: 'public' },
    params: z.object({ kind: z.string() }),
    responses: {
      200: z.strictObject({ id: z.string() }),
      202: { contentType: 'text/csv', description: 'rows' },
    },
    handler: ({ params }) => {
      if (params.kind === 'retryable') throw new RetryableError('db.internal.example refused');
      if (params.kind === 'unavailable') throw new UnavailableError('the journal is full', 9);
      if (params.kind === 'undeclared') return Object.assign({ id: 'x' }, { password_hash: 'leak' });
      if (params.kind === 'csv') return rawReply(202, 'text/csv', 'a,b\n');
      throw new Error('secret internals');
    },
  }),
];

let fixture: ApiFixture;

beforeAll(async () => {
  fixture = await createApiFixture(routes, {
    users: {
      admin: ['*'],
      async_admin: ['*'],
      reader: ['streams:read:mine'],
      nobody: [],
    },
  });
  await fixture.api.fastify.ready();
});
afterAll(() => fixture.api.stop());

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS' | 'PATCH';

function call(
  method: Method,
  url: string,
  options: { user?: string; headers?: Record<string, string>; body?: unknown; csrf?: boolean } = {},
) {
  return fixture.api.fastify.inject({
    method,
    url: `/api${url}`,
    headers: {
      ...(options.user === undefined ? {} : { authorization: basic(options.user) }),
      ...(method === 'GET' || options.csrf === false ? {} : { 'x-requested-by': 'test' }),
      ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(options.body === undefined
      ? {}
      : { payload: typeof options.body === 'string' ? options.body : JSON.stringify(options.body) }),
  });
}

describe('order of checks', () => {
  const bad = { csrf: false, body: '{broken' };

  test('401 first, without a body', async () => {
    const answer = await call('PUT', '/things/1', bad);
    expect(answer.statusCode).toBe(401);
    expect(answer.body).toBe('');
    expect(answer.headers['www-authenticate']).toBe('Basic realm="Millrace Server"');
    expect(answer.headers[ERROR_CODE_HEADER.toLowerCase()]).toBe('unauthenticated');
  });

  test('then 403, then the CSRF header, then the body', async () => {
    expect((await call('PUT', '/things/1', { ...bad, user: 'nobody' })).statusCode).toBe(403);
    const csrf = await call('PUT', '/things/1', { ...bad, user: 'admin' });
    expect(csrf.statusCode).toBe(400);
    expect(csrf.json().message).toContain('X-Requested-By');
    const body = await call('PUT', '/things/1', { user: 'admin', body: '{broken' });
    expect(body.statusCode).toBe(400);
    expect(body.json().message).toMatch(/not valid JSON.*line 1 column 2/);
    expect(calls).toEqual([]);
  });

  test.each(['  ', ', ', ' , ,'])('a blank X-Requested-By counts as missing: "%s"', async (value) => {
    const answer = await call('PUT', '/things/1', {
      user: 'admin',
      headers: { 'x-requested-by': value },
      body: { title: 'a' },
    });
    expect(answer.statusCode).toBe(400);
    expect(answer.headers[ERROR_CODE_HEADER.toLowerCase()]).toBe('csrf_header_missing');
    expect(calls).toEqual([]);
  });

  test('the instance of a permission comes from the path', async () => {
    expect((await call('GET', '/things/mine', { user: 'reader' })).statusCode).toBe(200);
    const other = await call('GET', '/things/yours', { user: 'reader' });
    expect(other.statusCode).toBe(403);
    expect(other.json()).toEqual({
      type: 'ApiError',
      message: 'Not authorized to access yours',
      missing_permission: 'streams:read:yours',
    });
  });

  test('an asynchronous authenticator works the same', async () => {
    expect((await call('GET', '/things', { user: 'async_admin' })).json().user).toBe('async_admin');
    expect((await call('GET', '/things', { user: 'async_stranger' })).statusCode).toBe(401);
  });
});

describe('authentication answers', () => {
  test('no challenge for XMLHttpRequest', async () => {
    const answer = await call('GET', '/things', { headers: { 'x-requested-with': 'XMLHttpRequest' } });
    expect(answer.statusCode).toBe(401);
    expect(answer.headers).not.toHaveProperty('www-authenticate');
    expect(answer.headers['cache-control']).toBe('no-cache');
  });

  test('credentials without a colon: 400; refused: 429; an authenticator that fails: 500 and no access', async () => {
    const malformed = await call('GET', '/things', { headers: { authorization: 'Basic eA==' } });
    expect(malformed.statusCode).toBe(400);
    expect(malformed.json().message).toContain('Authorization');
    const slowed = await call('GET', '/things', { user: 'slowed' });
    expect(slowed.statusCode).toBe(429);
    expect(slowed.headers['retry-after']).toBe('7');
    const broken = await call('GET', '/things', { user: 'broken' });
    expect(broken.statusCode).toBe(500);
    expect(broken.body).not.toContain('internals');
  });

  test('the session cookie is found among others', async () => {
    const answer = await call('GET', '/things', {
      headers: { cookie: 'x=authentication; authentication=admin; y=1' },
    });
    expect(answer.json().user).toBe('admin');
    expect((await call('GET', '/things', { headers: { cookie: 'xauthentication=admin' } })).statusCode).toBe(
      401,
    );
  });
});

describe('validation', () => {
  test('all problems are listed with their path and the expected value', async () => {
    const answer = await call('PUT', '/things/1', {
      user: 'admin',
      body: { rules: [{ type: 'x' }, { type: 1, typo: 1 }], tile: 1 },
    });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual({
      type: 'ApiError',
      message:
        'body.title: missing, expected string; body.rules[0].type: expected a whole number, got "x"; ' +
        'body.rules[1]: unknown property "typo"; known properties: "type"; ' +
        'body: unknown property "tile"; known properties: "title", "rules"',
      problems: [
        { path: 'title', message: 'missing, expected string' },
        { path: 'rules[0].type', message: 'expected a whole number, got "x"' },
        { path: 'rules[1]', message: 'unknown property "typo"; known properties: "type"' },
        { path: '', message: 'unknown property "tile"; known properties: "title", "rules"' },
      ],
    });
  });

  test('query parameters', async () => {
    const answer = await call('GET', '/things?limit=0', { user: 'admin' });
    expect(answer.json()).toMatchObject({
      message: 'query parameter limit: expected a number of at least 1, got 0',
      problems: [{ path: 'limit', message: 'expected a number of at least 1, got 0' }],
    });
    expect((await call('GET', '/things?limit=abc', { user: 'admin' })).json().message).toContain('got "abc"');
    expect((await call('GET', '/things?limit=5&unknown=1', { user: 'admin' })).json().limit).toBe(5);
  });

  test('a secret is never shown', async () => {
    const answer = await call('POST', '/login', { body: { password: 'hunter2' } });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().message).toBe('body.password: expected at most 3 characters');
  });

  test('missing body, prototype keys and wrong content types', async () => {
    expect((await call('PUT', '/things/1', { user: 'admin' })).json().message).toBe(
      'body: missing, expected object',
    );
    const prototype = await call('PUT', '/things/1', {
      user: 'admin',
      body: '{"title":"a","__proto__":{"x":1}}',
    });
    expect(prototype.statusCode).toBe(400);
    expect(prototype.json().message).toContain('__proto__');
    const text = await call('PUT', '/things/1', {
      user: 'admin',
      body: 'title=a',
      headers: { 'content-type': 'text/plain' },
    });
    expect(text.statusCode).toBe(415);
    expect(text.json().type).toBe('ApiError');
  });

  test('an unexpected body is ignored', async () => {
    for (const headers of [
      { 'content-type': 'application/x-www-form-urlencoded' },
      { 'content-type': 'application/json' },
    ]) {
      const answer = await call('POST', '/users/a/tokens/t', { user: 'admin', headers, body: '{nonsense' });
      expect(answer.statusCode).toBe(201);
      expect(answer.headers.location).toBe('/somewhere');
    }
  });
});

describe('paths and methods', () => {
  test('unknown path: 404; wrong method: 405 with Allow', async () => {
    const unknown = await call('GET', '/nothing/here');
    expect(unknown.statusCode).toBe(404);
    expect(unknown.json()).toEqual({ type: 'ApiError', message: 'HTTP 404 Not Found' });
    const wrong = await call('DELETE', '/things/1', { body: '{broken' });
    expect(wrong.statusCode).toBe(405);
    expect(wrong.json()).toEqual({ type: 'ApiError', message: 'HTTP 405 Method Not Allowed' });
    expect(wrong.headers.allow).toBe('GET, HEAD, PUT, OPTIONS');
    for (const path of ['//things/1/', '/things/1?a=b', '/things/%41']) {
      const other = await call('PATCH', path, { body: '{}' });
      expect([other.statusCode, other.headers.allow], path).toEqual([405, 'GET, HEAD, PUT, OPTIONS']);
    }
    expect((await call('PATCH', `/things/${'1'.repeat(1025)}`, { body: '{}' })).statusCode).toBe(404);
    // Not the thing that is called so.
    const named = await call('PUT', '/things/recent', { user: 'admin', body: {} });
    expect([named.statusCode, named.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });

  test('OPTIONS and HEAD', async () => {
    const options = await call('OPTIONS', '/things/1');
    expect(options.statusCode).toBe(204);
    expect(options.headers.allow).toBe('GET, HEAD, PUT, OPTIONS');
    expect(options.headers).not.toHaveProperty('access-control-allow-origin');
    const head = await call('HEAD', '/things', { user: 'admin', csrf: false });
    expect(head.statusCode).toBe(200);
    expect(head.body).toBe('');
  });

  test('trailing and doubled slashes do not matter, bad escapes are a 400', async () => {
    expect((await call('GET', '/things/', { user: 'admin' })).statusCode).toBe(200);
    expect((await call('GET', '//things', { user: 'admin' })).statusCode).toBe(200);
    const bad = await call('GET', '/things/%zz', { user: 'admin' });
    expect(bad.statusCode).toBe(400);
    expect(bad.json().type).toBe('ApiError');
    expect(bad.headers['x-graylog-node-id']).toBe(FIXTURE_NODE_ID);
    const long = await call('GET', `/things/${'x'.repeat(2000)}`, { user: 'admin' });
    expect(long.statusCode).toBe(404);
  });

  test('the root identifies the server and redirects browsers to the web interface', async () => {
    const root = await call('GET', '/');
    expect(root.json()).toEqual({
      cluster_id: 'c',
      node_id: FIXTURE_NODE_ID,
      version: '1.0.0+test',
      tagline: expect.any(String),
    });
    const page = await call('GET', '', { headers: { accept: 'text/html,*/*' } });
    expect(page.statusCode).toBe(303);
    expect(page.headers.location).toBe('/');
  });
});

describe('answers', () => {
  test('every answer has the node id and headers against sniffing and framing', async () => {
    for (const url of ['/', '/nothing', '/things', '/faults/x']) {
      const { headers } = await call('GET', url);
      expect(headers['x-graylog-node-id']).toBe(FIXTURE_NODE_ID);
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'");
    }
  });

  test('pretty on answers and on errors', async () => {
    expect((await call('GET', '/?pretty=true')).body).toMatch(/^\{\n {2}"cluster_id": "c",\n/);
    expect((await call('GET', '/things/none?pretty=true', { user: 'admin' })).body).toBe(
      '{\n  "type": "ApiError",\n  "message": "Thing <none> not found!"\n}',
    );
    // Python and others write booleans like this.
    expect((await call('GET', '/?pretty=True')).body).toContain('\n');
    expect((await call('GET', '/?pretty=false')).body).not.toContain('\n');
  });

  test('gzip for large bodies and clients that accept it', async () => {
    const headers = { 'accept-encoding': 'br, gzip;q=0.8' };
    const large = await call('GET', '/things?limit=100', { user: 'admin', headers });
    expect(large.headers['content-encoding']).toBe('gzip');
    expect(large.headers.vary).toBe('Accept-Encoding');
    expect(JSON.parse(gunzipSync(large.rawPayload).toString()).limit).toBe(100);
    expect((await call('GET', '/things?limit=1', { user: 'admin', headers })).headers).not.toHaveProperty(
      'content-encoding',
    );
    for (const refused of [{}, { 'accept-encoding': 'gzip;q=0' }]) {
      const plain = await call('GET', '/things?limit=100', { user: 'admin', headers: refused });
      expect(plain.headers).not.toHaveProperty('content-encoding');
    }
  });

  test('several cookies, raw bodies', async () => {
    expect((await call('POST', '/login', { body: { password: 'abc' } })).headers['set-cookie']).toEqual([
      'a=1',
      'b=2',
    ]);
    const csv = await call('GET', '/faults/csv');
    expect(csv.statusCode).toBe(202);
    expect(csv.headers['content-type']).toBe('text/csv');
    expect(csv.body).toBe('a,b\n');
  });
});

describe('errors', () => {
  test('an internal error shows only a reference that is in the log', async () => {
    const answer = await call('GET', '/faults/x');
    expect(answer.statusCode).toBe(500);
    expect(answer.body).not.toContain('internals');
    const reference = /reference ([0-9a-f]{12})/.exec(answer.json().message)?.[1];
    expect(fixture.logLines.find((line) => line.includes(String(reference)))).toContain('secret internals');
  });

  test('an unavailable dependency is a 503 with Retry-After', async () => {
    const retryable = await call('GET', '/faults/retryable');
    expect(retryable.statusCode).toBe(503);
    expect(retryable.headers['retry-after']).toBe('5');
    expect(retryable.body).not.toContain('db.internal');
    const unavailable = await call('GET', '/faults/unavailable');
    expect(unavailable.headers['retry-after']).toBe('9');
    expect(unavailable.json().message).toBe('the journal is full');
  });

  test('in tests, an undeclared field of an answer is an error', async () => {
    const answer = await call('GET', '/faults/undeclared');
    expect(answer.statusCode).toBe(500);
    expect(fixture.logLines.at(-2)).toContain('GET /faults/:kind');
  });
});

describe('access log and metrics', () => {
  test('the log has paths without secrets, query names without values, and no headers', async () => {
    fixture.logLines.length = 0;
    await call('POST', '/users/anna/tokens/s3cr3t?query=private', { user: 'admin' });
    await call('DELETE', '/nothing/tokens/s3cr3t/x', { user: 'admin' });
    await call('GET', '/things', { user: 'admin' });
    const lines = fixture.logLines.map((line) => JSON.parse(line));
    expect(lines[0]).toMatchObject({
      level: 'info',
      method: 'POST',
      path: '/api/users/anna/tokens/***?query',
      status: 201,
      user: 'admin',
    });
    expect(lines[1]).toMatchObject({ path: '/api/nothing/tokens/***/x', status: 404 });
    expect(lines[2]).toMatchObject({ level: 'debug', path: '/api/things', status: 200 });
    const text = fixture.logLines.join('');
    for (const secret of ['s3cr3t', 'private', basic('admin').slice(6)]) expect(text).not.toContain(secret);
  });

  test('responses are counted by status class', async () => {
    const before = fixture.metrics.get('org.graylog2.rest.responses.4xx')?.metric;
    await call('GET', '/nothing');
    const after = fixture.metrics.get('org.graylog2.rest.responses.4xx')?.metric;
    expect((after as { count: number }).count).toBe((before as { count: number }).count + 1);
  });
});

test('only trusted proxies may set the client address', async () => {
  const route = defineRoute({
    ...things,
    method: 'GET',
    path: '/address',
    summary: 'Address',
    permission: { kind: 'public' },
    responses: { 200: z.strictObject({ address: z.string(), secure: z.boolean() }) },
    handler: ({ remoteAddress, isSecure }) => ({ address: remoteAddress, secure: isSecure }),
  });
  const headers = { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'https' };
  for (const [trustedProxies, expected] of [
    [['127.0.0.0/8'], { address: '203.0.113.7', secure: true }],
    [['10.0.0.0/8'], { address: '127.0.0.1', secure: false }],
    [[], { address: '127.0.0.1', secure: false }],
  ] as const) {
    const proxied = await createApiFixture([route], { settings: { trustedProxies } });
    const answer = await proxied.api.fastify.inject({ url: '/api/address', headers });
    expect(answer.json()).toEqual(expected);
    await proxied.api.stop();
  }
});

test('a proxy that is not trusted is reported once, at the start or with the first request', async () => {
  const warnings = ({ logLines }: ApiFixture) => logLines.filter((line) => line.includes('trusted_proxies'));
  const headers = { 'x-forwarded-for': '203.0.113.7' };
  for (const [settings, atStart, later] of [
    [{}, 0, 1],
    [{ behindProxy: true }, 1, 1],
    [{ behindProxy: true, trustedProxies: ['127.0.0.1'] }, 0, 0],
  ] as const) {
    const proxied = await createApiFixture(routes, { settings });
    await proxied.api.start();
    expect(warnings(proxied)).toHaveLength(atStart);
    for (let count = 0; count < 2; count += 1) await proxied.api.fastify.inject({ url: '/api/', headers });
    expect(warnings(proxied)).toHaveLength(later);
    await proxied.api.stop();
  }
});
