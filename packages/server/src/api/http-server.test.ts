import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpsRequest } from 'node:https';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { Secret } from '#core/index.ts';
import { type ApiFixture, createApiFixture, FIXTURE_NODE_ID } from '#testing/api-fixture.ts';
import { eventually } from '#testing/eventually.ts';
import { rawReply } from './reply.ts';
import { defineRoute } from './route.ts';
import { rootRoutes } from './routes/root.ts';
import type { ApiSettings } from './settings.ts';

/** Tests that need a real socket. */

const NOT_FOUND = { type: 'ApiError', message: 'HTTP 404 Not Found' };

let running: ApiFixture | undefined;
const directories: string[] = [];

afterEach(async () => {
  await running?.api.stop();
  running = undefined;
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true });
});

let signal: AbortSignal | undefined;
let streamOpened = Promise.withResolvers<void>();

const routes = [
  ...rootRoutes({ clusterId: 'c', nodeId: FIXTURE_NODE_ID, version: '1' }),
  defineRoute({
    method: 'POST',
    path: '/body',
    tag: 'Test',
    summary: 'Take a body',
    permission: { kind: 'public' },
    body: z.strictObject({ text: z.string() }),
    responses: { 204: null },
    errors: [],
    handler: () => {},
  }),
  defineRoute({
    method: 'GET',
    path: '/endless',
    tag: 'Test',
    summary: 'Never end',
    permission: { kind: 'public' },
    responses: { 200: { contentType: 'text/event-stream', description: 'events' } },
    errors: [],
    handler: (request) => {
      signal = request.signal;
      const stream = new Readable({ read() {} });
      stream.push('data: 1\n\n');
      streamOpened.resolve();
      return rawReply(200, 'text/event-stream', stream);
    },
  }),
];

async function start(settings: Partial<ApiSettings> = {}): Promise<ApiFixture> {
  streamOpened = Promise.withResolvers();
  running = await createApiFixture(routes, { settings });
  await running.api.start();
  return running;
}

function rawConnection(fixture: ApiFixture): Socket {
  const { hostname, port } = new URL(fixture.api.address());
  return connect(Number(port), hostname);
}

async function rawAnswer(fixture: ApiFixture, bytes: string): Promise<string> {
  const socket = rawConnection(fixture);
  socket.write(bytes);
  return text(socket);
}

test('headers beyond the limit: 431', async () => {
  const fixture = await start({ maxHeaderSize: 2048 });
  const answer = await rawAnswer(
    fixture,
    `GET /api/ HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(4000)}\r\n\r\n`,
  );
  expect(answer).toMatch(/^HTTP\/1\.1 431 /);
  expect(answer).toContain('"type":"ApiError"');
  expect(answer).toContain(`X-Graylog-Node-ID: ${FIXTURE_NODE_ID}`);
});

test('invalid HTTP: 400, and the connection ends', async () => {
  const fixture = await start();
  const answer = await rawAnswer(fixture, 'EHLO mail.example\r\n\r\n');
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toContain('Connection: close');
  expect(answer).toContain('The request is not valid HTTP.');
});

test.each([
  ['without Host', 'POST /api/body HTTP/1.1\r\n', 400, 'malformed_request', 'The header Host is missing'],
  ['for a path that is not there', 'GET /nowhere HTTP/1.1\r\n', 400, 'malformed_request', 'The header Host'],
  [
    'with an unknown expectation',
    'POST /api/body HTTP/1.1\r\nHost: x\r\nExpect: bogus\r\n',
    417,
    'expectation_failed',
    'can only be 100-continue',
  ],
])('a request %s is refused with a reason', async (_what, head, status, code, message) => {
  const fixture = await start();
  const answer = await rawAnswer(
    fixture,
    `${head}X-Requested-By: t\r\nContent-Length: 12\r\nConnection: close\r\n\r\n{"text":"x"}`,
  );
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(answer.toLowerCase()).toContain(`x-millrace-error-code: ${code}`);
  expect(answer).toContain('"type":"ApiError"');
  expect(answer).toContain(message);
});

