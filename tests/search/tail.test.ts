import dgram from 'node:dgram';
import { once } from 'node:events';
import net from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../packages/server/src/testing/eventually.ts';
import { type AbsentClickHouse, startAbsentClickHouse } from '../support/absent-clickhouse.ts';
import { callApi, KNOWN_PASSWORD, rootCredentials } from '../support/node-api.ts';
import { type NodeProcess, startNode } from '../support/node-process.ts';
import { openTail, type TailClient, type TailEvent, TailRefused } from '../support/tail-client.ts';

/**
 * One node with two workers whose storage is never available. A live tail gets its messages from processing, so it must
 * work nevertheless.
 */
const FAILURE_STREAM = '000000000000000000000004';

let clickhouse: AbsentClickHouse;
let node: NodeProcess;
let address: string;
const ports = { tcp: 0, udp: 0, http: 0 };
const clients: TailClient[] = [];

beforeAll(async () => {
  clickhouse = await startAbsentClickHouse();
  node = startNode(
    { clickhouse_uri: clickhouse.uri, processing_workers: '2', live_tail_max_followers_per_user: '5' },
    { env: KNOWN_PASSWORD },
  );
  address = await node.ready();
  for (const transport of ['tcp', 'udp', 'http'] as const) {
    ports[transport] = await node.inputPort(`GELF ${transport.toUpperCase()}`);
  }
});
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});
afterAll(async () => {
  node.kill();
  await node.exited();
  await clickhouse.stop();
});

async function follow(
  parameters: Readonly<Record<string, string>> = {},
  authorization = rootCredentials(),
): Promise<TailClient> {
  // The node may not have noticed yet that the clients of the test before are gone.
  const opened = await eventually(async () => {
    const attempt = await openTail(address, parameters, { authorization }).catch((error: unknown) => error);
    if (attempt instanceof TailRefused && attempt.status === 429) throw attempt;
    return attempt;
  });
  if (opened instanceof Error) throw opened;
  const client = opened as TailClient;
  clients.push(client);
  return client;
}

