import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { deflateSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compressPayload, DecodeFailure, splitIntoChunks } from '#codecs/index.ts';
import { InvalidConfiguration, Message } from '#core/index.ts';
import { until } from '#testing/eventually.ts';
import { gelf, sendDatagrams } from '#testing/gelf-senders.ts';
import { createIntakeFixture, type IntakeFixture, TEST_INPUT_ID } from '#testing/intake-fixture.ts';
import { ManualClock } from '#testing/manual-clock.ts';
import { inputSuite } from '../input.suite.ts';
import type { Input, UdpReading } from '../input.ts';
import { createGelfUdpInputType } from './input.ts';

/** Everything must be the same whoever reads the socket. */
const READINGS: readonly { readonly reader: string; readonly udpReading: UdpReading }[] = [
  { reader: 'Node', udpReading: { loadCalls: () => Promise.resolve(undefined) } },
  ...(process.platform === 'linux' ? [{ reader: 'many at a time', udpReading: { busyDatagrams: 1 } }] : []),
];

for (const { reader, udpReading } of READINGS) {
  inputSuite({
    type: 'gelf-udp',
    label: `gelf-udp read by ${reader}`,
    context: { udpReading },
    transport: 'udp',
    whenFull: 'drops',
    send: sendDatagrams,
    sendGarbage: (port, garbage) => sendDatagrams(port, [garbage]),
  });
}

