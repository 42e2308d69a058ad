import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type JournalWriter, monotonicClock } from '#core/index.ts';
import { until } from '#testing/eventually.ts';
import { gelf, openStream } from '#testing/gelf-senders.ts';
import { createIntakeFixture, type IntakeFixture, TEST_INPUT_ID } from '#testing/intake-fixture.ts';
import { SimulatedDisk, systemError } from '#testing/simulated-disk.ts';
import { frameSource } from '../net/address.ts';
import { createSharedMemory } from '../net/shared-memory.ts';
import { PlainConnection } from './plain-connection.ts';
import { createPlainRequests } from './plain-request.ts';

const COMPONENT = `millrace.component.input.gelf-http.${TEST_INPUT_ID}`;
const READ_BYTES = `org.graylog2.inputs.gelf.http.GELFHttpInput.${TEST_INPUT_ID}.read_bytes_total`;

function plain(text: string, ...headers: string[]): Buffer {
  return post(gelf(text), ...headers);
}

function post(body: Buffer, ...headers: string[]): Buffer {
  const head = ['POST /gelf HTTP/1.1', 'Host: x', ...headers, `Content-Length: ${body.length}`, '', ''];
  return Buffer.concat([Buffer.from(head.join('\r\n')), body]);
}

/** The journal's answers are kept back until `release`. */
function holdAnswers(writer: JournalWriter) {
  const held: (() => void)[] = [];
  const holding: JournalWriter = {
    append: (frames, settled) => writer.append(frames, (durable) => held.push(() => settled?.(durable))),
    onRoom: (listener) => writer.onRoom(listener),
    get refusal() {
      return writer.refusal;
    },
    get nextOffset() {
      return writer.nextOffset;
    },
    get durableOffset() {
      return writer.durableOffset;
    },
  };
  return {
    writer: holding,
    held,
    release() {
      for (const settle of held.splice(0)) settle();
    },
  };
}

/** Reads what the input answers. */
function answersOf(socket: Socket) {
  let received = '';
  socket.setEncoding('latin1');
  socket.on('data', (text: string) => {
    received += text;
  });
  return {
    get text() {
      return received;
    },
    get statuses() {
      return received.match(/HTTP\/1\.1 \d+(?= [A-Z])/g)?.map((line) => line.slice(9)) ?? [];
    },
    get connections() {
      return received.match(/Connection: [a-z-]+/g)?.map((line) => line.slice(12)) ?? [];
    },
  };
}

