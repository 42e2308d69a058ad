/**
 * Random and mutated bytes on real sockets of every input. Whatever is sent, the input stays up, does not
 * collect memory, and the next good message arrives.
 */
import { deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compressPayload, splitIntoChunks } from '#codecs/index.ts';
import { until } from '#testing/eventually.ts';
import { closing, gelf, openStream, sendDatagrams, sendHttp, sendStream } from '#testing/gelf-senders.ts';
import { createIntakeFixture, type IntakeFixture, TEST_INPUT_ID } from '#testing/intake-fixture.ts';

const RUNS = { numRuns: 60, endOnFailure: true };

/** Something that means something to the input, with a few places changed. */
function mutated(seed: Buffer): fc.Arbitrary<Buffer> {
  const place = fc.integer({ min: 0, max: seed.length });
  const change = fc.oneof(
    fc.tuple(fc.constant('set' as const), place, fc.uint8Array({ minLength: 1, maxLength: 4 })),
    fc.tuple(fc.constant('insert' as const), place, fc.uint8Array({ minLength: 1, maxLength: 64 })),
    fc.tuple(fc.constant('cut' as const), place, fc.uint8Array({ minLength: 1, maxLength: 64 })),
    fc.tuple(fc.constant('repeat' as const), place, fc.uint8Array({ minLength: 1, maxLength: 16 })),
  );
  return fc.array(change, { minLength: 1, maxLength: 6 }).map((changes) => {
    let bytes = Buffer.from(seed);
    for (const [how, at, content] of changes) {
      const head = bytes.subarray(0, at);
      const tail = bytes.subarray(at);
      if (how === 'set') bytes = Buffer.concat([head, content, tail.subarray(content.length)]);
      else if (how === 'insert') bytes = Buffer.concat([head, content, tail]);
      else if (how === 'cut') bytes = Buffer.concat([head, tail.subarray(content.length)]);
      else bytes = Buffer.concat([head, ...Array<Buffer>(content.length).fill(tail), tail]);
    }
    return bytes.subarray(0, 60_000);
  });
}

const anything = fc.uint8Array({ maxLength: 4000 }).map((bytes) => Buffer.from(bytes));
const message = gelf('fuzz', { _number: 17, _nested: { list: [1, 'two', null] } });