describe.each(READINGS)('GELF UDP, read by $reader', ({ udpReading }) => {
  const WIRE = `org.graylog2.inputs.gelf.udp.GELFUDPInput.${TEST_INPUT_ID}`;
  const COMPONENT = `millrace.component.input.gelf-udp.${TEST_INPUT_ID}`;
  const started: Input[] = [];
  let fixture: IntakeFixture;

  beforeEach(async () => {
    fixture = await createIntakeFixture({ context: { udpReading } });
  });

  afterEach(async () => {
    await Promise.all(started.splice(0).map((input) => input.stop()));
    await fixture.close();
  });

  it('journals plain, gzip and zlib messages as the same JSON', async () => {
    const { port } = await fixture.start('gelf-udp');
    const message = gelf('hello', { _text: 'ä'.repeat(500) });
    const kinds = ['none', 'gzip', 'zlib'] as const;
    await sendDatagrams(port, [
      ...kinds.map((kind) => compressPayload(message, kind)),
      deflateSync(message, { windowBits: 9 }),
      Buffer.concat([gzipSync(message), Buffer.from('\n')]),
    ]);
    for (const frame of await fixture.take(5)) expect(frame.text).toBe(String(message));
  });

  it('puts chunks together, compressed or not, in any order, up to 128', async () => {
    const { port } = await fixture.start('gelf-udp', {}, { udpReceiveBufferBytes: 4 * 1024 * 1024 });
    const message = gelf('large', { _noise: randomBytes(40_000).toString('base64') });
    for (const kind of ['none', 'gzip', 'zlib'] as const) {
      const payload = compressPayload(message, kind);
      const share = Math.ceil(payload.length / 128);
      await sendDatagrams(port, splitIntoChunks(payload, randomBytes(8), share + 12).reverse());
      expect((await fixture.take(1))[0]?.text).toBe(String(message));
    }
    await fixture.close();
    expect(fixture.count(`${WIRE}.chunks.complete-messages`)).toBe(3);
    const node = 'org.graylog2.inputs.codecs.GelfChunkAggregator';
    expect(fixture.count(`${node}.complete-messages`)).toBe(3);
    expect(fixture.count(`${WIRE}.chunks.total-chunks`)).toBe(fixture.count(`${node}.total-chunks`));
  });

  /** An input whose durations go by a clock of their own, beside that of the fixture. */
  async function startAt(monotonic: ManualClock): Promise<{ readonly input: Input; readonly port: number }> {
    const type = createGelfUdpInputType({ monotonic });
    const input = type.create(fixture.context(), { bind_address: '127.0.0.1', port: 0 });
    if (input instanceof InvalidConfiguration) throw new Error(input.text);
    started.push(input);
    return { input, port: (await input.start()).port };
  }

  it('counts duplicates, refused and expired chunks, and gives up what never becomes complete', async () => {
    const clock = new ManualClock();
    const { port, input } = await startAt(clock);
    const [first, second] = splitIntoChunks(gelf('x'.repeat(50)), randomBytes(8), 100);
    const tooMany = Buffer.concat([Buffer.from([0x1e, 0x0f]), randomBytes(8), Buffer.from([0, 129]), first!]);
    await sendDatagrams(port, [first!, first!, tooMany, gelf('marker')]);
    await fixture.take(1);
    clock.advance(5001);
    await until(() => fixture.count(`${COMPONENT}.dropped.incomplete_chunks.events`) === 1);
    await sendDatagrams(port, [second!, gelf('marker')]);
    await fixture.take(1);
    const [abandoned] = splitIntoChunks(gelf('y'.repeat(50)), randomBytes(8), 100);
    await sendDatagrams(port, [abandoned!, gelf('marker')]);
    await fixture.take(1);
    await input.stop();
    expect(fixture.count(`${WIRE}.chunks.duplicate-chunks`)).toBe(1);
    expect(fixture.count(`${WIRE}.chunks.refused-chunks.count_over_limit`)).toBe(1);
    expect(fixture.count(`${WIRE}.chunks.expired-messages`)).toBe(1);
    expect(fixture.count(`${WIRE}.chunks.expired-chunks`)).toBe(2);
    expect(fixture.count(`${COMPONENT}.dropped.incomplete_chunks.events`)).toBe(2);
    const lost = gelf('x'.repeat(50)).length + abandoned!.length - 12;
    expect(fixture.count(`${COMPONENT}.dropped.incomplete_chunks.bytes`)).toBe(lost);
    expect(fixture.count(`${COMPONENT}.dropped.too_large.events`)).toBe(1);
    expect(fixture.journal.writer.nextOffset).toBe(3);
  });

  it('waits five seconds for chunks, whatever the time of the machine is set to meanwhile', async () => {
    const wall = new ManualClock();
    await fixture.close();
    fixture = await createIntakeFixture({ clock: wall, context: { udpReading } });
    const monotonic = new ManualClock(1000);
    const { port, input } = await startAt(monotonic);
    // The two chunks come from two sockets, so the message is known by address and id.
    const [first, second] = splitIntoChunks(gelf('x'.repeat(50)), randomBytes(8), 100);
    const [early, late] = splitIntoChunks(gelf('y'.repeat(50)), randomBytes(8), 100);
    await sendDatagrams(port, [first!, gelf('marker')]);
    await fixture.take(1);
    wall.advance(3_600_000);
    await sendDatagrams(port, [second!, early!, gelf('marker')]);
    expect((await fixture.take(1))[0]?.text).toBe(String(gelf('x'.repeat(50))));
    await fixture.take(1);
    wall.advance(-3_600_000);
    monotonic.advance(5001);
    await sendDatagrams(port, [late!, gelf('marker')]);
    expect((await fixture.take(1))[0]?.text).toBe(String(gelf('marker')));
    await input.stop();
    expect(fixture.count(`${WIRE}.chunks.complete-messages`)).toBe(1);
    expect(fixture.count(`${WIRE}.chunks.expired-messages`)).toBe(1);
  });

  it('passes on what cannot be decompressed, so that it becomes a failure with its raw bytes', async () => {
    const { port } = await fixture.start('gelf-udp', { decompress_size_limit: 1000 });
    const corrupt = gzipSync(gelf('x')).fill(0xff, 12);
    const bomb = gzipSync(gelf('x'.repeat(100_000)));
    const unsupported = Buffer.from([0x78, 0x00, 1, 2, 3]);
    const nested = splitIntoChunks(splitIntoChunks(gelf('x'), randomBytes(8))[0]!, randomBytes(8))[0]!;
    await sendDatagrams(port, [corrupt, bomb, unsupported, nested, gelf('good')]);
    const results = await fixture.takeMessages(5);
    expect(results.slice(0, 4).every((each) => each instanceof DecodeFailure)).toBe(true);
    expect(results[4]).toBeInstanceOf(Message);
    expect(fixture.count(`${COMPONENT}.errors.corrupt_compression.framing`)).toBe(1);
    expect(fixture.count(`${COMPONENT}.errors.decompressed_too_large.framing`)).toBe(1);
    expect(fixture.count(`${COMPONENT}.errors.unsupported_payload.framing`)).toBe(2);
  });

  it('does not let one sender multiply its bytes for long; what it sent is kept as failures', async () => {
    const { port } = await fixture.start('gelf-udp');
    const bomb = gzipSync(Buffer.alloc(7 * 1024 * 1024, 'x'));
    const bombs = 40;
    for (let i = 0; i < bombs; i++) {
      await sendDatagrams(port, [bomb]);
      await until(() => fixture.count(`${COMPONENT}.received.events`) === i + 1);
    }
    expect(fixture.count(`${COMPONENT}.sent.bytes`)).toBeLessThan((bombs * 7 * 1024 * 1024) / 2);
    expect(fixture.count(`${COMPONENT}.errors.decompression_limit.framing`)).toBeGreaterThan(bombs / 2);
    const ordinary = gelf('ordinary', { _text: 'abc '.repeat(20) });
    await sendDatagrams(port, [gzipSync(ordinary)]);
    await until(() => fixture.count(`${COMPONENT}.received.events`) === bombs + 1);
    // The journal may have been too busy for some of the first ones.
    const frames = await fixture.take(fixture.count(`${COMPONENT}.sent.events`));
    expect(frames.at(-2)?.bytes.equals(bomb)).toBe(true);
    expect(frames.at(-1)?.text).toBe(String(ordinary));
  });

  it('takes well compressed messages of all senders, however many damaged ones arrive', async () => {
    const { port } = await fixture.start('gelf-udp');
    const large = gelf('large', { _trace: 'at com.example.Foo(Foo.java:1)\n'.repeat(4000) });
    const broken = Buffer.from('1f8b0800000000000003ffff', 'hex');
    const damaged = gzipSync(gelf('ordinary', { _noise: randomBytes(3000).toString('hex') }));
    damaged[2000] = (damaged[2000] ?? 0) ^ 0xff;
    await sendDatagrams(port, [broken, ...Array.from({ length: 20 }, () => damaged), gzipSync(large)]);
    expect((await fixture.take(22)).at(-1)?.text).toBe(String(large));
    expect(fixture.count(`${COMPONENT}.errors.corrupt_compression.framing`)).toBe(21);
  });

  it('rations damaged payloads that decompress to many times their size as it does whole ones', async () => {
    const { port } = await fixture.start('gelf-udp');
    const whole = gzipSync(Buffer.alloc(7 * 1024 * 1024, 'x'));
    const bomb = whole.fill(0xff, whole.length - 8);
    const large = gzipSync(gelf('large', { _text: 'x'.repeat(4 * 1024 * 1024) }));
    await sendDatagrams(port, [bomb, large]);
    expect((await fixture.take(2)).at(-1)?.bytes.equals(large)).toBe(true);
    expect(fixture.count(`${COMPONENT}.errors.corrupt_compression.framing`)).toBe(1);
    expect(fixture.count(`${COMPONENT}.errors.decompression_limit.framing`)).toBe(1);
  });

  it('ignores and counts blank datagrams', async () => {
    const { port } = await fixture.start('gelf-udp');
    await sendDatagrams(port, [Buffer.alloc(0), Buffer.from(' \r\n\0'), gelf('good')]);
    expect((await fixture.take(1))[0]?.text).toBe(String(gelf('good')));
    expect(fixture.count(`${COMPONENT}.dropped.empty.events`)).toBe(2);
    expect(fixture.count(`${WIRE}.emptyMessages`)).toBe(2);
  });

  it('keeps datagrams of many senders in few appends and tells the senders apart', async () => {
    const { port } = await fixture.start('gelf-udp');
    await Promise.all(
      Array.from({ length: 20 }, (_, sender) =>
        sendDatagrams(
          port,
          Array.from({ length: 20 }, (_, i) => gelf(`${sender}`, { _number: i })),
        ),
      ),
    );
    const bySender = new Map<number, string[]>();
    for (const { text, source } of await fixture.take(400)) {
      bySender.set(source.remotePort, [...(bySender.get(source.remotePort) ?? []), text]);
    }
    expect(bySender.size).toBe(20);
    for (const texts of bySender.values()) {
      const sender = JSON.parse(texts[0]!).short_message;
      expect(texts).toEqual(Array.from({ length: 20 }, (_, i) => String(gelf(sender, { _number: i }))));
    }
  });

  it('takes messages that are as large as a datagram can be', async () => {
    const { port } = await fixture.start('gelf-udp');
    const empty = gelf('').length;
    const largest = gelf('x'.repeat(65_507 - empty));
    await sendDatagrams(port, [largest]);
    expect((await fixture.take(1))[0]?.text).toBe(String(largest));
  });

  it('takes decompressed messages that are larger than its batch', async () => {
    const { port } = await fixture.start('gelf-udp');
    const large = gelf('x'.repeat(1_000_000));
    await sendDatagrams(port, [gelf('before'), gzipSync(large), gelf('after')]);
    const frames = await fixture.take(3);
    expect(frames.map(({ text }) => text)).toEqual([gelf('before'), large, gelf('after')].map(String));
  });

  it('listens on IPv6 for both families and names IPv4 senders by their IPv4 address', async () => {
    const { port } = await fixture.start('gelf-udp', { bind_address: '::' });
    await sendDatagrams(port, [gelf('by IPv4')]);
    expect((await fixture.take(1))[0]?.source.remoteAddress).toBe('127.0.0.1');
  });

  it('counts bytes read, chunk headers included', async () => {
    const { port } = await fixture.start('gelf-udp');
    const chunks = splitIntoChunks(gelf('x'.repeat(300)), randomBytes(8), 100);
    await sendDatagrams(port, chunks);
    await fixture.take(1);
    const bytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    await until(() => fixture.count(`${WIRE}.read_bytes_total`) === bytes);
  });
});

