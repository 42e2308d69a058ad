import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { until } from '#testing/eventually.ts';
import { ReceiveMany } from './receive-many.ts';
import { Senders } from './senders.ts';
import { loadSocketCalls } from './socket-calls.ts';
import { type ReceivingHandle, receivingHandle, UdpReader } from './udp-reader.ts';

async function bound(): Promise<Socket> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return socket;
}

describe('receivingHandle', () => {
  it('finds the handle where this version of Node keeps it', async () => {
    const socket = await bound();
    const handle = receivingHandle(socket);
    expect(handle?.fd).toBeGreaterThan(0);
    expect(handle?.recvStop()).toBe(0);
    expect(handle?.recvStart()).toBe(0);
    socket.close();
    expect(handle?.fd).toBeLessThan(0);
    expect(receivingHandle(socket)).toBeUndefined();
  });
});

describe.runIf(process.platform === 'linux')('UdpReader', () => {
  const open: Socket[] = [];

  afterEach(() => {
    for (const socket of open.splice(0)) socket.close();
  });

  async function start() {
    const socket = await bound();
    const sender = createSocket('udp4');
    open.push(socket, sender);
    const { port } = socket.address();
    const handle = receivingHandle(socket)!;
    /** What Node was told. */
    const told: string[] = [];
    const stopped = Promise.withResolvers<void>();
    const watched: ReceivingHandle = {
      get fd() {
        return handle.fd;
      },
      recvStart: () => {
        told.push('start');
        return handle.recvStart();
      },
      recvStop: () => {
        told.push('stop');
        stopped.resolve();
        return handle.recvStop();
      },
    };
    const texts: string[] = [];
    let unflushed = 0;
    let batched = 0;
    const senders = new Senders({ inputId: 'input', codecId: 7 });
    const reader = new UdpReader(
      {
        receive({ bytes, starts, ends, from, to }) {
          unflushed += to - from;
          for (let i = from; i < to; i++) texts.push(bytes.toString('latin1', starts[i], ends[i]));
        },
        truncated: () => undefined,
        flush: () => {
          unflushed = 0;
        },
      },
      senders,
      (count) => {
        batched += count;
      },
    );
    reader.useMany(watched, new ReceiveMany((await loadSocketCalls())!, senders));
    socket.on('message', (datagram, peer) => reader.receive(datagram, peer));
    const send = (datagrams: readonly string[]) =>
      Promise.all(datagrams.map((text) => new Promise((sent) => sender.send(text, port, '127.0.0.1', sent))));
    return {
      reader,
      send,
      told,
      nodeStopped: stopped.promise,
      texts,
      unflushed: () => unflushed,
      batched: () => batched,
    };
  }

  it('leaves a quiet socket to Node and hands on within a window', async () => {
    const { reader, send, told, texts, unflushed, batched } = await start();
    for (const text of ['a', 'b', 'c']) {
      await send([text]);
      await until(() => texts.includes(text) && unflushed() === 0);
    }
    expect(texts).toEqual(['a', 'b', 'c']);
    expect(reader.datagrams).toBe(3);
    expect(told).toEqual([]);
    expect(batched()).toBe(0);
    reader.stop();
  });

  it('polls for datagrams while there are many, and lets Node read when there are few', async () => {
    const { reader, send, told, texts, unflushed, batched } = await start();
    const burst = Array.from({ length: 200 }, (_, i) => String(i));
    await send(burst);
    await until(() => texts.length === burst.length && unflushed() === 0);
    expect(texts).toEqual(burst);
    expect(told[0]).toBe('stop');
    expect(batched()).toBeGreaterThan(0);
    expect(reader.datagrams).toBe(burst.length);
    await until(() => told.length === 2);
    expect(told).toEqual(['stop', 'start']);
    const before = batched();
    await send(['Node again']);
    await until(() => texts.at(-1) === 'Node again');
    expect(batched()).toBe(before);
    reader.stop();
  });

  it('does not touch the socket after it was stopped', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { reader, send, told, nodeStopped, texts, unflushed } = await start();
    await send(Array.from({ length: 200 }, (_, i) => String(i)));
    await nodeStopped;
    reader.stop();
    expect(unflushed()).toBe(0);
    const { length } = texts;
    for (const socket of open.splice(0)) await new Promise<void>((closed) => socket.close(() => closed()));
    vi.runAllTimers();
    expect(texts.length).toBe(length);
    expect(told).toEqual(['stop']);
  });
});
