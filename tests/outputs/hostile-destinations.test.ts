/** The outputs of a worker, with real queues on disk, against destinations that do what they should not. */
import dns from 'node:dns';
import type net from 'node:net';
import path from 'node:path';
import tls from 'node:tls';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createSelfSignedCertificate } from '../../packages/server/src/inputs/net/self-signed.ts';
import { eventually, until } from '../../packages/server/src/testing/eventually.ts';
import {
  createOutputHostFixture,
  type OutputHostFixture,
} from '../../packages/server/src/testing/output-host-fixture.ts';
import { mountSmallDisk, smallDiskProblem } from '../../packages/server/src/testing/small-disk.ts';
import { freePort } from '../support/free-port.ts';
import { startTcpSink, type TcpSink } from '../support/tcp-sink.ts';

const PATIENCE = { timeoutMs: 120_000, intervalMs: 20 };
const MIB = 1024 ** 2;

let fixture: OutputHostFixture;
const sinks: TcpSink[] = [];

beforeEach(async () => {
  fixture = await createOutputHostFixture();
});

afterEach(async () => {
  await fixture.close();
  for (const sink of sinks.splice(0)) await sink.stop();
});

async function aSink(options: Parameters<typeof startTcpSink>[0] = {}): Promise<TcpSink> {
  const sink = await startTcpSink(options);
  sinks.push(sink);
  return sink;
}

const gelf = (id: string, port: number, configuration: Record<string, unknown> = {}) => ({
  id,
  title: id,
  type: 'gelf',
  configuration: { hostname: '127.0.0.1', port, reconnect_delay: 10, ...configuration },
  paused: false,
});

const numbersOf = (frames: readonly string[]) =>
  frames.map((frame) => Number(JSON.parse(frame).short_message.slice('message '.length)));
const upTo = (end: number, start = 0) => Array.from({ length: end - start }, (_, index) => start + index);

/** All arrived, and whatever came twice came in order again from an earlier message. */
function expectAtLeastOnceInOrder(numbers: readonly number[], connections: number, end: number): void {
  expect([...new Set(numbers)].toSorted((a, b) => a - b)).toEqual(upTo(end));
  const steps = numbers.slice(1).filter((number, index) => number !== (numbers[index] ?? 0) + 1);
  expect(steps.every((number) => number <= end)).toBe(true);
  expect(steps.length).toBeLessThan(connections);
  // A step back, never one that leaves something out.
  let highest = -1;
  for (const number of numbers) {
    expect(number).toBeLessThanOrEqual(highest + 1);
    highest = Math.max(highest, number);
  }
}

test('a destination that was away under load gets everything in order', async () => {
  const port = await freePort('tcp');
  await fixture.apply(gelf('o', port));
  await fixture.route(20_000);
  await eventually(
    () => expect(fixture.report('o')).toMatchObject({ state: 'FAILED', queuedMessages: 20_000 }),
    PATIENCE,
  );
  const sink = await aSink({ port });
  await fixture.route(5000);
  await until(() => sink.frames.length >= 25_000, PATIENCE);
  expect(numbersOf(sink.frames)).toEqual(upTo(25_000));
});

test('a reader that hangs delays its own messages only, and loses none when it breaks', async () => {
  const sockets: net.Socket[] = [];
  const slow = await aSink({
    onConnection(socket) {
      if (sockets.push(socket) === 1) socket.pause();
    },
  });
  const quick = await aSink();
  const outputs = [
    gelf('slow', slow.port, { resend_window: 5 }),
    gelf('quick', quick.port, { resend_window: 5 }),
  ];
  await fixture.apply(...outputs.map((output) => ({ ...output, paused: true })));
  // More than the buffers of the kernel take, so that they are full at once.
  await fixture.route(60_000);
  await fixture.apply(...outputs);
  await until(() => fixture.report('quick').queuedMessages === 0, PATIENCE);
  expect(numbersOf(quick.frames)).toEqual(upTo(60_000));
  expect(slow.frames).toEqual([]);
  // What it has not read is not delivered, however long ago it left.
  expect(fixture.report('slow').queuedMessages).toBe(60_000);
  for (const socket of sockets) socket.destroy();
  await until(() => slow.frames.length >= 60_000, PATIENCE);
  expect(numbersOf(slow.frames)).toEqual(upTo(60_000));
  expect(slow.connections).toBe(2);
});