test('HTTP/1.0 needs no Host, and 100-continue is an expectation that is met', async () => {
  const fixture = await start();
  expect(await rawAnswer(fixture, 'GET /api/ HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
  const answer = await rawAnswer(
    fixture,
    'POST /api/body HTTP/1.1\r\nHost: x\r\nX-Requested-By: t\r\nExpect: 100-continue\r\n' +
      'Content-Length: 12\r\nConnection: close\r\n\r\n{"text":"x"}',
  );
  expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 204 /);
});

test('a client that sends its headers or body too slowly: 408', async () => {
  const fixture = await start({ headersTimeoutMs: 50, requestTimeoutMs: 100 });
  expect(await rawAnswer(fixture, 'GET /api/ HTTP/1.1\r\nHost: x\r\n')).toMatch(/^HTTP\/1\.1 408 /);
  expect(
    await rawAnswer(
      fixture,
      'POST /api/body HTTP/1.1\r\nHost: x\r\nX-Requested-By: t\r\nContent-Length: 9\r\n\r\n{',
    ),
  ).toMatch(/^HTTP\/1\.1 408 /);
});

test('a body beyond the limit: 413, with or without Content-Length', async () => {
  const fixture = await start({ maxBodySize: 100 });
  const headers = { 'content-type': 'application/json', 'x-requested-by': 'test' };
  const body = JSON.stringify({ text: 'x'.repeat(200) });
  const announced = await fetch(`${fixture.api.address()}/api/body`, { method: 'POST', headers, body });
  expect(announced.status).toBe(413);
  expect(await announced.json()).toEqual({
    type: 'ApiError',
    message: 'The body is larger than the 100 bytes that this endpoint accepts.',
  });
  const chunked = await fetch(`${fixture.api.address()}/api/body`, {
    method: 'POST',
    headers,
    body: new Blob([body]).stream(),
    duplex: 'half',
  } as RequestInit);
  expect(chunked.status).toBe(413);
});

test('a client that sends all of a far too large body still receives the 413', async () => {
  const fixture = await start({ maxBodySize: 100 });
  const length = 30 * 1024 * 1024;
  for (const framing of [`Content-Length: ${length}`, 'Transfer-Encoding: chunked']) {
    const socket = rawConnection(fixture);
    const answered = text(socket);
    socket.write(`POST /api/body HTTP/1.1\r\nHost: x\r\nX-Requested-By: t\r\n${framing}\r\n\r\n`);
    if (framing.includes('chunked')) socket.write(`${length.toString(16)}\r\n`);
    await new Promise<void>((sent, failed) => {
      socket.write(Buffer.alloc(length, 'x'), (error) => (error ? failed(error) : sent()));
    });
    socket.end(framing.includes('chunked') ? '\r\n0\r\n\r\n' : '');
    expect(await answered).toMatch(/^HTTP\/1\.1 413 [\s\S]*"type":"ApiError"/);
  }
});

test('a client that disconnects aborts the work for its request', async () => {
  const fixture = await start();
  const socket = rawConnection(fixture);
  socket.write('GET /api/endless HTTP/1.1\r\nHost: x\r\n\r\n');
  await streamOpened.promise;
  await once(socket, 'data');
  socket.destroy();
  if (signal?.aborted === false) await once(signal, 'abort');
  expect(signal?.aborted).toBe(true);
});

test('a client that hangs up within its body is no fault of the server', async () => {
  const fixture = await start();
  const socket = rawConnection(fixture);
  const arrived = once(fixture.api.fastify.server, 'request');
  socket.write(
    'POST /api/body HTTP/1.1\r\nHost: x\r\nX-Requested-By: t\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{',
  );
  await arrived;
  socket.destroy();
  await eventually(() => expect(fixture.logLines.join('')).toContain('before the end of its body'));
  const lines = fixture.logLines.map((line) => JSON.parse(line));
  expect(lines.filter(({ level, status }) => level === 'error' || level === 'warn' || status >= 500)).toEqual(
    [],
  );
});

test('stop ends endless streams and can be called twice', async () => {
  const fixture = await start({ stopTimeoutMs: 20 });
  const socket = rawConnection(fixture);
  socket.on('error', () => {});
  socket.write('GET /api/endless HTTP/1.1\r\nHost: x\r\n\r\n');
  await streamOpened.promise;
  await once(socket, 'data');
  const closed = once(socket, 'close');
  await Promise.all([fixture.api.stop(), fixture.api.stop()]);
  await closed;
  expect(signal?.aborted).toBe(true);
  await fixture.api.stop();
});

test('stop before start', async () => {
  const fixture = await createApiFixture(routes);
  await fixture.api.stop();
});

test('stop while start is still running', async () => {
  const fixture = await createApiFixture(routes);
  const started = fixture.api.start().catch(() => {});
  await fixture.api.stop();
  await started;
  expect(fixture.api.fastify.server.listening).toBe(false);
});

test('an address in use: the error says what to do', async () => {
  const first = await start();
  const port = Number(new URL(first.api.address()).port);
  const second = await createApiFixture(routes, { settings: { port } });
  await expect(second.api.start()).rejects.toMatchObject({
    name: 'StartupError',
    message: expect.stringContaining(`127.0.0.1:${port}`),
    whatToDo: expect.stringContaining('http_bind_address'),
  });
  await second.api.stop();
});

test('TLS by setting', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'api-tls-'));
  directories.push(directory);
  const key = join(directory, 'key.pem');
  const certificate = join(directory, 'certificate.pem');
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const password = ['-passout', 'pass:hunter2'];
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-keyout',
      key,
      '-out',
      certificate,
      '-days',
      '2',
      ...subject,
      ...password,
    ],
    { stdio: 'ignore' },
  );
  const fixture = await start({
    tls: {
      certificate: readFileSync(certificate, 'utf8'),
      key: new Secret(readFileSync(key, 'utf8')),
      keyPassword: new Secret('hunter2'),
    },
  });
  expect(fixture.api.address()).toMatch(/^https:/);
  const request = httpsRequest(`${fixture.api.address()}/api/`, { ca: readFileSync(certificate) });
  request.end();
  const [response] = await once(request, 'response');
  expect(JSON.parse(await text(response))).toMatchObject({ cluster_id: 'c' });
  expect(await rawAnswer(fixture, 'GET /api/ HTTP/1.1\r\n\r\n')).not.toContain('200 OK');
});

