import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import net from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { type ApiFixture, basic, createApiFixture } from '#testing/api-fixture.ts';
import { eventually, until } from '#testing/eventually.ts';
import { defineRoute } from './route.ts';

/** More than the buffers of a connection take, also compressed, and more than half of what may be held. */
const BODY_BYTES = 24 * 2 ** 20;
/** Compresses to half of its size. */
const TEXT = randomBytes(BODY_BYTES / 2).toString('hex');
const MAX_ANSWERS_BYTES = 40 * 2 ** 20;

const large = defineRoute({
  tag: 'Things',
  errors: [],
  method: 'GET',
  path: '/large',
  summary: 'A large answer',
  permission: { kind: 'authenticated' },
  responses: { 200: z.strictObject({ text: z.string() }) },
  handler: async () => ({ text: TEXT }),
});

let fixture: ApiFixture;
const clients: net.Socket[] = [];

afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  await fixture.api.stop();
});

async function start(settings: { readonly stalledAnswerTimeoutMs?: number } = {}): Promise<void> {
  fixture = await createApiFixture([large], { settings, maxAnswersBytes: MAX_ANSWERS_BYTES });
  await fixture.api.start();
}

const statusOf = async (encoding = 'identity'): Promise<number> => {
  const response = await fetch(`${fixture.api.address()}/api/large`, {
    headers: { authorization: basic('admin'), 'accept-encoding': encoding },
  });
  await response.arrayBuffer();
  return response.status;
};

/** Requests the large answer, reads its first bytes, and then nothing more. */
async function requestAndReadNothing(encoding = 'identity'): Promise<net.Socket> {
  const { hostname, port } = new URL(fixture.api.address());
  const client = net.connect(Number(port), hostname);
  clients.push(client);
  client.on('error', () => {});
  client.write(
    `GET /api/large HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: ${basic('admin')}\r\nAccept-Encoding: ${encoding}\r\n\r\n`,
  );
  await once(client, 'readable');
  return client;
}

test('an answer is counted until its client has read it', async () => {
  await start();
  expect(await statusOf()).toBe(200);
  const client = await requestAndReadNothing();
  expect(await statusOf()).toBe(503);
  client.resume();
  await until(() => client.bytesRead > BODY_BYTES);
  await eventually(async () => expect(await statusOf()).toBe(200));
});

test('an answer is not counted after its client has left', async () => {
  await start();
  const client = await requestAndReadNothing();
  expect(await statusOf()).toBe(503);
  client.destroy();
  await eventually(async () => expect(await statusOf()).toBe(200));
});

test('of a compressed answer only the compressed body is counted', async () => {
  await start();
  await requestAndReadNothing('gzip');
  expect(await statusOf()).toBe(200);
  await requestAndReadNothing('gzip');
  expect(await statusOf()).toBe(503);
});

test('a client that reads nothing for too long is disconnected', async () => {
  await start({ stalledAnswerTimeoutMs: 200 });
  const client = await requestAndReadNothing();
  await eventually(async () => expect(await statusOf()).toBe(200));
  client.resume();
  await once(client, 'close');
  expect(client.bytesRead).toBeLessThan(BODY_BYTES);
});