describe.runIf(process.platform === 'linux')('GELF UDP in several workers', () => {
  let fixture: IntakeFixture;

  afterEach(async () => {
    await fixture.close();
  });

  it('puts chunks together that come from a port of their own each', async () => {
    fixture = await createIntakeFixture();
    const { port } = await fixture.start('gelf-udp', {}, { shared: true });
    await fixture.start('gelf-udp', { port }, { shared: true });
    const sent = Array.from({ length: 10 }, (_, i) => gelf(`message ${i}`, { _text: 'x'.repeat(100) }));
    for (const message of sent) {
      for (const chunk of splitIntoChunks(message, randomBytes(8), 40)) await sendDatagrams(port, [chunk]);
    }
    // Others still go to all workers.
    await sendDatagrams(port, [gelf('plain')]);
    const texts = (await fixture.take(sent.length + 1)).map((frame) => frame.text);
    expect(texts.sort()).toEqual([...sent, gelf('plain')].map(String).sort());
  });
});

describe('the receive buffer of GELF UDP', () => {
  const WIRE = `org.graylog2.inputs.gelf.udp.GELFUDPInput.${TEST_INPUT_ID}`;
  const MOST = 1024 ** 3 - 1;
  let fixture: IntakeFixture;

  beforeEach(async () => {
    fixture = await createIntakeFixture();
  });

  afterEach(async () => {
    await fixture.close();
  });

  function gauge(name: string): unknown {
    const metric = fixture.metrics.get(name)?.metric;
    return metric !== undefined && 'value' in metric ? metric.value : undefined;
  }

  it('says when the kernel gives a smaller one than asked for', async () => {
    const udpReading = { loadCalls: () => Promise.resolve(undefined) };
    const { listening } = await fixture.start('gelf-udp', { recv_buffer_size: MOST }, { udpReading });
    expect(listening.notice).toContain(`instead of ${MOST}; raise it with: sysctl -w net.core.rmem_max=`);
    const given = gauge(`${WIRE}.receive_buffer_bytes`);
    expect(listening.notice).toContain(`a receive buffer of ${given} bytes`);
    const modest = await fixture.start('gelf-udp', { recv_buffer_size: 65_536 });
    expect(modest.listening.notice).toBeUndefined();
    expect(gauge(`${WIRE}.kernel_drops`)).toBe(0);
  });

  it('is as large as asked for, whatever the limit of the system, where the process has the right', async () => {
    const { listening } = await fixture.start('gelf-udp', { recv_buffer_size: MOST + 1 });
    const given = gauge(`${WIRE}.receive_buffer_bytes`);
    if (listening.notice === undefined) expect(given).toBe(MOST);
    else expect(given).toBeLessThan(MOST);
  });
});