describe('GELF HTTP connections with plain requests', () => {
  let fixture: IntakeFixture;
  /** The input's side of the connections, in the order in which it accepted them. */
  let accepted: Socket[];
  const onAccepted = (message: unknown) => accepted.push((message as { socket: Socket }).socket);

  beforeEach(async () => {
    accepted = [];
    subscribe('net.server.socket', onAccepted);
    fixture = await createIntakeFixture();
  });

  afterEach(async () => {
    unsubscribe('net.server.socket', onAccepted);
    await fixture.close();
  });

  async function useFailingDisk(): Promise<{ failing: boolean }> {
    await fixture.close();
    const disk = new SimulatedDisk();
    const state = { failing: true };
    fixture = await createIntakeFixture({ files: disk.mount(), retryDelayMs: 10 });
    disk.fault = (operation, file) => {
      if (state.failing && operation === 'write') throw systemError('ENOSPC', file);
    };
    return state;
  }

  /** A connection whose first request is pending until `release`. */
  async function openPending(request: Buffer) {
    const { writer, held, release } = holdAnswers(fixture.journal.writer);
    const { port, input } = await fixture.start('gelf-http', {}, { journal: writer });
    const socket = await openStream(port);
    const answers = answersOf(socket);
    const closed = once(socket, 'close');
    socket.write(request);
    await until(() => held.length === 1);
    const server = accepted.at(-1);
    if (server === undefined) throw new Error('no connection was accepted');
    return { socket, server, answers, closed, release, input };
  }

  /** Sends each piece when there are as many answers as before it, until the input closes the connection. */
  async function converse(
    port: number,
    pieces: readonly (readonly [answersBefore: number, Buffer])[],
    { saysNoMore = false } = {},
  ) {
    const socket = await openStream(port);
    const answers = answersOf(socket);
    const closed = once(socket, 'close');
    for (const [answersBefore, piece] of pieces) {
      await until(() => answers.statuses.length >= answersBefore);
      socket.write(piece);
    }
    if (saysNoMore) socket.end();
    await closed;
    return { statuses: answers.statuses, received: answers.text };
  }

  it('answers plain requests and others on one connection, in order', async () => {
    const { port } = await fixture.start('gelf-http');
    const chunked = Buffer.from(
      `POST /gelf HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${gelf('c').length.toString(16)}\r\n${gelf('c')}\r\n0\r\n\r\n`,
    );
    const broken = Buffer.from('POST /gelf HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n{');
    const { statuses, received } = await converse(port, [
      [0, plain('a')],
      [1, plain('b', 'Accept: */*')],
      [2, chunked],
      [3, plain('d')],
      [4, broken],
      [5, plain('e', 'Connection: close')],
    ]);
    expect(statuses).toEqual(['202', '202', '202', '202', '400', '202']);
    const [first, second] = received.split('\r\n\r\n').map((head) => head.replace(/Date: .*/, 'Date'));
    expect(first).toBe(second);
    const frames = await fixture.take(5);
    expect(frames.map(({ text }) => JSON.parse(text).short_message)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(fixture.count(`${COMPONENT}.received.events`)).toBe(6);
    expect(fixture.count(`${COMPONENT}.dropped.invalid_message.events`)).toBe(1);
  });

  it('answers a plain request as Node would', async () => {
    const { port } = await fixture.start('gelf-http');
    const { received } = await converse(port, [
      [0, plain('a')],
      [1, plain('b', 'X-Unknown: 1')],
      [2, plain('c', 'Connection: close')],
    ]);
    const [byUs, byNode] = received.split('\r\n\r\n');
    const lines = (head = '') =>
      head
        .replace(/Date: .*/, 'Date')
        .split('\r\n')
        .sort();
    expect(lines(byUs)).toEqual(lines(byNode));
  });

  it('answers requests that come while one is pending', async () => {
    const first = plain('first');
    const many = Array.from({ length: 20 }, (_, index) => plain(`${index}`));
    const { socket, server, answers, closed, release } = await openPending(first);
    const rest = Buffer.concat(many);
    socket.write(rest);
    await until(() => server.bytesRead === first.length + rest.length);
    expect(answers.statuses).toEqual([]);
    await until(() => {
      release();
      return answers.statuses.length === 21;
    });
    socket.write(plain('last', 'Connection: close'));
    await until(() => {
      release();
      return answers.statuses.length === 22;
    });
    await closed;
    expect(answers.statuses).toEqual(Array(22).fill('202'));
    const frames = await fixture.take(22);
    expect(frames.map(({ text }) => JSON.parse(text).short_message)).toEqual([
      'first',
      ...many.map((_, index) => `${index}`),
      'last',
    ]);
  });

  it('answers every request of a sender that has closed its side', async () => {
    const { socket, server, answers, closed, release } = await openPending(plain('a'));
    const rest = Buffer.concat([plain('b'), plain('c')]);
    const before = server.bytesRead;
    socket.write(rest);
    await until(() => server.bytesRead === before + rest.length);
    socket.end();
    await until(() => server.readableEnded);
    await until(() => {
      release();
      return server.destroyed;
    });
    await closed;
    expect(answers.statuses).toEqual(['202', '202', '202']);
    expect(fixture.count(`${COMPONENT}.received.events`)).toBe(3);
    await fixture.take(3);
  });

  it('answers the only request of a sender that has closed its side, plain or not', async () => {
    const { port } = await fixture.start('gelf-http');
    for (const headers of [[], ['X-Unknown: 1']]) {
      const { statuses } = await converse(port, [[0, plain('only', ...headers)]], { saysNoMore: true });
      expect(statuses).toEqual(['202']);
    }
    await fixture.take(2);
  });

  it('answers 503 to a sender that has closed its side when the disk fails, and counts once', async () => {
    await useFailingDisk();
    const { socket, server, answers, closed, release } = await openPending(plain('lost'));
    socket.end();
    await until(() => server.readableEnded);
    await until(() => {
      release();
      return server.destroyed;
    });
    await closed;
    expect(answers.statuses).toEqual(['503']);
    expect(fixture.count(`${COMPONENT}.dropped.journal_failing.events`)).toBe(1);
    expect(fixture.count(READ_BYTES)).toBe(gelf('lost').length);
  });

  it('counts a message that was lost after its sender had gone', async () => {
    await useFailingDisk();
    const { socket, server, release } = await openPending(plain('lost'));
    socket.resetAndDestroy();
    await until(() => server.destroyed);
    release();
    expect(fixture.count(`${COMPONENT}.dropped.journal_failing.events`)).toBe(1);
    expect(fixture.count(READ_BYTES)).toBe(gelf('lost').length);
  });

  it.each([
    ['a plain request', plain('a')],
    ['another request', plain('a', 'X-Unknown: 1')],
  ])('tells in the answer to %s that the input stops', async (_which, request) => {
    const { answers, closed, release, input } = await openPending(request);
    const stopped = input.stop();
    release();
    await stopped;
    await closed;
    expect(answers.statuses).toEqual(['202']);
    expect(answers.connections).toEqual(['close']);
    await fixture.take(1);
  });

  it('closes connections that send nothing, before and after their first request', async () => {
    const { port } = await fixture.start('gelf-http', { idle_writer_timeout: 1 });
    const [silent, asking] = [await openStream(port), await openStream(port)];
    const closed = Promise.all([once(silent, 'close'), once(asking, 'close')]);
    const answers = answersOf(asking);
    asking.write(plain('a'));
    await until(() => answers.statuses.length === 1);
    expect(answers.text).toContain('Keep-Alive: timeout=1\r\n');
    // A request that is on its way when the promised time is over still gets its answer.
    expect(accepted.map(({ timeout }) => timeout)).toEqual([1000, 2000]);
    await closed;
    expect(fixture.count(`${COMPONENT}.errors.idle_timeout.connection`)).toBe(2);
  });

  it('refuses a body that is too large however it arrives', async () => {
    const { port } = await fixture.start('gelf-http', { enable_bulk_receiving: false, max_chunk_size: 100 });
    const request = post(Buffer.concat([gelf('a'), Buffer.alloc(1000, ' ')]), 'Accept: */*');
    expect((await converse(port, [[0, request]], { saysNoMore: true })).statuses).toEqual(['413']);
    const cut = request.length - 500;
    const socket = await openStream(port);
    const answers = answersOf(socket);
    socket.write(request.subarray(0, cut));
    await until(() => accepted.at(-1)?.bytesRead === cut);
    socket.end(request.subarray(cut));
    await once(socket, 'close');
    expect(answers.statuses).toEqual(['413']);
  });

  it('takes plain requests over TLS, also from a sender that has closed its side', async () => {
    const { port } = await fixture.start('gelf-http', { tls_enable: true });
    const socket = connectTls({ host: '127.0.0.1', port, rejectUnauthorized: false });
    socket.allowHalfOpen = true;
    await once(socket, 'secureConnect');
    const answers = answersOf(socket);
    const ended = once(socket, 'end');
    socket.write(plain('a'));
    await until(() => answers.statuses.length === 1);
    socket.write(plain('b'));
    await until(() => answers.statuses.length === 2);
    socket.end(plain('c'));
    await ended;
    expect(answers.statuses).toEqual(['202', '202', '202']);
    const frames = await fixture.take(3);
    expect(frames.map(({ text }) => JSON.parse(text).short_message)).toEqual(['a', 'b', 'c']);
  });

  it('takes plain requests with the required header, and no others', async () => {
    const { port } = await fixture.start('gelf-http', {
      authorization_header_name: 'X-Key',
      authorization_header_value: 'right',
    });
    const { statuses } = await converse(port, [
      [0, plain('a', 'X-Key: right')],
      [1, plain('b', 'X-Key: wrong', 'Connection: close')],
    ]);
    expect(statuses).toEqual(['202', '401']);
    expect((await converse(port, [[0, plain('c', 'Connection: close')]])).statuses).toEqual(['401']);
    await fixture.take(1);
    expect(fixture.count(`${COMPONENT}.dropped.unauthorized.events`)).toBe(2);
  });

  it('answers 503 on the same connection when the disk fails, counts once and keeps nothing', async () => {
    const disk = await useFailingDisk();
    const { port } = await fixture.start('gelf-http');
    const { statuses } = await converse(port, [
      [0, plain('lost')],
      [1, plain('lost too', 'Connection: close')],
    ]);
    expect(statuses).toEqual(['503', '503']);
    expect(fixture.count(`${COMPONENT}.dropped.journal_failing.events`)).toBe(2);
    expect(fixture.count(READ_BYTES)).toBe(gelf('lost').length + gelf('lost too').length);
    disk.failing = false;
    await until(() => fixture.journal.writer.refusal === undefined);
    expect((await converse(port, [[0, plain('stored')]], { saysNoMore: true })).statuses).toEqual(['202']);
    expect((await fixture.take(1))[0]?.text).toBe(String(gelf('stored')));
  });

  it('reads no more from a sender that does not read its answers, until it does', async () => {
    const wasFull: boolean[] = [];
    const memory = createSharedMemory({ monotonic: monotonicClock }, { limitBytes: 1_000_000 });
    const server = createServer((socket) => {
      new PlainConnection(
        {
          idleTimeoutMs: 0,
          firstRequestTimeoutMs: 0,
          isLeaving: false,
          take(_bytes, _start, _connection, settled) {
            wasFull.push(socket.writableNeedDrain);
            setImmediate(settled, true);
            return true;
          },
          // More than the kernel's buffers hold, so that one is enough.
          accepted: () => 'x'.repeat(32 * 1024 * 1024),
          idle: () => undefined,
          handOver: () => undefined,
        },
        socket,
        createPlainRequests({}),
        frameSource(fixture.context(), socket.remoteAddress, socket.remotePort),
        memory.open('sender', () => undefined),
      );
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const sender = await openStream((server.address() as AddressInfo).port);
    try {
      sender.pause();
      sender.write(plain('first'));
      await until(() => accepted[0]?.writableNeedDrain === true);
      sender.write(plain('second'));
      await until(() => accepted[0]?.isPaused() === true || wasFull.length === 2);
      sender.resume();
      await until(() => wasFull.length === 2);
      expect(wasFull).toEqual([false, false]);
    } finally {
      sender.destroy();
      server.close();
    }
  });
});
