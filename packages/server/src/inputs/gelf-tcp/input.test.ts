import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DecodeFailure } from '#codecs/index.ts';
import { Message } from '#core/index.ts';
import { until } from '#testing/eventually.ts';
import { closing, gelf, openStream, sendStream } from '#testing/gelf-senders.ts';
import { createIntakeFixture, type IntakeFixture, TEST_INPUT_ID } from '#testing/intake-fixture.ts';
import { inputSuite } from '../input.suite.ts';
import { lossesOf } from '../loss-watch.ts';
import { createSelfSignedCertificate } from '../net/self-signed.ts';

const NULL_BYTE = Buffer.from([0]);

function framed(...messages: readonly Buffer[]): Buffer {
  return Buffer.concat(messages.flatMap((each) => [each, NULL_BYTE]));
}

inputSuite({
  type: 'gelf-tcp',
  transport: 'tcp',
  whenFull: 'waits',
  send: (port, messages) => sendStream(port, framed(...messages)),
  sendGarbage: (port, garbage) => sendStream(port, garbage),
});

const WIRE = `org.graylog2.inputs.gelf.tcp.GELFTCPInput.${TEST_INPUT_ID}`;
const COMPONENT = `millrace.component.input.gelf-tcp.${TEST_INPUT_ID}`;