describe('inputs under arbitrary bytes', () => {
  let fixture: IntakeFixture;
  let markers: number;

  beforeEach(async () => {
    fixture = await createIntakeFixture();
    markers = 0;
  });

  afterEach(async () => {
    await fixture.close();
  });

  /** Sends a good message and reads until it arrives; what came before it may be anything. */
  async function expectAlive(send: (marker: Buffer) => Promise<unknown>): Promise<void> {
    markers += 1;
    const marker = gelf(`marker ${markers}`);
    await send(marker);
    let arrived: string | undefined;
    while (arrived !== String(marker)) arrived = (await fixture.take(1))[0]?.text;
    expect(fixture.logLines.filter((line) => line.includes('failed'))).toEqual([]);
  }

  it.each([
    { reader: 'Node', udpReading: { loadCalls: () => Promise.resolve(undefined) } },
    { reader: 'many at a time', udpReading: { busyDatagrams: 1 } },
  ])('GELF UDP, read by $reader', async ({ udpReading }) => {
    const { port } = await fixture.start('gelf-udp', { recv_buffer_size: 4_000_000 }, { udpReading });
    const id = Buffer.from('8 bytes!');
    const seeds = [
      message,
      gzipSync(message),
      compressPayload(message, 'zlib'),
      deflateSync(message, { windowBits: 9 }),
      Buffer.concat([gzipSync(message), Buffer.from('\r\n')]),
      ...splitIntoChunks(message, id, 60),
    ];
    const datagrams = fc.array(fc.oneof(anything, ...seeds.map(mutated)), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(datagrams, async (sent) => {
        await sendDatagrams(port, sent);
        await expectAlive((marker) => sendDatagrams(port, [marker]));
      }),
      RUNS,
    );
  });

  it('GELF TCP', async () => {
    const { port } = await fixture.start('gelf-tcp', { max_message_size: 10_000 });
    const other = await openStream(port);
    const frames = Buffer.concat([message, Buffer.from([0]), message, Buffer.from([0])]);
    const streams = fc.array(fc.oneof(anything, mutated(frames)), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(streams, async (sent) => {
        await Promise.all(sent.map((bytes) => sendStream(port, bytes)));
        // On a connection that was there before and has seen none of it.
        await expectAlive(async (marker) => other.write(Buffer.concat([marker, Buffer.from([0])])));
      }),
      RUNS,
    );
    other.destroy();
  });

  it('GELF TCP with TLS', async () => {
    const { port } = await fixture.start('gelf-tcp', { tls_enable: true });
    const { connect } = await import('node:tls');
    const hello = Buffer.from('16030100c8010000c40303', 'hex');
    await fc.assert(
      fc.asyncProperty(fc.oneof(anything, mutated(hello)), async (sent) => {
        await sendStream(port, sent);
        await expectAlive(async (marker) => {
          const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
          socket.on('error', () => undefined);
          const closed = closing(socket);
          socket.end(Buffer.concat([marker, Buffer.from([0])]));
          socket.resume();
          await closed;
        });
      }),
      { ...RUNS, numRuns: 20 },
    );
  });

  it('GELF HTTP', async () => {
    const { port } = await fixture.start('gelf-http');
    const request = (body: Buffer, more = '') =>
      Buffer.concat([
        Buffer.from(
          `POST /gelf HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${more}Content-Length: ${body.length}\r\n\r\n`,
        ),
        body,
      ]);
    const lines = Buffer.from(`${message}\n${message}\n`);
    const seeds = [
      request(message),
      request(lines),
      request(Buffer.from(`[${message},${message}]`)),
      request(gzipSync(message), 'Content-Encoding: gzip\r\n'),
      Buffer.from(
        `POST /gelf HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"sho\r\n0\r\n\r\n`,
      ),
    ];
    await fc.assert(
      fc.asyncProperty(fc.oneof(anything, ...seeds.map(mutated)), async (sent) => {
        await sendStream(port, sent);
        await expectAlive((marker) => sendHttp(port, marker));
      }),
      RUNS,
    );
  });

  it('GELF HTTP bodies get an answer, whatever they are', async () => {
    const { port } = await fixture.start('gelf-http');
    const bodies = [
      message,
      Buffer.from(`${message}\n${message}`),
      Buffer.from(`[${message}]`),
      gzipSync(message),
    ];
    const headers = fc.constantFrom<Record<string, string>>(
      {},
      { 'Content-Encoding': 'gzip' },
      { 'Content-Encoding': 'deflate' },
      { 'Content-Encoding': 'gzip,deflate' },
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(anything, ...bodies.map(mutated)), headers, async (body, given) => {
        const { status } = await sendHttp(port, body, { headers: given });
        expect([202, 400, 413]).toContain(status);
        await expectAlive((marker) => sendHttp(port, marker));
      }),
      RUNS,
    );
  });

  it('holds no more than its bound of unfinished frames, however many connections have one', async () => {
    const { port } = await fixture.start('gelf-tcp');
    const dropped = () =>
      fixture.count(`millrace.component.input.gelf-tcp.${TEST_INPUT_ID}.dropped.memory_limit.events`);
    const sockets = await Promise.all(Array.from({ length: 150 }, () => openStream(port)));
    // 150 of them would be 225 MB; the bound is 128 MiB.
    const half = Buffer.alloc(1_500_000, 'x');
    for (const socket of sockets) socket.write(half);
    const read = `org.graylog2.inputs.gelf.tcp.GELFTCPInput.${TEST_INPUT_ID}.read_bytes_total`;
    await until(() => dropped() > 0 && fixture.count(read) >= 89 * half.length);
    await expectAlive((marker) => sendStream(port, Buffer.concat([marker, Buffer.from([0])])));
    const open = sockets.filter((socket) => !socket.destroyed).length;
    expect(open).toBeLessThan(150);
    for (const socket of sockets) socket.destroy();
  });

  it('ends with its connections, also those that never finish their handshake or request', async () => {
    for (const [type, bytes] of [
      ['gelf-tcp', Buffer.from('160301', 'hex')],
      ['gelf-http', Buffer.from('160301', 'hex')],
    ] as const) {
      const { port, input } = await fixture.start(type, { tls_enable: true });
      const socket = await openStream(port);
      socket.write(bytes);
      const closed = closing(socket);
      await input.stop();
      await closed;
    }
    const { port, input } = await fixture.start('gelf-http');
    const socket = await openStream(port);
    socket.write('POST /gelf HTTP/1.1\r\nContent-Length: 100\r\n\r\n{');
    const closed = closing(socket);
    await input.stop();
    await closed;
  });
});
