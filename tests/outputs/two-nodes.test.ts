/** A node that forwards to a second one. Each test continues where the one before ended. */
import net from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../packages/server/src/testing/eventually.ts';
import { askEngine } from '../support/engine-of-node.ts';
import { freePort } from '../support/free-port.ts';
import { callApi, KNOWN_PASSWORD } from '../support/node-api.ts';
import { type NodeProcess, startNode } from '../support/node-process.ts';
import {
  ALL_MESSAGES,
  attachOutputs,
  createOutput,
  createStreamOf,
  outputState,
} from '../support/output-api.ts';

const PATIENCE = { timeoutMs: 240_000, intervalMs: 50 };
const KILLS = 4;

let first: NodeProcess;
let second: NodeProcess;
let address: string;
/** Where the second node listens, across its restarts. */
const ports: Record<string, string> = {};

function startSecond(dataDir?: string): void {
  second = startNode(
    { processing_workers: '1', ...ports },
    { env: KNOWN_PASSWORD, ...(dataDir && { dataDir }) },
  );
}

beforeAll(async () => {
  ports.default_input_tcp_port = String(await freePort('tcp'));
  ports.default_input_http_port = String(await freePort('tcp'));
  ports.default_input_udp_port = String(await freePort('udp'));
  first = startNode({ processing_workers: '1' }, { env: KNOWN_PASSWORD });
  startSecond();
  [address] = await Promise.all([first.ready(), second.ready()]);
});

afterAll(async () => {
  for (const node of [first, second]) node.kill('SIGKILL');
  await Promise.all([first, second].map((node) => node.exited()));
});

/** Numbered messages to the first node, as fast as told, until stopped. */
async function startLoad() {
  const socket = net.connect(await first.inputPort('GELF TCP'), '127.0.0.1');
  let sent = 0;
  const timer = setInterval(() => {
    for (let each = 0; each < 20; each++) {
      const number = sent++;
      socket.write(
        `${JSON.stringify({ version: '1.1', host: 'load', short_message: `number ${number}`, _number: number })}\0`,
      );
    }
  }, 10);
  return async () => {
    clearInterval(timer);
    await new Promise<void>((resolve) => socket.end(resolve));
    return sent;
  };
}

async function texts(node: NodeProcess): Promise<string[]> {
  const rows = await askEngine<{ message: string }>(
    node.dataDir,
    "SELECT DISTINCT message FROM merge('millrace', '^millrace_') WHERE source = 'load'",
  );
  return rows.map(({ message }) => message).toSorted();
}

// Each is a start of a node: on a machine with other work they take minutes.
const RESTARTS_MS = 900_000;

test('while the second node is killed and restarted again and again no message is lost', {
  timeout: RESTARTS_MS,
}, async () => {
  const output = await createOutput(address, 'gelf', {
    hostname: '127.0.0.1',
    port: Number(ports.default_input_tcp_port),
    reconnect_delay: 50,
  });
  await attachOutputs(address, ALL_MESSAGES, output);
  const endLoad = await startLoad();
  for (let kill = 0; kill < KILLS; kill++) {
    const before = (await outputState(address, output)).sent_messages;
    await eventually(
      async () => expect((await outputState(address, output)).sent_messages).toBeGreaterThan(before + 200),
      PATIENCE,
    );
    second.kill('SIGKILL');
    await second.exited();
    startSecond(second.dataDir);
  }
  await second.ready();
  const sent = await endLoad();
  await eventually(
    async () =>
      expect(await outputState(address, output)).toMatchObject({ state: 'RUNNING', queued_messages: 0 }),
    PATIENCE,
  );
  await eventually(async () => expect(await texts(first)).toHaveLength(sent), PATIENCE);
  await eventually(async () => expect((await texts(second)).length).toBe(sent), PATIENCE);
  expect(await texts(second)).toEqual(await texts(first));
  expect(await outputState(address, output)).toMatchObject({ dropped_messages: 0, refused_messages: 0 });
  await callApi(address, 'DELETE', `/system/outputs/${output}`);
});

const TYPED = {
  version: '1.1',
  host: 'typed',
  short_message: 'Größe "1" \n 日本語',
  full_message: 'all\nof it',
  timestamp: 1_790_000_000.125,
  level: 4,
  _text: 'x',
  _whole: 7,
  _large: 9_007_199_254_740_991,
  _half: 0.5,
  _yes: true,
  _no: false,
  _long: 'y'.repeat(5000),
};

test.each([
  ['UDP', { protocol: 'UDP', compression: 'gzip', max_datagram_size: 1000 }, 'default_input_udp_port'],
  ['HTTP', { protocol: 'HTTP' }, 'default_input_http_port'],
  ['HTTP in bulk', { protocol: 'HTTP', bulk: true, compression: 'gzip' }, 'default_input_http_port'],
])(
  'over %s the second node stores what the first one has, types included',
  async (name, configuration, port) => {
    const stream = await createStreamOf(address, 'kind', name);
    const output = await createOutput(address, 'gelf', {
      hostname: '127.0.0.1',
      port: Number(ports[port]),
      ...configuration,
    });
    await attachOutputs(address, stream, output);
    const answer = await fetch(`http://127.0.0.1:${await first.inputPort('GELF HTTP')}/gelf`, {
      method: 'POST',
      body: JSON.stringify({ ...TYPED, _kind: name }),
    });
    expect(answer.status).toBe(202);
    const messageOf = async (at: string) => {
      const query = encodeURIComponent(`source:typed AND kind:"${name}"`);
      const { body } = await callApi(
        at,
        'GET',
        `/search/universal/relative?query=${query}&range=0&decorate=false`,
      );
      expect(body.messages).toHaveLength(1);
      const { _id, streams, ...fields } = body.messages[0].message;
      return Object.fromEntries(Object.entries(fields).filter(([field]) => !field.startsWith('gl2_')));
    };
    const here = await eventually(() => messageOf(address), PATIENCE);
    const secondAddress = await second.ready();
    const there = await eventually(() => messageOf(secondAddress), PATIENCE);
    expect(here).toMatchObject({ whole: 7, half: 0.5, text: 'x', kind: name });
    expect(there).toEqual({ ...here, forwarder: 'org.graylog2.outputs.GelfOutput' });
  },
);