describe('GELF TCP', () => {
  let fixture: IntakeFixture;

  beforeEach(async () => {
    fixture = await createIntakeFixture();
  });

  afterEach(async () => {
    await fixture.close();
  });

  const openConnections = () => {
    const metric = fixture.metrics.get(`${WIRE}.open_connections`)?.metric;
    return metric !== undefined && 'value' in metric ? metric.value : undefined;
  };

  it('finds the frames however the bytes are split', async () => {
    const { port } = await fixture.start('gelf-tcp');
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 5 }),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 10 }),
        async (texts, cuts) => {
          const messages = texts.map((text) => gelf(text));
          const bytes = framed(...messages);
          const socket = await openStream(port);
          socket.setNoDelay(true);
          for (let at = 0, i = 0; at < bytes.length; i++) {
            const cut = cuts[i % cuts.length]!;
            await new Promise((resolve) => socket.write(bytes.subarray(at, at + cut), resolve));
            at += cut;
          }
          const frames = await fixture.take(messages.length);
          expect(frames.map(({ text }) => text)).toEqual(messages.map(String));
          socket.destroy();
        },
      ),
      { numRuns: 30 },
    );
  });

  it('takes an unterminated last frame: a message when it is complete, a failure when it is not', async () => {
    const { port } = await fixture.start('gelf-tcp');
    await sendStream(port, gelf('complete'));
    await sendStream(port, gelf('half of it').subarray(0, 40));
    const [complete, half] = await fixture.takeMessages(2);
    expect(complete).toBeInstanceOf(Message);
    expect(half).toBeInstanceOf(DecodeFailure);
  });

  it('takes the last frame of a connection that was reset', async () => {
    const { port } = await fixture.start('gelf-tcp');
    const socket = await openStream(port);
    socket.write(gelf('unterminated'));
    await until(() => fixture.count(`${WIRE}.read_bytes_total`) > 0);
    socket.resetAndDestroy();
    expect((await fixture.take(1))[0]?.text).toBe(String(gelf('unterminated')));
  });

  it('ignores and counts blank frames, such as the newline that echo leaves', async () => {
    const { port } = await fixture.start('gelf-tcp');
    await sendStream(
      port,
      Buffer.concat([framed(gelf('a'), Buffer.alloc(0), Buffer.from('\n'), gelf('b')), Buffer.from('\n')]),
    );
    const frames = await fixture.take(2);
    expect(frames.map(({ text }) => text)).toEqual([gelf('a'), gelf('b')].map(String));
    expect(fixture.count(`${COMPONENT}.dropped.empty.events`)).toBe(3);
    expect(fixture.journal.writer.nextOffset).toBe(2);
  });

  it('splits at newlines when so configured', async () => {
    const { port } = await fixture.start('gelf-tcp', { use_null_delimiter: false });
    await sendStream(port, Buffer.from(`${gelf('a')}\r\n${gelf('b')}\n${gelf('c')}`));
    const frames = await fixture.take(3);
    expect(frames.map(({ text }) => text)).toEqual([gelf('a'), gelf('b'), gelf('c')].map(String));
  });

  it('takes messages that end with null bytes or with newlines when it detects which', async () => {
    const { port } = await fixture.start('gelf-tcp', { detect_delimiter: true });
    await sendStream(port, Buffer.from(`${gelf('a')}\n${gelf('b')}\n`));
    expect((await fixture.take(2)).map(({ text }) => text)).toEqual([gelf('a'), gelf('b')].map(String));
    await sendStream(port, framed(gelf('c'), gelf('d')));
    expect((await fixture.take(2)).map(({ text }) => text)).toEqual([gelf('c'), gelf('d')].map(String));
  });

  it('says that a connection ends its messages with newlines where null bytes are expected', async () => {
    const { port } = await fixture.start('gelf-tcp');
    await sendStream(port, Buffer.from(`${gelf('a')}\n${gelf('b')}\n`));
    await fixture.take(1);
    expect(lossesOf(fixture.metrics, COMPONENT)).toEqual([
      expect.objectContaining({
        reason: 'errors.newline_delimited',
        count: 1,
        remedy: expect.stringContaining('detect_delimiter'),
      }),
    ]);
  });

  it('closes only the connection whose frame is too long, after the frames before it', async () => {
    const { port } = await fixture.start('gelf-tcp', { max_message_size: 1000 });
    const other = await openStream(port);
    await sendStream(port, Buffer.concat([framed(gelf('before')), Buffer.alloc(200_000, 'x')]));
    other.write(framed(gelf('other')));
    const frames = await fixture.take(2);
    expect(frames.map(({ text }) => text)).toEqual([gelf('before'), gelf('other')].map(String));
    expect(fixture.count(`${COMPONENT}.dropped.too_large.events`)).toBe(1);
    other.destroy();
  });

  it('takes a message of two mebibytes and no more', async () => {
    const { port } = await fixture.start('gelf-tcp');
    const limit = 2 * 1024 * 1024;
    const largest = gelf('x'.repeat(limit - gelf('').length));
    await sendStream(port, framed(largest));
    expect((await fixture.take(1))[0]?.bytes.equals(largest)).toBe(true);
    await sendStream(port, framed(gelf('x'.repeat(limit + 1 - gelf('').length))));
    expect(fixture.count(`${COMPONENT}.dropped.too_large.events`)).toBe(1);
    expect(fixture.journal.writer.nextOffset).toBe(1);
  });

  it('refuses connections past its limit and counts them', async () => {
    const { port } = await fixture.start('gelf-tcp', { max_connections: 2 });
    const kept = [await openStream(port), await openStream(port)];
    await until(() => openConnections() === 2);
    const refused = await openStream(port);
    await closing(refused);
    expect(fixture.count(`${COMPONENT}.errors.connection_limit.connection`)).toBe(1);
    kept[0]?.destroy();
    await until(() => openConnections() === 1);
    await sendStream(port, framed(gelf('room again')));
    await fixture.take(1);
    expect(fixture.count(`${WIRE}.total_connections`)).toBe(3);
    kept[1]?.destroy();
  });

  it('closes idle connections when so configured, with what they left behind', async () => {
    const { port } = await fixture.start('gelf-tcp', { idle_timeout: 1 });
    const socket = await openStream(port);
    socket.write(gelf('unterminated'));
    await closing(socket);
    expect((await fixture.take(1))[0]?.text).toBe(String(gelf('unterminated')));
    expect(fixture.count(`${COMPONENT}.errors.idle_timeout.connection`)).toBe(1);
  });

  it('cuts no sender that completes its messages while a thousand connections hold unfinished ones', async () => {
    const { port } = await fixture.start('gelf-tcp');
    const dropped = () => fixture.count(`${COMPONENT}.dropped.memory_limit.events`);
    const unfinished = Buffer.alloc(400_000, 'x');
    const hostile = await Promise.all(Array.from({ length: 1000 }, () => openStream(port)));
    for (const socket of hostile) socket.write(unfinished);
    const sender = await openStream(port);
    let cut = false;
    sender.once('close', () => {
      cut = true;
    });
    const messages = Array.from({ length: 150 }, (_, i) =>
      gelf('x'.repeat(i % 3 === 0 ? 900_000 : 300), { _number: i }),
    );
    const received: string[] = [];
    for (const message of messages) {
      const half = message.length >> 1;
      await new Promise((resolve) => sender.write(message.subarray(0, half), resolve));
      await new Promise((resolve) => sender.write(framed(message.subarray(half)), resolve));
      received.push((await fixture.take(1))[0]?.text ?? '');
    }
    await until(() => dropped() > 0);
    expect(received).toEqual(messages.map(String));
    expect(cut).toBe(false);
    for (const socket of [...hostile, sender]) socket.destroy();
  });

  it('closes a connection whose large message is not complete in time, and keeps what arrived', async () => {
    const { port } = await fixture.start('gelf-tcp', { frame_timeout: 1 });
    const buffered = await openStream(port);
    const message = gelf('the end comes when the buffer of the sender is full again');
    buffered.write(message.subarray(0, 20));
    const slow = await openStream(port);
    const closed = closing(slow);
    slow.write(Buffer.alloc(100_000, 'x'));
    await closed;
    expect((await fixture.take(1))[0]?.bytes.length).toBe(100_000);
    expect(fixture.count(`${COMPONENT}.errors.frame_timeout.connection`)).toBe(1);
    buffered.write(framed(message.subarray(20)));
    expect((await fixture.take(1))[0]?.text).toBe(String(message));
    buffered.destroy();
  });

  it('reads no further while the journal refuses, and loses nothing', async () => {
    await fixture.close();
    fixture = await createIntakeFixture({ journalBytes: 128 * 1024 });
    const { port } = await fixture.start('gelf-tcp');
    const filler = 'x'.repeat(1000);
    const perSender = 300;
    const senders = Array.from({ length: 5 }, async (_, sender) => {
      const messages = Array.from({ length: perSender }, (_, i) =>
        gelf(filler, { _sender: sender, _number: i }),
      );
      await sendStream(port, framed(...messages));
    });
    await until(() => fixture.journal.writer.refusal === 'full');
    const late = sendStream(port, framed(gelf(filler, { _sender: 5, _number: 0 })));
    const frames = await fixture.take(5 * perSender + 1);
    await Promise.all([...senders, late]);
    const next = new Map<number, number>();
    for (const { text } of frames) {
      const { _sender: sender, _number: number } = JSON.parse(text);
      expect(number).toBe(next.get(sender) ?? 0);
      next.set(sender, number + 1);
    }
    expect([...next].sort(([a], [b]) => a - b)).toEqual([
      ...[0, 1, 2, 3, 4].map((s) => [s, perSender]),
      [5, 1],
    ]);
    expect(fixture.count(`${WIRE}.read_pauses`)).toBeGreaterThan(0);
    await until(() => openConnections() === 0);
  });

  it('gives up what the journal will not take when it is stopped, and counts it', async () => {
    await fixture.close();
    fixture = await createIntakeFixture({ journalBytes: 64 * 1024 });
    const { port, input } = await fixture.start('gelf-tcp');
    const socket = await openStream(port);
    socket.write(framed(...Array.from({ length: 200 }, (_, i) => gelf('x'.repeat(1000), { _number: i }))));
    await until(() => fixture.journal.writer.refusal === 'full');
    await input.stop();
    const accepted = fixture.journal.writer.nextOffset;
    const dropped = fixture.count(`${COMPONENT}.dropped.journal_full.events`);
    expect(accepted).toBeGreaterThan(0);
    expect(dropped).toBeGreaterThan(0);
    expect(fixture.count(`${COMPONENT}.received.events`)).toBe(accepted + dropped);
  });
});

