import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DecodeFailure } from '#codecs/index.ts';
import { until } from '#testing/eventually.ts';
import { gelf, openStream, sendHttp, sendStream } from '#testing/gelf-senders.ts';
import { createIntakeFixture, type IntakeFixture, TEST_INPUT_ID } from '#testing/intake-fixture.ts';
import { SimulatedDisk, systemError } from '#testing/simulated-disk.ts';
import { inputSuite } from '../input.suite.ts';

inputSuite({
  type: 'gelf-http',
  transport: 'tcp',
  whenFull: 'answers',
  async send(port, messages) {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    try {
      for (const message of messages) {
        const { status, body } = await sendHttp(port, message, { agent });
        if (status !== 202) throw new Error(`${status} ${body}`);
      }
    } finally {
      agent.destroy();
    }
  },
  async sendGarbage(port, garbage) {
    await sendHttp(port, garbage);
    await sendStream(port, garbage);
  },
});

describe('GELF HTTP', () => {
  const COMPONENT = `millrace.component.input.gelf-http.${TEST_INPUT_ID}`;
  let fixture: IntakeFixture;

  beforeEach(async () => {
    fixture = await createIntakeFixture();
  });

  afterEach(async () => {
    await fixture.close();
  });

  async function reason(port: number, body: Buffer | string, headers?: Record<string, string>) {
    const answer = await sendHttp(port, body, headers === undefined ? {} : { headers });
    const parsed = answer.body === '' ? {} : JSON.parse(answer.body);
    if (answer.body !== '') expect(parsed.type).toBe('ApiError');
    return `${answer.status} ${parsed.message ?? ''}`.trim();
  }

  const TARGETS = ['/gelf', '/xlog', '/gelf?source=test', '/xlog?', 'http://x/gelf', 'HTTPS://x:1/xlog?a=/b'];

  it('answers 202 with an empty body on /gelf and /xlog, with or without a query', async () => {
    const { port } = await fixture.start('gelf-http');
    for (const target of TARGETS) {
      const answer = await sendHttp(port, gelf(target), { path: target });
      expect(answer).toMatchObject({ status: 202, body: '' });
      expect(answer.headers['content-length']).toBe('0');
    }
    const frames = await fixture.take(TARGETS.length);
    expect(frames.map(({ text }) => JSON.parse(text).short_message)).toEqual(TARGETS);
  });

  it('answers only after the journal has it on disk', async () => {
    const { port } = await fixture.start('gelf-http');
    const { writer } = fixture.journal;
    for (let i = 0; i < 20; i++) {
      await sendHttp(port, gelf('x'));
      expect(writer.durableOffset).toBeGreaterThanOrEqual(i + 1);
    }
  });

  it('says what is wrong with a single message', async () => {
    const { port } = await fixture.start('gelf-http');
    expect(await reason(port, '')).toBe('400 The body is empty; it must be a JSON object.');
    expect(await reason(port, ' \r\n ')).toMatch(/^400 The body is empty/);
    expect(await reason(port, '"text"')).toBe('400 The frame is a string, not a JSON object.');
    expect(await reason(port, 'null')).toMatch(/^400 .*not a JSON object/);
    expect(await reason(port, '{"short_message": ')).toMatch(/^400 /);
    expect(await reason(port, '{"host":"a"}')).toMatch(/^400 .*short_message/);
    expect(await reason(port, '{"short_message":"  "}')).toMatch(/^400 .*short_message/);
    expect(await reason(port, '{"short_message":true}')).toMatch(/^400 .*short_message/);
    expect(fixture.journal.writer.nextOffset).toBe(0);
    expect(fixture.count(`${COMPONENT}.dropped.invalid_message.events`)).toBe(8);
    expect(await reason(port, '{"short_message":"good"}')).toBe('202');
  });

  it('takes a single message that is spread over lines', async () => {
    const { port } = await fixture.start('gelf-http');
    const pretty = JSON.stringify({ short_message: 'a', _object: { b: [1, 2] } }, null, 2);
    expect(await reason(port, `\ufeff\r\n${pretty}\n`)).toBe('202');
    expect((await fixture.take(1))[0]?.text).toBe(pretty);
    expect(await reason(port, `${pretty.slice(0, -3)}`)).toMatch(/^400 /);
  });

  it('takes one message on each line, and bad ones become failures', async () => {
    const { port } = await fixture.start('gelf-http');
    const lines = [gelf('a'), '', 'no JSON', '{"host":"no text"}', gelf('b')];
    expect(await reason(port, `${lines.join('\r\n')}\n`)).toBe('202');
    expect(await reason(port, `{"broken":\n${gelf('c')}\n${gelf('d')}`)).toBe('202');
    const results = await fixture.takeMessages(7);
    expect(results.map((each) => (each instanceof DecodeFailure ? each.reason : each.message))).toEqual([
      'a',
      'not_object',
      'no_message',
      'b',
      'not_json',
      'c',
      'd',
    ]);
    expect(fixture.count(`${COMPONENT}.sent.events`)).toBe(7);
  });

  it('takes a JSON array, and bad elements become failures', async () => {
    const { port } = await fixture.start('gelf-http');
    const nested = gelf('b', { _list: [1, [2, '],['], { x: '}"\\' }] });
    expect(await reason(port, `[ ${gelf('a')},\n${nested} , 17, "text", {"host":"x"}]\n`)).toBe('202');
    const results = await fixture.takeMessages(5);
    expect(results.map((each) => (each instanceof DecodeFailure ? each.reason : each.message))).toEqual([
      'a',
      'b',
      'not_object',
      'not_object',
      'no_message',
    ]);
    expect(await reason(port, '[]')).toBe('202');
    expect(await reason(port, `[${gelf('a')}`)).toBe('400 The JSON array does not end.');
    expect(await reason(port, `[${gelf('a')},]`)).toBe('400 Element 1 of the JSON array is empty.');
    expect(await reason(port, `[${gelf('a')}] x`)).toMatch(/^400 There is something after the end/);
    expect(fixture.journal.writer.nextOffset).toBe(5);
  });

  it('takes arrays and lines as single messages when bulk is off', async () => {
    const { port } = await fixture.start('gelf-http', { enable_bulk_receiving: false });
    expect(await reason(port, `[${gelf('a')}]`)).toMatch(/^400 .*an array, not a JSON object/);
    expect(await reason(port, `${gelf('a')}\n${gelf('b')}`)).toBe('202');
    expect(fixture.journal.writer.nextOffset).toBe(1);
    expect(await reason(port, Buffer.alloc(2 * 1024 * 1024 + 1, 'x'))).toMatch(/^413 /);
  });

  it('decompresses gzip and deflate, named or found by their magic bytes', async () => {
    const { port } = await fixture.start('gelf-http');
    const body = gelf('compressed', { _text: 'x'.repeat(1000) });
    expect(await reason(port, gzipSync(body), { 'Content-Encoding': 'gzip' })).toBe('202');
    expect(await reason(port, gzipSync(body), { 'Content-Encoding': 'X-GZIP' })).toBe('202');
    expect(await reason(port, deflateSync(body), { 'Content-Encoding': 'deflate' })).toBe('202');
    expect(await reason(port, deflateRawSync(body), { 'Content-Encoding': 'deflate' })).toBe('202');
    expect(await reason(port, gzipSync(body))).toBe('202');
    expect(await reason(port, deflateSync(body))).toBe('202');
    expect(await reason(port, gzipSync(gzipSync(body)), { 'Content-Encoding': 'gzip' })).toBe('202');
    const padded = Buffer.concat([gzipSync(body), Buffer.from('\r\n')]);
    expect(await reason(port, padded)).toBe('202');
    expect(await reason(port, padded, { 'Content-Encoding': 'gzip' })).toBe('202');
    const small = deflateSync(body, { windowBits: 9 });
    expect(await reason(port, small)).toBe('202');
    expect(await reason(port, small, { 'Content-Encoding': 'deflate' })).toBe('202');
    expect(await reason(port, deflateSync(body), { 'Content-Encoding': 'gzip,deflate' })).toBe('202');
    expect(await reason(port, body, { 'Content-Encoding': 'identity' })).toBe('202');
    for (const { text } of await fixture.take(13)) expect(text).toBe(String(body));
    expect(await reason(port, body, { 'Content-Encoding': 'gzip' })).toMatch(/^400 .*decompressed/);
    expect(await reason(port, body, { 'Content-Encoding': 'br' })).toBe(
      '415 The content encoding br is not known. Use gzip, deflate or none.',
    );
  });

  it('does not let a small body grow past the limit', async () => {
    const { port } = await fixture.start('gelf-http');
    const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024, 0x20));
    expect(await reason(port, bomb, { 'Content-Encoding': 'gzip' })).toMatch(/^413 /);
    expect(await reason(port, bomb)).toMatch(/^413 /);
    const large = gzipSync(gelf('x'.repeat(3 * 1024 * 1024)));
    expect(await reason(port, large)).toBe('413 The message is larger than 2097152 bytes.');
    expect(await reason(port, gelf('next'))).toBe('202');
  });

  it('refuses a sender whose bodies keep decompressing to many times their size, and takes its ordinary ones', async () => {
    const { port } = await fixture.start('gelf-http');
    const bomb = gzipSync(Buffer.alloc(30 * 1024 * 1024, 'x'));
    const answers = await Promise.all(Array.from({ length: 8 }, () => sendHttp(port, bomb)));
    const refused = answers.filter(({ status }) => status === 503);
    expect(refused.length).toBeGreaterThan(4);
    expect(refused[0]?.headers['retry-after']).toBe('10');
    expect(JSON.parse(refused[0]?.body ?? '').message).toBe(
      'The body decompresses to many times its size, and this sender has used up its allowance for such bodies. ' +
        'Nothing was stored; send it again later.',
    );
    expect(fixture.count(`${COMPONENT}.dropped.decompression_limit.events`)).toBe(refused.length);
    expect(await reason(port, gzipSync(gelf('ordinary')))).toBe('202');
    const bulk = Array.from({ length: 500 }, (_, i) => String(gelf(`line ${i}`, { _number: i * 7919 }))).join(
      '\n',
    );
    expect(await reason(port, gzipSync(bulk))).toBe('202');
  });

  it('takes well compressed bodies, however many damaged ones arrive', async () => {
    const { port } = await fixture.start('gelf-http');
    const trace = 'at com.example.Foo(Foo.java:1)\n'.repeat(4000);
    const broken = Buffer.from('1f8b0800000000000003ffff', 'hex');
    const damaged = gzipSync(gelf('x', { _noise: randomBytes(30_000).toString('hex') }));
    damaged[20_000] = (damaged[20_000] ?? 0) ^ 0xff;
    const bodies = Array.from({ length: 200 }, (_, i) => (i % 2 === 0 ? broken : damaged));
    const answers = await Promise.all(bodies.map((body) => sendHttp(port, body)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400]));
    expect(await reason(port, gzipSync(gelf('large', { _trace: trace })))).toBe('202');
  });

  it('limits single messages to 2 MiB and bulk bodies to 32 MiB', async () => {
    const { port } = await fixture.start('gelf-http');
    const limit = 2 * 1024 * 1024;
    const empty = gelf('').length;
    expect(await reason(port, gelf('x'.repeat(limit - empty)))).toBe('202');
    expect(await reason(port, gelf('x'.repeat(limit - empty + 1)))).toBe(
      '413 The message is larger than 2097152 bytes.',
    );
    const line = `${gelf('x'.repeat(1024 * 1024))}\n`;
    expect(await reason(port, line.repeat(31))).toBe('202');
    expect(await reason(port, line.repeat(32))).toBe('413 The body is larger than 33554432 bytes.');
    const mixed = `${gelf('a')}\n${gelf('x'.repeat(limit))}\n`;
    expect(await reason(port, mixed)).toBe(
      '413 Message 2 of the body is larger than 2097152 bytes; none was stored.',
    );
    expect(await reason(port, '1\n'.repeat(100_001))).toBe('413 The body has more than 100000 messages.');
    expect(fixture.journal.writer.nextOffset).toBe(32);
  });

  it('ends a body without length as soon as it is too large, and the sender sees the answer', async () => {
    const { port } = await fixture.start('gelf-http', { max_bulk_size: 100_000, max_chunk_size: 50_000 });
    const sent = httpRequest({ host: '127.0.0.1', port, path: '/gelf', method: 'POST' });
    sent.on('error', () => undefined);
    const answered = once(sent, 'response');
    for (let i = 0; i < 30; i++) sent.write(Buffer.alloc(10_000, 'x'));
    const [response] = await answered;
    expect(response.statusCode).toBe(413);
    expect(response.headers.connection).toBe('close');
    response.resume();
    sent.destroy();
  });

  it('lets other requests in while slow uploads hold all memory; the one that holds most has to give way', async () => {
    const { port } = await fixture.start('gelf-http', {}, { machineMemoryBytes: 1 });
    const part = Buffer.alloc(33_500_000, 'x');
    const statuses: number[] = [];
    const uploads = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const headers = { 'Content-Length': String(part.length + 1) };
        const sent = httpRequest({ host: '127.0.0.1', port, path: '/gelf', method: 'POST', headers });
        sent.on('error', () => undefined);
        sent.on('response', (response) => {
          statuses.push(response.statusCode ?? 0);
          response.resume();
        });
        const over = Promise.race([once(sent, 'response'), once(sent, 'close')]);
        await Promise.race([new Promise((resolve) => sent.write(part, resolve)), over]);
        return sent;
      }),
    );
    const bulk = `${gelf('x'.repeat(500_000))}\n`.repeat(4);
    for (let i = 0; i < 20; i++) expect(await reason(port, bulk)).toBe('202');
    expect(fixture.count(`${COMPONENT}.dropped.memory_limit.events`)).toBeGreaterThan(0);
    expect(new Set(statuses)).toEqual(new Set([503]));
    expect(statuses.length).toBeLessThan(8);
    for (const sent of uploads) sent.destroy();
  });

  it('keeps a body that arrives byte by byte in little more memory than its bytes', async () => {
    const { port } = await fixture.start('gelf-http');
    const body = gelf('x'.repeat(20_000));
    const chunked = [...body].map((byte) => `1\r\n${String.fromCharCode(byte)}\r\n`).join('');
    const socket = await openStream(port);
    socket.write(`POST /gelf HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${chunked}0\r\n\r\n`);
    expect((await fixture.take(1))[0]?.text).toBe(String(body));
    socket.destroy();
  });

  it('takes a slash at the end of the path', async () => {
    const { port } = await fixture.start('gelf-http');
    for (const target of ['/gelf/', '/xlog/']) {
      expect(await sendHttp(port, gelf('x'), { path: target })).toMatchObject({ status: 202 });
    }
  });

  it('answers 404, 405 with Allow, and OPTIONS', async () => {
    const { port } = await fixture.start('gelf-http');
    for (const target of ['/', '/gelf//', '/xlogs', '/api/gelf', '//gelf', '/GELF']) {
      expect(await sendHttp(port, gelf('x'), { path: target })).toMatchObject({ status: 404 });
    }
    for (const method of ['GET', 'PUT', 'DELETE', 'HEAD', 'PATCH']) {
      const answer = await sendHttp(port, '', { method });
      expect(answer.status).toBe(405);
      expect(answer.headers.allow).toBe('POST, OPTIONS');
    }
    expect(await sendHttp(port, '', { method: 'OPTIONS', path: '/' })).toMatchObject({
      status: 200,
      body: '',
    });
    expect(fixture.count(`${COMPONENT}.errors.unknown_path.connection`)).toBe(6);
    expect(fixture.count(`${COMPONENT}.errors.unknown_method.connection`)).toBe(5);
    expect(fixture.journal.writer.nextOffset).toBe(0);
  });

  it('lets pages of other origins send when CORS is on, and only then', async () => {
    const open = await fixture.start('gelf-http');
    const headers = { Origin: 'https://app.example.org', 'Content-Type': 'application/json' };
    const preflight = await sendHttp(open.port, '', { method: 'OPTIONS', headers });
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': 'https://app.example.org',
      'access-control-allow-credentials': 'true',
      'access-control-allow-headers': 'Authorization, Content-Type, Content-Encoding',
    });
    const sent = await sendHttp(open.port, gelf('x'), { headers });
    expect(sent.headers['access-control-allow-origin']).toBe('https://app.example.org');
    expect((await sendHttp(open.port, gelf('x'))).headers).not.toHaveProperty('access-control-allow-origin');
    const closed = await fixture.start('gelf-http', { enable_cors: false });
    const refused = await sendHttp(closed.port, '', { method: 'OPTIONS', headers });
    expect(refused.headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('wants its header when one is required', async () => {
    const { port } = await fixture.start('gelf-http', {
      authorization_header_name: 'X-Api-Key',
      authorization_header_value: 'Bearer open sesame',
    });
    expect(await reason(port, gelf('x'))).toMatch(/^401 /);
    expect(await reason(port, gelf('x'), { 'X-Api-Key': 'Bearer open sesamE' })).toMatch(/^401 /);
    expect(await reason(port, gelf('x'), { 'X-Api-Key': '' })).toMatch(/^401 /);
    expect(fixture.journal.writer.nextOffset).toBe(0);
    expect(await reason(port, gelf('x'), { 'x-api-key': 'Bearer open sesame' })).toBe('202');
    expect(fixture.count(`${COMPONENT}.dropped.unauthorized.events`)).toBe(3);
    await expect(fixture.start('gelf-http', { authorization_header_name: 'X-Api-Key' })).rejects.toThrow(
      'authorization_header_value: is missing',
    );
    await expect(
      fixture.start('gelf-http', { authorization_header_name: 'X Y', authorization_header_value: 'z' }),
    ).rejects.toThrow('authorization_header_name: must be a name');
  });

  it('takes a second value of its header while senders change over', async () => {
    const { port } = await fixture.start('gelf-http', {
      authorization_header_name: 'X-Api-Key',
      authorization_header_value: 'new',
      authorization_header_value_secondary: 'old',
    });
    expect(await reason(port, gelf('x'), { 'X-Api-Key': 'new' })).toBe('202');
    expect(await reason(port, gelf('x'), { 'X-Api-Key': 'old' })).toBe('202');
    expect(await reason(port, gelf('x'), { 'X-Api-Key': 'older' })).toMatch(/^401 /);
    await expect(fixture.start('gelf-http', { authorization_header_value_secondary: 'old' })).rejects.toThrow(
      'authorization_header_value: is missing',
    );
  });

  it('answers 503 with Retry-After when the journal is full, and stores nothing then', async () => {
    await fixture.close();
    fixture = await createIntakeFixture({ journalBytes: 64 * 1024 });
    const { port } = await fixture.start('gelf-http');
    const message = gelf('x'.repeat(4000));
    let answer = await sendHttp(port, message);
    let accepted = 0;
    while (answer.status === 202) {
      accepted += 1;
      answer = await sendHttp(port, message);
    }
    expect(answer.status).toBe(503);
    expect(answer.headers['retry-after']).toBe('10');
    expect(JSON.parse(answer.body).message).toContain('The journal is full');
    expect(fixture.journal.writer.nextOffset).toBe(accepted);
  });

  it('answers 503 when the disk fails, and what was refused never shows up', async () => {
    await fixture.close();
    const disk = new SimulatedDisk();
    fixture = await createIntakeFixture({ files: disk.mount(), retryDelayMs: 10 });
    let failing = true;
    disk.fault = (operation, file) => {
      if (failing && operation === 'write') throw systemError('ENOSPC', file);
    };
    const { port } = await fixture.start('gelf-http');
    expect(await reason(port, gelf('lost'))).toMatch(/^503 The journal cannot be written/);
    expect(await reason(port, gelf('lost too'))).toMatch(/^503 /);
    failing = false;
    await until(() => fixture.journal.writer.refusal === undefined);
    expect(await reason(port, gelf('stored'))).toBe('202');
    expect((await fixture.take(1))[0]?.text).toBe(String(gelf('stored')));
  });

  it('waits a moment for a journal that is only behind', async () => {
    await fixture.close();
    fixture = await createIntakeFixture({ maxPendingBytes: 10_000 });
    const { port } = await fixture.start('gelf-http');
    const statuses = await Promise.all(
      // Nine times what may wait: each time the disk is written to before more fits.
      Array.from({ length: 30 }, () => sendHttp(port, gelf('x'.repeat(3000)))),
    );
    expect(new Set(statuses.map(({ status }) => status))).toEqual(new Set([202]));
    await fixture.take(30);
  });

  it('keeps connections open for many requests, and is gone when it has stopped', async () => {
    const { port, input } = await fixture.start('gelf-http');
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let i = 0; i < 10; i++) await sendHttp(port, gelf(`${i}`), { agent });
    expect(
      fixture.count(`org.graylog2.inputs.gelf.http.GELFHttpInput.${TEST_INPUT_ID}.total_connections`),
    ).toBe(1);
    agent.destroy();
    await input.stop();
    await expect(sendHttp(port, gelf('x'))).rejects.toThrow('ECONNREFUSED');
  });

  it.each(['Transfer-Encoding', 'content-length', 'Connection', 'Expect', 'Upgrade', 'Host'])(
    'refuses to require %s, which HTTP uses itself',
    async (name) => {
      const settings = { authorization_header_name: name, authorization_header_value: 'v' };
      await expect(fixture.start('gelf-http', settings)).rejects.toThrow(
        `a header that HTTP does not use itself, such as Authorization or X-Api-Key`,
      );
    },
  );

  it('answers a client that asks before it sends (Expect: 100-continue)', async () => {
    const { port } = await fixture.start('gelf-http', {
      authorization_header_name: 'K',
      authorization_header_value: 'v',
    });
    const ask = async (headers: Record<string, string>) => {
      const sent = httpRequest({
        host: '127.0.0.1',
        port,
        path: '/gelf',
        method: 'POST',
        headers: { Expect: '100-continue', ...headers },
      });
      sent.on('error', () => undefined);
      let continued = false;
      sent.on('continue', () => {
        continued = true;
        sent.end(gelf('asked'));
      });
      sent.flushHeaders();
      const [response] = await once(sent, 'response');
      response.resume();
      sent.destroy();
      return { status: response.statusCode, continued };
    };
    expect(await ask({ K: 'v' })).toEqual({ status: 202, continued: true });
    expect(await ask({ K: 'wrong' })).toEqual({ status: 401, continued: false });
    expect(await ask({ K: 'v', 'Content-Length': '999999999' })).toEqual({ status: 413, continued: false });
  });

  it('counts a request whose sender disconnects, and continues', async () => {
    const { port } = await fixture.start('gelf-http');
    const socket = await openStream(port);
    socket.write('POST /gelf HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"short');
    await until(
      () =>
        fixture.count(`org.graylog2.inputs.gelf.http.GELFHttpInput.${TEST_INPUT_ID}.total_connections`) === 1,
    );
    await new Promise((resolve) => setImmediate(resolve));
    socket.destroy();
    await until(
      () =>
        fixture.count(`${COMPONENT}.dropped.incomplete_body.events`) +
          fixture.count(`${COMPONENT}.errors.unreadable_request.connection`) >
        0,
    );
    expect(await reason(port, gelf('next'))).toBe('202');
  });

  it('takes requests over TLS with its self-signed certificate', async () => {
    const { port } = await fixture.start('gelf-http', { tls_enable: true });
    const sent = httpsRequest({
      host: '127.0.0.1',
      port,
      path: '/gelf',
      method: 'POST',
      rejectUnauthorized: false,
    });
    sent.end(gelf('encrypted'));
    const [response] = await once(sent, 'response');
    response.resume();
    expect(response.statusCode).toBe(202);
    expect((await fixture.take(1))[0]?.text).toBe(String(gelf('encrypted')));
  });
});