const gelf = (text: string, fields: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({ version: '1.1', host: 'mill', short_message: text, ...fields });

async function sendTcp(...frames: string[]): Promise<void> {
  const socket = net.connect(ports.tcp, '127.0.0.1');
  await once(socket, 'connect');
  socket.end(frames.map((frame) => `${frame}\0`).join(''));
  socket.resume();
  await once(socket, 'close');
}

async function sendUdp(frame: string): Promise<void> {
  const socket = dgram.createSocket('udp4');
  await new Promise((resolve) => socket.send(frame, ports.udp, '127.0.0.1', resolve));
  socket.close();
}

async function sendHttp(frame: string): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${ports.http}/gelf`, { method: 'POST', body: frame });
  expect(answer.status).toBe(202);
}

interface Counts {
  readonly matched: number;
  readonly shown: number;
  readonly dropped: number;
  readonly skipped: number;
}

interface Status extends Counts {
  readonly paused: boolean;
  readonly new_messages: number;
}

const isStatus =
  (isWanted: (status: Status) => boolean) =>
  ({ event, data }: TailEvent): boolean =>
    event === 'status' && isWanted(data);

test('messages are seen right after they were sent, over every input, without storage', async () => {
  const client = await follow({ query: 'user:ada AND NOT message:secret', fields: 'message,user' });
  const senders = { tcp: sendTcp, udp: sendUdp, http: sendHttp };
  for (const [name, send] of Object.entries(senders)) {
    await send(gelf('somebody else', { _user: 'bob' }));
    await send(gelf('the secret', { _user: 'ada' }));
    const sentAt = performance.now();
    await send(gelf(`over ${name}`, { _user: 'Ada' }));
    const { at } = await client.untilText(`over ${name}`);
    process.stdout.write(`live tail: ${Math.round(at - sentAt)} ms over ${name}\n`);
  }
  expect(client.texts()).toEqual(['over tcp', 'over udp', 'over http']);
  const messages = client.events.flatMap(({ event, data }) => (event === 'message' ? data : []));
  expect(messages[0]).toEqual({
    _id: expect.stringMatching(/^[0-9A-Z]{26}$/),
    timestamp: expect.stringMatching(/Z$/),
    message: 'over tcp',
    user: 'Ada',
  });
  await client.until(isStatus(({ matched }) => matched === 3));
});

test('messages of all workers are seen', async () => {
  const client = await follow({ query: 'worker' });
  // The kernel gives each connection to one of the workers.
  const texts = Array.from({ length: 30 }, (_, index) => `worker ${index}`);
  for (const text of texts) await sendTcp(gelf(text));
  for (const text of texts) await client.untilText(text);
  expect(client.texts().sort()).toEqual([...texts].sort());
});

test('a wrong query is refused with the position of the mistake', async () => {
  const refusal = await follow({ query: 'level:[1 TO' }).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(TailRefused);
  expect(refusal).toMatchObject({ status: 400, body: { type: 'QueryParseError', line: 1 } });
});

test('needs credentials, and a user has a limited number of tails', async () => {
  expect(await openTail(address, {}, {}).catch((error: TailRefused) => error.status)).toBe(401);
  for (let count = 0; count < 5; count++) await follow();
  const refusal = await openTail(address, {}, { authorization: rootCredentials() }).catch((error) => error);
  expect(refusal).toMatchObject({ status: 429 });
});

test('while paused it counts new messages; after that it continues with those that arrive then', async () => {
  const client = await follow({ query: 'pause' });
  await sendTcp(gelf('before the pause'));
  await client.untilText('before the pause');
  const control = (action: string) => callApi(address, 'POST', `/search/tail/${client.id}/${action}`);
  expect((await control('pause')).status).toBe(204);
  await sendTcp(gelf('in the pause 1'), gelf('in the pause 2'));
  await client.until(isStatus((status) => status.paused === true && status.new_messages === 2));
  expect((await control('resume')).status).toBe(204);
  await client.until(isStatus((status) => status.paused === false && status.matched === 3));
  await sendTcp(gelf('after the pause'));
  await client.untilText('after the pause');
  expect(client.texts()).not.toContain('in the pause 1');
  expect((await callApi(address, 'POST', '/search/tail/nobody.nothing/pause')).status).toBe(404);
});

test('a slow reader misses messages, learns how many, and does not slow down others', async () => {
  const flood = { query: 'flood', rate: '1000', fields: 'message,filler' };
  const [slow, quick] = [await follow(flood), await follow(flood)];
  slow.setReading(false);
  const filler = 'x'.repeat(16_000);
  let sent = 0;
  // Until what lies between the node and a reader that does not read is full, and less than a worker holds (32 MiB) if all of
  // it goes to the same one: without storage it would process nothing more, and the next tests would wait for ever. In few
  // messages, since a fast node would skip all beyond the rate.
  const isAll = ({ matched, skipped }: Counts) => matched + skipped >= sent;
  // A megabyte at a time: the other reader has each before the next, however busy the machine is.
  for (let round = 0; round < 15; round++) {
    const frames = Array.from({ length: 60 }, () => gelf(`flood ${sent++}`, { _filler: filler }));
    await sendTcp(...frames);
    await quick.until(isStatus(isAll));
  }
  slow.setReading(true);
  const hasShownAll = isStatus((status) => isAll(status) && status.shown + status.dropped === status.matched);
  const { data } = await slow.until(hasShownAll);
  // Its status comes after the messages that it counts, so they have been read.
  await quick.until(hasShownAll);
  process.stdout.write(`live tail: a slow reader was shown ${data.shown} of ${sent} messages\n`);
  expect(data.dropped).toBeGreaterThan(0);
  expect(quick.texts().length).toBeGreaterThan(data.shown);
});

test('processing failures are seen by those who follow their stream', async () => {
  const all = await follow({ query: '*' });
  const failures = await follow({ streams: FAILURE_STREAM });
  await sendTcp('this is not GELF', gelf('after the failure'));
  await failures.until(({ event, data }) => event === 'message' && data[0].streams.includes(FAILURE_STREAM));
  await all.untilText('after the failure');
  expect(all.texts()).toEqual(['after the failure']);
});

async function createUser(username: string, permissions: readonly string[]): Promise<string> {
  const password = `password of ${username}`;
  const created = await callApi(address, 'POST', '/users', {
    username,
    password,
    email: `${username}@example.org`,
    full_name: username,
    permissions,
    roles: [],
  });
  expect([created.status, created.body]).toEqual([201, expect.anything()]);
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

async function createStream(field: string): Promise<string> {
  const created = await callApi(address, 'POST', '/streams', {
    title: field,
    index_set_id: '000000000000000000000001',
    rules: [{ type: 5, field, value: '', inverted: false }],
  });
  const { stream_id: id } = created.body;
  expect((await callApi(address, 'POST', `/streams/${id}/resume`)).status).toBe(204);
  return id;
}

test('users see only streams they may read, and only while they may', async () => {
  const [red, blue] = [await createStream('red'), await createStream('blue')];
  const ada = await createUser('ada', [`streams:read:${red}`, `streams:read:${blue}`]);
  const root = await follow({ query: 'colour' });
  const client = await follow({ query: 'colour' }, ada);
  const named = await follow({ query: 'colour', streams: red }, ada);
  expect(client.events[0]?.data.streams).toEqual([red, blue].sort());
  expect(await follow({ streams: FAILURE_STREAM }, ada).catch((error: TailRefused) => error.status)).toBe(
    403,
  );
  expect((await callApi(address, 'POST', `/search/tail/${client.id}/pause`)).status).toBe(404);

  // Streams are live in the workers within a second.
  while (!client.texts().includes('colour red')) {
    const known = root.events.length;
    await sendTcp(gelf('colour none'), gelf('colour red', { _red: 1 }));
    await root.until((event) => event.event === 'status' && root.events.indexOf(event) >= known);
  }
  const shown = (await named.untilText('colour red')).data.find(
    ({ message }: { message: string }) => message === 'colour red',
  );
  expect(shown.streams).toEqual([red]);
  expect(new Set(client.texts())).toEqual(new Set(['colour red']));

  const changed = await callApi(address, 'PUT', '/users/ada/permissions', {
    permissions: [`streams:read:${blue}`],
  });
  expect(changed.status).toBe(204);
  const access = await client.until(({ event }) => event === 'access');
  expect(access.data).toEqual({ streams: [blue] });
  const end = await named.until(({ event }) => event === 'end');
  expect(end.data).toMatchObject({ reason: 'forbidden' });
  await named.ended;
  const seen = client.texts().length;
  await sendTcp(gelf('colour red', { _red: 1 }), gelf('colour blue', { _blue: 1 }));
  await client.untilText('colour blue');
  expect(client.texts().slice(seen)).toEqual(['colour blue']);

  expect((await callApi(address, 'DELETE', '/users/ada')).status).toBe(204);
  expect((await client.until(({ event }) => event === 'end')).data).toMatchObject({
    reason: 'unauthenticated',
  });
});

test('a tail ends with its session', async () => {
  const bob = await createUser('bob', ['streams:read']);
  const headers = { 'content-type': 'application/json', 'x-requested-by': 'test' };
  const login = await fetch(`${address}/api/system/sessions`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ username: 'bob', password: 'password of bob', host: '' }),
  });
  const { session_id: session } = (await login.json()) as { session_id: string };
  const client = await openTail(address, {}, { cookie: `authentication=${session}` });
  clients.push(client);
  await sendTcp(gelf('in the session'));
  await client.untilText('in the session');
  const ended = await fetch(`${address}/api/system/sessions/${session}`, {
    method: 'DELETE',
    headers: { ...headers, authorization: bob, cookie: `authentication=${session}` },
  });
  expect(ended.status).toBe(204);
  expect((await client.until(({ event }) => event === 'end')).data).toMatchObject({
    reason: 'unauthenticated',
  });
});

test('a node that stops tells its followers', async () => {
  const client = await follow();
  node.kill('SIGTERM');
  expect((await client.until(({ event }) => event === 'end')).data).toMatchObject({ reason: 'stopping' });
  await client.ended;
  expect(await node.exited()).toMatchObject({ code: 0 });
});