describe('GELF TCP with TLS', () => {
  let fixture: IntakeFixture;

  beforeEach(async () => {
    fixture = await createIntakeFixture();
  });

  afterEach(async () => {
    await fixture.close();
  });

  function connect(port: number, options: ConnectionOptions = {}): TLSSocket {
    const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false, ...options });
    socket.on('error', () => undefined);
    socket.resume();
    return socket;
  }

  /** A certificate authority and a client certificate by it, made with OpenSSL. */
  function clientCertificate(name: string) {
    const file = (suffix: string) => path.join(fixture.directory, `${name}${suffix}`);
    const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' });
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    openssl(
      'req',
      '-x509',
      ...key,
      '-keyout',
      file('-ca.key'),
      '-out',
      file('-ca.pem'),
      '-subj',
      `/CN=${name} CA`,
    );
    openssl('req', ...key, '-keyout', file('.key'), '-out', file('.csr'), '-subj', `/CN=${name}`);
    const ca = ['-CA', file('-ca.pem'), '-CAkey', file('-ca.key'), '-CAcreateserial'];
    openssl('x509', '-req', '-in', file('.csr'), ...ca, '-out', file('.pem'));
    const read = (suffix: string) => execFileSync('cat', [file(suffix)]);
    return { caFile: file('-ca.pem'), cert: read('.pem'), key: read('.key') };
  }

  it('makes a certificate when there is none, the same one for every worker and start', async () => {
    const first = await fixture.start('gelf-tcp', { tls_enable: true });
    const second = await fixture.start('gelf-tcp', { tls_enable: true });
    const fingerprints = await Promise.all(
      [first, second].map(async ({ port }) => {
        const socket = connect(port);
        await once(socket, 'secureConnect');
        socket.end(framed(gelf('encrypted')));
        return socket.getPeerCertificate().fingerprint256;
      }),
    );
    expect(fingerprints[0]).toBe(fingerprints[1]);
    for (const { text } of await fixture.take(2)) expect(text).toBe(String(gelf('encrypted')));
  });

  it('uses certificate files, with an encrypted key too', async () => {
    const pair = createSelfSignedCertificate({
      commonName: 'logs.example.org',
      alternativeNames: [],
      nowMs: Date.now(),
      days: 10,
    });
    const certFile = path.join(fixture.directory, 'cert.pem');
    const plainKeyFile = path.join(fixture.directory, 'plain.pem');
    const keyFile = path.join(fixture.directory, 'key.pem');
    writeFileSync(certFile, pair.certificate);
    writeFileSync(plainKeyFile, pair.key);
    execFileSync(
      'openssl',
      ['ec', '-in', plainKeyFile, '-out', keyFile, '-aes256', '-passout', 'pass:sesame'],
      { stdio: 'pipe' },
    );
    const files = { tls_enable: true, tls_cert_file: certFile, tls_key_file: keyFile };
    const { port } = await fixture.start('gelf-tcp', { ...files, tls_key_password: 'sesame' });
    const socket = connect(port, {
      ca: pair.certificate,
      rejectUnauthorized: true,
      servername: 'logs.example.org',
    });
    await once(socket, 'secureConnect');
    socket.end(framed(gelf('encrypted')));
    await fixture.take(1);
    await expect(fixture.start('gelf-tcp', { ...files, tls_key_password: 'wrong' })).rejects.toThrow(
      'the TLS certificate or key cannot be used',
    );
    await expect(fixture.start('gelf-tcp', { ...files, tls_cert_file: '/nowhere/cert.pem' })).rejects.toThrow(
      'tls_cert_file: cannot read /nowhere/cert.pem',
    );
  });

  it('demands client certificates when they are required, and checks optional ones', async () => {
    const known = clientCertificate('known');
    const stranger = clientCertificate('stranger');
    const tls = { tls_enable: true, tls_client_auth_cert_file: known.caFile };
    const sent = async (port: number, text: string, options: ConnectionOptions): Promise<void> => {
      const socket = connect(port, options);
      const closed = closing(socket);
      socket.end(framed(gelf(text)));
      await closed;
    };
    const required = await fixture.start('gelf-tcp', { ...tls, tls_client_auth: 'required' });
    await sent(required.port, 'nobody', {});
    await sent(required.port, 'stranger', { cert: stranger.cert, key: stranger.key });
    await sent(required.port, 'known', { cert: known.cert, key: known.key });
    const optional = await fixture.start('gelf-tcp', { ...tls, tls_client_auth: 'optional' });
    await sent(optional.port, 'optional nobody', {});
    await sent(optional.port, 'optional stranger', { cert: stranger.cert, key: stranger.key });
    await sent(optional.port, 'optional known', { cert: known.cert, key: known.key });
    const frames = await fixture.take(3);
    expect(frames.map(({ text }) => JSON.parse(text).short_message)).toEqual([
      'known',
      'optional nobody',
      'optional known',
    ]);
    expect(fixture.journal.writer.nextOffset).toBe(3);
    const refused =
      fixture.count(`${COMPONENT}.errors.tls_handshake.connection`) +
      fixture.count(`${COMPONENT}.errors.client_certificate.connection`);
    expect(refused).toBe(3);
  });

  it('survives clients that speak no TLS', async () => {
    const { port } = await fixture.start('gelf-tcp', { tls_enable: true });
    await sendStream(port, framed(gelf('plain text')));
    const socket = connect(port);
    socket.end(framed(gelf('encrypted')));
    expect((await fixture.take(1))[0]?.text).toBe(String(gelf('encrypted')));
    expect(fixture.count(`${COMPONENT}.errors.tls_handshake.connection`)).toBe(1);
  });
});