test('a reader that resets each connection after some bytes gets everything, repeated only from where it broke', async () => {
  const sink = await aSink({
    onConnection(socket) {
      let left = 200_000 + Math.floor(Math.random() * 100_000);
      socket.on('data', (bytes) => {
        left -= bytes.length;
        if (left < 0 && sink.connections < 12) socket.resetAndDestroy();
      });
    },
  });
  await fixture.apply(gelf('o', sink.port));
  await fixture.route(20_000);
  await until(() => new Set(numbersOf(sink.frames)).size === 20_000, PATIENCE);
  expect(sink.connections).toBeGreaterThan(3);
  expectAtLeastOnceInOrder(numbersOf(sink.frames), sink.connections, 20_000);
});

describe('TLS', () => {
  const DAY = 86_400_000;
  const certified = (name: string, nowMs = Date.now()) =>
    createSelfSignedCertificate({ commonName: name, alternativeNames: [name], nowMs, days: 1 });

  async function serve({ certificate, key }: { certificate: string; key: string }) {
    const received: Buffer[] = [];
    const server = tls.createServer({ cert: certificate, key }, (socket) => {
      socket.on('data', (bytes: Buffer) => received.push(bytes));
      socket.on('error', () => {});
    });
    server.on('tlsClientError', () => {});
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return { port: (server.address() as net.AddressInfo).port, received, server };
  }

  test.each([
    ['self-signed', certified('localhost'), undefined, 'its certificate is self-signed'],
    ['expired', certified('localhost', Date.now() - 30 * DAY), 'own', 'its certificate has expired'],
    ['for another host', certified('logs.example.org'), 'own', 'its certificate is for another host'],
  ])('nothing is sent to a server whose certificate is %s', async (_what, pair, trusted, reason) => {
    const { port, received, server } = await serve(pair);
    const configuration = {
      hostname: 'localhost',
      protocol: 'TCP+TLS',
      ...(trusted && { tls_trust_cert_chain: pair.certificate }),
    };
    await fixture.apply(gelf('o', port, configuration));
    await fixture.route(10);
    await eventually(() => {
      expect(fixture.report('o')).toMatchObject({ state: 'FAILED', queuedMessages: 10 });
      expect(fixture.report('o').lastError?.message).toContain(reason);
    }, PATIENCE);
    expect(received).toEqual([]);
    await fixture.apply(gelf('o', port, { ...configuration, tls_verification_enabled: false }));
    await until(() => Buffer.concat(received).toString().split('\0').length === 11, PATIENCE);
    await fixture.apply();
    server.close();
  });
});

test('a name that is not found at first, and not found again later', async () => {
  const sockets: net.Socket[] = [];
  const sink = await aSink({ onConnection: (socket) => sockets.push(socket) });
  const { lookup } = dns;
  let isFound = false;
  // No test can change what the name servers of the machine say.
  const answers = vi.spyOn(dns, 'lookup').mockImplementation(((name: string, ...rest: LookupRest) => {
    const [options, callback] = rest;
    if (name !== 'late.example.org') lookup(name, options, callback);
    else if (isFound) callback(null, [{ address: '127.0.0.1', family: 4 }]);
    else callback(Object.assign(new Error('getaddrinfo EAI_AGAIN'), { code: 'EAI_AGAIN' }), []);
  }) as typeof dns.lookup);
  const failed = {
    state: 'FAILED',
    message: expect.stringMatching(/cannot connect to late\.example\.org:\d+: .*EAI_AGAIN/),
  };
  try {
    await fixture.apply(gelf('o', sink.port, { hostname: 'late.example.org' }));
    await fixture.route(1000);
    await eventually(() => expect(fixture.report('o')).toMatchObject(failed), PATIENCE);
    isFound = true;
    await until(() => sink.frames.length === 1000, PATIENCE);
    isFound = false;
    for (const socket of sockets) socket.destroy();
    await eventually(() => expect(fixture.report('o')).toMatchObject(failed), PATIENCE);
    await fixture.route(1000);
    isFound = true;
    await until(() => new Set(numbersOf(sink.frames)).size === 2000, PATIENCE);
    expectAtLeastOnceInOrder(numbersOf(sink.frames), sink.connections, 2000);
  } finally {
    answers.mockRestore();
  }
});

type LookupRest = [
  options: dns.LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: dns.LookupAddress[]) => void,
];

