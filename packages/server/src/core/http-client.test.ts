import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createAllowedTargets } from './allowed-targets.ts';
import { createHttpClient, type HttpRequest } from './http-client.ts';

const targets = createAllowedTargets(['127.0.0.1']);

async function startServer(listener: http.RequestListener): Promise<URL> {
  const server = http.createServer(listener);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}

const aRequest = (url: URL, changes: Partial<HttpRequest> = {}): HttpRequest => ({
  url,
  method: 'GET',
  headers: {},
  timeoutMs: 60_000,
  maxBytes: 1000,
  signal: new AbortController().signal,
  ...changes,
});

test.each([
  [0, 2],
  [4, 1],
])('with %i kept connections, two requests need %i', async (keptConnections, needed) => {
  const ports = new Set<number | undefined>();
  const url = await startServer((request, response) => {
    ports.add(request.socket.remotePort);
    response.end('ok');
  });
  const client = createHttpClient({ targets, keptConnections });
  onTestFinished(() => client.close());
  for (let n = 0; n < 2; n++) expect(String((await client.request(aRequest(url))).body)).toBe('ok');
  expect(ports.size).toBe(needed);
});

test('no connection is kept to a server that a redirect leads to', async () => {
  const ports = new Set<number | undefined>();
  const other = await startServer((request, response) => {
    ports.add(request.socket.remotePort);
    response.end('ok');
  });
  const url = await startServer((_, response) => {
    response.writeHead(307, { location: other.href }).end();
  });
  const client = createHttpClient({ targets, keptConnections: 4 });
  onTestFinished(() => client.close());
  for (let n = 0; n < 2; n++) expect(String((await client.request(aRequest(url))).body)).toBe('ok');
  expect(ports.size).toBe(2);
});

test('a request on a kept connection that the server closes is made again; one that changes things is not', async () => {
  let requests = 0;
  const url = await startServer((request, response) => {
    requests += 1;
    // The second one comes on the connection of the first.
    if (requests === 2) request.socket.destroy();
    else response.end(String(requests));
  });
  for (const [method, kept] of [
    ['GET', '3'],
    ['POST', undefined],
  ] as const) {
    requests = 0;
    const client = createHttpClient({ targets, keptConnections: 1 });
    onTestFinished(() => client.close());
    await client.request(aRequest(url));
    const answer = client.request(aRequest(url, { method }));
    if (kept !== undefined) expect(String((await answer).body)).toBe(kept);
    else await expect(answer).rejects.toMatchObject({ kind: 'unreachable' });
  }
});

test('only URLs on the list are called, also after a redirect', async () => {
  const called: (string | undefined)[] = [];
  const url = await startServer((request, response) => {
    called.push(request.url);
    response.writeHead(307, { location: '/other' }).end();
  });
  const urls = { isAllowed: (given: string) => given === `${url.origin}/listed` };
  const client = createHttpClient({ targets: createAllowedTargets(['127.0.0.1'], urls) });
  for (const path of ['/listed', '/unlisted']) {
    await expect(client.request(aRequest(new URL(path, url)))).rejects.toMatchObject({
      kind: 'not-listed',
      message: expect.stringContaining('/system/urlallowlist'),
    });
  }
  expect(called).toEqual(['/listed']);
});

test('the redirects of a GET are followed, and no more of an answer is read than is wanted', async () => {
  const url = await startServer((request, response) => {
    if (request.url === '/') response.writeHead(301, { location: '/there' }).end();
    else response.end('x'.repeat(100_000));
  });
  const client = createHttpClient({ targets });
  const answer = await client.request(aRequest(url));
  expect(answer).toMatchObject({ origin: url.origin, status: 200, isCut: true });
  expect(answer.body).toHaveLength(1000);
  const posted = await client.request(aRequest(url, { method: 'POST', body: 'x' }));
  expect(posted).toMatchObject({ status: 301, isCut: false });
});
