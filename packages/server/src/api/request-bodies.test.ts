import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type ApiFixture, basic, createApiFixture } from '#testing/api-fixture.ts';
import { defineRoute } from './route.ts';

const takesText = {
  method: 'POST',
  tag: 'Test',
  summary: 'Take a text',
  body: z.strictObject({ text: z.string() }),
  responses: { 204: null },
  errors: [],
  handler: () => {},
} as const;
const routes = [
  defineRoute({ ...takesText, path: '/public', permission: { kind: 'public' }, maxBodySize: 1024 * 1024 }),
  defineRoute({ ...takesText, path: '/protected', permission: { kind: 'authenticated' } }),
];

let fixture: ApiFixture;
beforeAll(async () => {
  fixture = await createApiFixture(routes);
  await fixture.api.fastify.ready();
});
afterAll(() => fixture.api.stop());

function call(method: 'POST', path: string, payload: string | Buffer, authorization?: string) {
  return callWith(authorization === undefined ? {} : { authorization }, method, path, payload);
}

function callWith(
  headers: Readonly<Record<string, string>>,
  method: 'POST',
  path: string,
  payload: string | Buffer,
) {
  return fixture.api.fastify.inject({
    method,
    url: `/api${path}`,
    headers: { 'content-type': 'application/json', 'x-requested-by': 'test', ...headers },
    payload,
  });
}

describe('the bodies of strangers', () => {
  const textOf = (kilobytes: number): string => JSON.stringify({ text: 'x'.repeat(kilobytes * 1024) });

  test('are small on public routes', async () => {
    expect((await call('POST', '/public', textOf(17))).statusCode).toBe(413);
    expect((await call('POST', '/public', textOf(15))).statusCode).toBe(204);
  });

  test('are as large as configured after authentication', async () => {
    expect((await call('POST', '/protected', textOf(1024), basic('admin'))).statusCode).toBe(204);
  });

  test.each([
    ['a route that needs a user', 'POST', '/api/protected', 401],
    ['an unknown path', 'POST', '/api/nothing', 404],
    ['a path outside of the API', 'POST', '/nothing', 404],
    ['an unknown method', 'PUT', '/api/protected', 405],
    ['a preflight request', 'OPTIONS', '/api/protected', 204],
  ] as const)('are not read: %s', async (_what, method, url, status) => {
    let hasRead = false;
    const body = new Readable({
      read() {
        hasRead = true;
        this.push('{');
        this.push(null);
      },
    });
    const answer = await fixture.api.fastify.inject({
      method,
      url,
      headers: { 'content-type': 'application/json', 'x-requested-by': 'test' },
      payload: body,
    });
    expect([answer.statusCode, hasRead]).toEqual([status, false]);
  });
});

describe('the encoding of bodies', () => {
  const post = (payload: Buffer) => call('POST', '/public', payload);

  test('is UTF-8, with or without a byte order mark', async () => {
    const body = Buffer.from('{"text":"Größe 🙂"}');
    expect((await post(body)).statusCode).toBe(204);
    expect((await post(Buffer.concat([Buffer.from('\ufeff'), body]))).statusCode).toBe(204);
  });

  test('other bytes are refused and not replaced', async () => {
    const answer = await post(Buffer.from('{"text":"Größe"}', 'latin1'));
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ message: expect.stringContaining('not valid UTF-8') });
  });

  test('compressed ones are refused with what to do instead', async () => {
    const compressed = gzipSync('{"text":"a"}');
    const answer = await callWith({ 'content-encoding': 'gzip' }, 'POST', '/public', compressed);
    expect(answer.statusCode).toBe(415);
    expect(answer.json().message).toContain('without Content-Encoding');
    for (const encoding of ['identity', 'utf-8', '']) {
      const plain = await callWith({ 'content-encoding': encoding }, 'POST', '/public', '{"text":"a"}');
      expect(plain.statusCode, encoding).toBe(204);
    }
  });
});