test('fifty outputs at once: the living get everything, the dead keep theirs', async () => {
  const living = await Promise.all(upTo(10).map(() => aSink()));
  const dead = await freePort('tcp');
  const alive = living.map(({ port }, number) => gelf(`alive-${number}`, port));
  await fixture.apply(...alive, ...upTo(40).map((number) => gelf(`dead-${number}`, dead)));
  await fixture.route(2000);
  for (const sink of living) {
    await until(() => sink.frames.length === 2000, PATIENCE);
    expect(numbersOf(sink.frames)).toEqual(upTo(2000));
  }
  for (const number of upTo(40)) {
    // Between two attempts it is not failed for a moment.
    await eventually(
      () => expect(fixture.report(`dead-${number}`)).toMatchObject({ state: 'FAILED', queuedMessages: 2000 }),
      PATIENCE,
    );
  }
});

test('reconfigured, paused and deleted under load', async () => {
  const [before, after, other] = [await aSink(), await aSink(), await aSink()];
  await fixture.apply(gelf('moved', before.port), gelf('kept', other.port), gelf('deleted', before.port));
  let isLoading = true;
  const load = (async () => {
    while (isLoading) await fixture.route(200);
  })();
  await until(() => before.frames.length > 1000, PATIENCE);
  await fixture.apply(gelf('moved', after.port), gelf('kept', other.port));
  await until(() => after.frames.length > 1000, PATIENCE);
  await fixture.apply({ ...gelf('moved', after.port), paused: true }, gelf('kept', other.port));
  const whilePaused = fixture.routed;
  await until(() => fixture.routed > whilePaused + 1000, PATIENCE);
  isLoading = false;
  await load;
  await fixture.apply(gelf('moved', after.port), gelf('kept', other.port));
  await until(
    () => fixture.report('moved').queuedMessages === 0 && fixture.report('kept').queuedMessages === 0,
    PATIENCE,
  );
  const moved = numbersOf([...before.frames, ...after.frames]);
  expect(new Set(moved).size).toBe(fixture.routed);
  expect(numbersOf(other.frames)).toEqual(upTo(fixture.routed));
});

test('a queue that was full when its process ended is sent from the oldest message that is left', async () => {
  const small = await createOutputHostFixture({ padding: 'x'.repeat(1000) });
  const port = await freePort('tcp');
  await small.apply(gelf('o', port, { queue_max_size: 16 * MIB }));
  await small.route(30_000);
  expect(small.report('o').droppedMessages).toBeGreaterThan(1000);
  await small.restart();
  const left = small.report('o').queuedMessages;
  expect(left).toBeGreaterThan(1000);
  const sink = await aSink({ port });
  await until(() => sink.frames.length >= left, PATIENCE);
  expect(numbersOf(sink.frames)).toEqual(upTo(30_000, 30_000 - left));
  await small.close();
});

const problem = smallDiskProblem();
test.skipIf(problem !== undefined)(
  `a queue whose disk is full gives up what it cannot keep, and goes on when there is room${problem ? ` (${problem})` : ''}`,
  async () => {
    const disk = mountSmallDisk(64);
    const full = await createOutputHostFixture({
      directory: path.join(disk.directory, 'data'),
      padding: 'x'.repeat(1000),
    });
    try {
      const port = await freePort('tcp');
      await full.apply(gelf('o', port));
      await full.route(1000);
      disk.fill(0);
      // Does not hang: storage does not need this queue.
      await full.route(1000);
      await eventually(() => expect(full.report('o').droppedMessages).toBeGreaterThan(0), PATIENCE);
      disk.repair();
      // The queue tries the disk again from time to time. Until then it goes on dropping.
      await eventually(async () => {
        const { droppedMessages } = full.report('o');
        await full.route(10);
        expect(full.report('o').droppedMessages).toBe(droppedMessages);
      }, PATIENCE);
      const sink = await aSink({ port });
      await until(() => numbersOf(sink.frames).includes(full.routed - 1), PATIENCE);
      const numbers = new Set(numbersOf(sink.frames));
      expect(upTo(1000).filter((number) => !numbers.has(number))).toEqual([]);
      // What was given up is still sent if it was in memory when there was room again.
      expect(numbers.size).toBeGreaterThanOrEqual(full.routed - full.report('o').droppedMessages);
    } finally {
      await full.close();
      disk.unmount();
    }
  },
);