describe.runIf(process.platform === 'linux')('GELF UDP under load', () => {
  it('reads many datagrams at a time, plain ones and chunks among them, and again one by one later', async () => {
    const fixture = await createIntakeFixture();
    const { port } = await fixture.start('gelf-udp', { recv_buffer_size: 4 * 1024 * 1024 });
    const batched = () =>
      fixture.count(`org.graylog2.inputs.gelf.udp.GELFUDPInput.${TEST_INPUT_ID}.batched_datagrams`);
    const large = gelf('large', { _noise: randomBytes(3000).toString('base64') });
    const messages = Array.from({ length: 200 }, (_, i) => gelf(`number ${i}`));
    const datagrams = [
      ...messages.slice(0, 100),
      ...splitIntoChunks(large, randomBytes(8), 200),
      ...messages.slice(100),
    ];
    const sender = createSocket('udp4');
    await Promise.all(
      datagrams.map((datagram) => new Promise((sent) => sender.send(datagram, port, '127.0.0.1', sent))),
    );
    const frames = await fixture.take(201);
    expect(frames.map(({ text }) => text)).toEqual(
      [...messages.slice(0, 100), large, ...messages.slice(100)].map(String),
    );
    const afterBurst = batched();
    expect(afterBurst).toBeGreaterThan(0);
    for (let i = 0; i < 100; i++) {
      await new Promise((sent) => sender.send(gelf(`late ${i}`), port, '127.0.0.1', sent));
      expect((await fixture.take(1))[0]?.text).toBe(String(gelf(`late ${i}`)));
    }
    sender.close();
    await fixture.close();
    expect(batched()).toBeLessThan(afterBurst + 100);
  });
});
