import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '#testing/eventually.ts';
import { gelf, openStream } from '#testing/gelf-senders.ts';
import { createIntakeFixture, type IntakeFixture, TEST_INPUT_ID } from '#testing/intake-fixture.ts';
import { SimulatedDisk, systemError } from '#testing/simulated-disk.ts';

const COMPONENT = `millrace.component.input.gelf-http.${TEST_INPUT_ID}`;

describe('GELF HTTP connections with plain requests', () => {
  let fixture: IntakeFixture;

  beforeEach(async () => {
    fixture = await createIntakeFixture();
  });

  afterEach(async () => {
    await fixture.close();
  });

  function plain(text: string, ...headers: string[]): Buffer {
    const body = gelf(text);
    const head = ['POST /gelf HTTP/1.1', 'Host: x', ...headers, `Content-Length: ${body.length}`, '', ''];
    return Buffer.concat([Buffer.from(head.join('\r\n')), body]);
  }

  /** Sends each piece when there are as many answers as before it, until the input closes the connection. */
  async function converse(
    port: number,
    pieces: readonly (readonly [answersBefore: number, Buffer])[],
    { saysNoMore = false } = {},
  ) {
    const socket = await openStream(port);
    let received = '';
    const statuses = () => received.match(/HTTP\/1\.1 \d+(?= [A-Z])/g)?.map((line) => line.slice(9)) ?? [];
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => {
      received += text;
    });
    const closed = once(socket, 'close');
    for (const [answersBefore, piece] of pieces) {
      await until(() => statuses().length >= answersBefore);
      socket.write(piece);
    }
    if (saysNoMore) socket.end();
    await closed;
    return { statuses: statuses(), received };
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

  it('answers requests that come without waiting for answers, and one whose sender says no more', async () => {
    const { port } = await fixture.start('gelf-http');
    const many = Array.from({ length: 20 }, (_, index) => plain(`${index}`));
    const { statuses } = await converse(port, [
      [0, plain('first')],
      [0, Buffer.concat(many)],
      [21, plain('last', 'Connection: close')],
    ]);
    expect(statuses).toEqual(Array(22).fill('202'));
    const only = await converse(port, [[0, plain('only')]], { saysNoMore: true });
    expect(only.statuses).toEqual(['202']);
    const frames = await fixture.take(23);
    expect(frames.map(({ text }) => JSON.parse(text).short_message)).toEqual([
      'first',
      ...many.map((_, index) => `${index}`),
      'last',
      'only',
    ]);
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
    await fixture.close();
    const disk = new SimulatedDisk();
    fixture = await createIntakeFixture({ files: disk.mount(), retryDelayMs: 10 });
    let failing = true;
    disk.fault = (operation, file) => {
      if (failing && operation === 'write') throw systemError('ENOSPC', file);
    };
    const { port } = await fixture.start('gelf-http');
    const { statuses } = await converse(port, [
      [0, plain('lost')],
      [1, plain('lost too', 'Connection: close')],
    ]);
    expect(statuses).toEqual(['503', '503']);
    expect(fixture.count(`${COMPONENT}.dropped.journal_failing.events`)).toBe(2);
    failing = false;
    await until(() => fixture.journal.writer.refusal === undefined);
    expect((await converse(port, [[0, plain('stored')]], { saysNoMore: true })).statuses).toEqual(['202']);
    expect((await fixture.take(1))[0]?.text).toBe(String(gelf('stored')));
  });
});