test('the web interface: files, the index page for every page path, no index page for anything else', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'api-web-'));
  directories.push(directory);
  writeFileSync(
    join(directory, 'index.html'),
    '<!doctype html><meta nonce="__CSP_NONCE__"><title>Millrace</title>',
  );
  writeFileSync(join(directory, 'main.js'), 'export {};');
  writeFileSync(join(directory, '.secret'), 'hidden');
  const fixture = await start({ webDirectory: directory });
  const get = (path: string, accept: string) => fetch(fixture.api.address() + path, { headers: { accept } });

  const index = await get('/', 'text/html');
  const nonce = /<meta nonce="([\w+/]{24})">/.exec(await index.text())?.[1];
  expect(index.headers.get('content-security-policy')).toContain(
    `script-src 'self'; style-src 'self' 'nonce-${nonce}';`,
  );
  expect(await (await get('/', 'text/html')).text()).not.toContain(nonce);
  expect(index.headers.get('x-frame-options')).toBe('DENY');
  expect(index.headers.get('cache-control')).toBe('no-cache');
  const deep = await get('/streams/1/search?q=x', 'text/html,*/*;q=0.8');
  expect(deep.status).toBe(200);
  expect(deep.headers.get('content-security-policy')).toContain("script-src 'self';");
  expect(await deep.text()).toContain('Millrace');
  expect((await get('/index.html', '*/*')).headers.get('content-security-policy')).toContain("'nonce-");
  expect((await get('/main.js', '*/*')).headers.get('content-type')).toContain('javascript');
  for (const [path, accept] of [
    ['/missing.js', '*/*'],
    ['/.secret', '*/*'],
    ['/..%2f..%2fetc/passwd', '*/*'],
    ['/api/missing', 'text/html'],
    ['/api/cluster//jvm', '*/*'],
    ['/api//%20', '*/*'],
    ['//main.js', '*/*'],
    ['/api', 'application/json'],
  ] as const) {
    const answer = await get(path, accept);
    const body = await answer.json();
    if (path === '/api') expect(body).toMatchObject({ version: '1' });
    else expect([path, answer.status, body]).toEqual([path, 404, NOT_FOUND]);
  }
});

test('a folder of the web interface has the page that it holds, and no other folder is told from a path without a file', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'api-web-'));
  directories.push(directory);
  writeFileSync(join(directory, 'index.html'), 'Millrace');
  for (const folder of ['docs', 'assets']) mkdirSync(join(directory, folder));
  writeFileSync(join(directory, 'docs/index.html'), 'Documentation');
  const fixture = await start({ webDirectory: directory });
  const get = async (url: string, headers: Record<string, string> = {}) => {
    const { body, headers: got, statusCode } = await fixture.api.fastify.inject({ url, headers });
    return [statusCode, got.location ?? body];
  };

  expect(await get('/docs/')).toEqual([200, 'Documentation']);
  expect(await get('/docs')).toEqual([301, '/docs/']);
  expect(await get('//docs')).toEqual([404, JSON.stringify(NOT_FOUND)]);
  expect(await get('/assets/')).toEqual([404, JSON.stringify(NOT_FOUND)]);
  expect(await get('/assets/', { accept: 'text/html' })).toEqual([200, 'Millrace']);
  expect(await get('/docs/index.html/')).toEqual([404, JSON.stringify(NOT_FOUND)]);
  expect(await get('/docs%00')).toEqual([404, JSON.stringify(NOT_FOUND)]);
  expect(await get(`/${'x'.repeat(300)}`)).toEqual([404, JSON.stringify(NOT_FOUND)]);
  expect(await get('/docs/index.html', { range: 'bytes=99-' })).toEqual([416, '']);
  expect(await get('/docs/index.html', { 'if-match': '"other"' })).toEqual([412, '']);
});

test('a part of a file is sent as it is: its range counts the bytes of the file', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'api-web-'));
  directories.push(directory);
  const text = 'export const numbers = 1;\n'.repeat(100);
  writeFileSync(join(directory, 'index.html'), '');
  writeFileSync(join(directory, 'main.js'), text);
  const fixture = await start({ webDirectory: directory });
  const { body, headers, statusCode } = await fixture.api.fastify.inject({
    url: '/main.js',
    headers: { 'accept-encoding': 'gzip', range: 'bytes=10-1009' },
  });
  expect([statusCode, headers['content-range']]).toEqual([206, 'bytes 10-1009/2600']);
  expect([headers['content-encoding'], body]).toEqual([undefined, text.slice(10, 1010)]);
});
