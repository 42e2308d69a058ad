/**
 * What senders send beside the specification of GELF, as they send it: each test names the sender. Those that Debian has
 * run with their own code in tests/intake/real-senders.test.ts; here it is about what becomes of such messages.
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../packages/server/src/testing/eventually.ts';
import { type ClientNode, startClientNode } from '../support/client-node.ts';

let node: ClientNode;
/** Ports of inputs, by title. */
const ports: Record<string, number> = {};
const ids: Record<string, string> = {};
const LOGSTASH = { _of: 'logstash', '_@version': '1', '_@metadata.x': 'y', _kept: 'z' };

async function createTcpInput(title: string, configuration: object): Promise<void> {
  const { id } = await node.ask(201, 'POST', '/system/inputs', {
    title,
    type: 'org.graylog2.inputs.gelf.tcp.GELFTCPInput',
    global: true,
    configuration: { bind_address: '127.0.0.1', port: 0, ...configuration },
  });
  ids[title] = id;
  ports[title] = await node.listeningPort(id);
}

/** Sends bytes on one connection and ends it. */
async function sendTcp(port: number | undefined, bytes: string): Promise<void> {
  const socket = connect({ host: '127.0.0.1', port: port ?? 0 });
  socket.end(bytes);
  socket.resume();
  await once(socket, 'close');
}

beforeAll(async () => {
  node = await startClientNode();
  await createTcpInput('null bytes', {});
  await createTcpInput('either', { detect_delimiter: true });
  // What takes some seconds to show: sent first, looked at last.
  await node.send(LOGSTASH);
  await sendTcp(ports['null bytes'], lines('newlines', 3));
});
afterAll(() => node.stop());

function lines(of: string, count: number): string {
  const message = (index: number) =>
    JSON.stringify({ version: '1.1', host: 'h', short_message: `line ${index}`, _of: of });
  return Array.from({ length: count }, (_, index) => `${message(index)}\n`).join('');
}

test('logstash: names outside of the specification are dropped, the rest is kept', async () => {
  const [message] = await node.found('of:logstash', 1);
  expect(message).toMatchObject({ kept: 'z' });
  expect(Object.keys(message ?? {}).filter((name) => name.includes('@'))).toEqual([]);
});

test('graypy: NaN and Infinity, which Python writes into JSON, become text', async () => {
  // The program of Debian, as in tests/intake/real-senders.test.ts.
  const program = `
import logging, sys, graypy
logger = logging.getLogger('x')
logger.addHandler(graypy.GELFHTTPHandler('127.0.0.1', int(sys.argv[1]), compress=False))
logger.warning('not a number', extra={'of': 'graypy', 'a': float('nan'), 'b': float('-inf'), 'c': 1.5})`;
  const port = await node.process.inputPort('GELF HTTP');
  await promisify(execFile)('/usr/bin/python3', ['-c', program, String(port)]);
  const [message] = await node.found('of:graypy', 1);
  expect(message).toMatchObject({ message: 'not a number', a: 'NaN', b: '-Infinity', c: 1.5 });
});

test('scripts: a number as short_message becomes text', async () => {
  await node.send({ _of: 'number', short_message: 12345678901234567890n.toString() });
  await node.send('{"version":"1.1","host":"h","short_message":42.5,"_of":"number"}');
  const found = await node.found('of:number', 2);
  expect(found.map(({ message }) => message).sort()).toEqual(['12345678901234567890', '42.5']);
});

test('curl with a file of several objects: bytes after the first are ignored and counted', async () => {
  const name = 'millrace.codec.gelf.notes.trailing_bytes';
  const counted = async () => (await node.call('GET', `/system/metrics/${name}`)).body.count ?? 0;
  const before = await counted();
  await node.send(
    '{"version":"1.1","host":"h","short_message":"first","_of":"trailing"}{"short_message":"second"}',
  );
  expect(await node.found('of:trailing', 1)).toMatchObject([{ message: 'first' }]);
  await until(async () => (await counted()) === before + 1);
});

test.each([
  ['milliseconds (log4j2 with a wrong layout)', '1731670000123', '2024-11-15T11:26:40.123Z'],
  ['ISO 8601 (fluent-bit, Winston)', '"2026-11-15T10:00:00Z"', '2026-11-15T10:00:00.000Z'],
  ['seconds (the specification)', '1731670000.123', '2024-11-15T11:26:40.123Z'],
])('timestamps: %s', async (kind, timestamp, expected) => {
  const of = `time${kind.length}`;
  await node.send(`{"version":"1.1","host":"h","short_message":"x","_of":"${of}","timestamp":${timestamp}}`);
  expect(await node.found(`of:${of}`, 1)).toMatchObject([{ timestamp: expected }]);
});

test('HTTP clients that end the path with a slash: /gelf/ answers as /gelf', async () => {
  const port = await node.process.inputPort('GELF HTTP');
  const body = '{"version":"1.1","host":"h","short_message":"x","_of":"slash"}';
  const answer = await fetch(`http://127.0.0.1:${port}/gelf/`, { method: 'POST', body });
  expect(answer.status).toBe(202);
  await node.found('of:slash', 1);
});

test('netcat with newlines and gelf-pro with null bytes: an input that detects the delimiter takes both', async () => {
  await sendTcp(ports.either, lines('detected', 3));
  await sendTcp(ports.either, lines('detected', 2).replaceAll('\n', '\0'));
  await node.found('of:detected', 5);
});

test('netcat with newlines: an input that expects null bytes says so, with the remedy, until it is changed', async () => {
  const notifications = async () =>
    (await node.ask(200, 'GET', '/system/notifications')).notifications.filter(
      ({ type }: { type: string }) => type === 'input_newline_delimited',
    );
  const id = ids['null bytes'];
  await until(async () => (await notifications()).length === 1);
  expect(await notifications()).toMatchObject([
    {
      severity: 'normal',
      details: {
        input_id: id,
        input_title: 'null bytes',
        remedy: expect.stringContaining('detect_delimiter'),
      },
    },
  ]);
  // Figures of workers come a second later than what they say about the state of an input.
  const losses = async () => (await node.ask(200, 'GET', `/system/inputstates/${id}`)).losses;
  await until(async () => (await losses()).length > 0);
  expect(await losses()).toMatchObject([{ reason: 'errors.newline_delimited', count: 1, unit: 'events' }]);
  const { attributes, ...input } = await node.ask(200, 'GET', `/system/inputs/${id}`);
  const configuration = { ...attributes, use_null_delimiter: false };
  await node.ask(201, 'PUT', `/system/inputs/${id}`, { ...input, configuration });
  await until(async () => (await notifications()).length === 0);
});

test('logstash: the losses of the input name such a field', async () => {
  const { inputs } = await node.ask(200, 'GET', '/system/inputs');
  const { id } = inputs.find(({ title }: { title: string }) => title === 'GELF HTTP');
  const losses = async () => (await node.ask(200, 'GET', `/system/inputstates/${id}`)).losses;
  await until(async () => (await losses()).length > 0);
  expect(await losses()).toMatchObject([
    { reason: 'dropped.bad_field_name', unit: 'fields', count: 2, example: '_@version' },
  ]);
  // Its messages are stored: the input loses nothing.
  expect((await node.ask(200, 'GET', `/system/inputstates/${id}`)).detailed_message ?? '').not.toContain(
    'lost',
  );
});
