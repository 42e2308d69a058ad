import { randomBytes } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import type { DatagramSink, Datagrams } from './datagrams.ts';
import { ReceiveMany, type ReceiveManySizes } from './receive-many.ts';
import { Senders } from './senders.ts';
import { loadSocketCalls } from './socket-calls.ts';
import { receivingHandle } from './udp-reader.ts';

interface Received {
  readonly bytes: Buffer;
  readonly address: string;
  readonly port: number;
}

/** Keeps copies of everything, as somebody has to who is handed memory that is used again. */
class Collector implements DatagramSink {
  readonly received: Received[] = [];
  readonly calls: number[] = [];
  truncations = 0;

  receive({ bytes, starts, ends, sources, from, to }: Datagrams): void {
    this.calls.push(to - from);
    for (let i = from; i < to; i++) {
      const { remoteAddress, remotePort } = sources[i]!;
      const copy = Buffer.from(bytes.subarray(starts[i], ends[i]));
      this.received.push({ bytes: copy, address: remoteAddress, port: remotePort });
    }
  }

  truncated(): void {
    this.truncations += 1;
  }

  flush(): void {}
}

describe.runIf(process.platform === 'linux')('ReceiveMany', () => {
  const open: Socket[] = [];

  afterEach(() => {
    for (const socket of open.splice(0)) socket.close();
  });

  /** A socket that Node does not read, and what reads it. */
  async function receiver(address: string, sizes?: ReceiveManySizes) {
    const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4');
    open.push(socket);
    socket.bind(0, address);
    await once(socket, 'listening');
    const handle = receivingHandle(socket)!;
    handle.recvStop();
    const calls = (await loadSocketCalls())!;
    const many = new ReceiveMany(calls, new Senders({ inputId: 'input', codecId: 7 }), sizes);
    return { many, calls, socket, port: socket.address().port, fd: handle.fd };
  }

  /** Resolves when the kernel has them, which on the loopback address is when they can be read. */
  async function send(datagrams: readonly Buffer[], port: number, address: string): Promise<number> {
    const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4');
    open.push(socket);
    for (const datagram of datagrams) {
      await new Promise<void>((resolve, reject) =>
        socket.send(datagram, port, address, (error) => (error ? reject(error) : resolve())),
      );
    }
    return socket.address().port;
  }

  function receiveAll(many: ReceiveMany, fd: number): Collector {
    const collector = new Collector();
    while (many.receive(fd, collector) > 0);
    return collector;
  }

  it.each(['127.0.0.1', '::1'])(
    'receives datagrams of every size in their order, with their sender, at %s',
    async (address) => {
      const { many, port, fd } = await receiver(address);
      const sizes = [1, 0, 100, 2047, 2048, 2049, 0, 65_507, 5, 8192, 7];
      const sent = sizes.map((size) => randomBytes(size));
      const from = await send(sent, port, address);
      const { received } = receiveAll(many, fd);
      expect(received.map(({ bytes }) => bytes.length)).toEqual(sizes);
      for (const [i, each] of received.entries()) {
        expect(each).toMatchObject({ address, port: from });
        expect(each.bytes.equals(sent[i]!)).toBe(true);
      }
    },
  );

  it('takes as many with one call as it has slots for, again and again', async () => {
    const { many, port, fd } = await receiver('127.0.0.1', { slots: 10 });
    const sent = Array.from({ length: 35 }, (_, i) => Buffer.from(`datagram ${i}`));
    await send(sent, port, '127.0.0.1');
    const collector = receiveAll(many, fd);
    expect(collector.calls).toEqual([10, 10, 10, 5]);
    expect(collector.received.map(({ bytes }) => String(bytes))).toEqual(sent.map(String));
  });

  it('tells many senders apart, by IPv4 and IPv6 on the same socket', async () => {
    const { many, port, fd } = await receiver('::');
    const expected: string[] = [];
    for (let i = 0; i < 40; i++) {
      const address = i % 3 === 0 ? '::1' : '127.0.0.1';
      const from = await send([Buffer.from('x')], port, address);
      expected.push(`${address} ${from}`);
    }
    const { received } = receiveAll(many, fd);
    expect(received.map(({ address, port }) => `${address} ${port}`)).toEqual(expected);
    expect(new Set(expected).size).toBe(40);
  });

  it('says that a datagram was cut and gives what there is of it', async () => {
    const { many, port, fd } = await receiver('127.0.0.1', { slots: 4, headBytes: 16, tailBytes: 16 });
    const long = randomBytes(33);
    const fits = randomBytes(32);
    await send([fits, long, Buffer.from('next')], port, '127.0.0.1');
    const { received, truncations } = receiveAll(many, fd);
    expect(truncations).toBe(1);
    expect(received.map(({ bytes }) => bytes.toString('hex'))).toEqual([
      fits.toString('hex'),
      long.subarray(0, 32).toString('hex'),
      Buffer.from('next').toString('hex'),
    ]);
  });

  it('does not wait when nothing has arrived, nor fall over a socket that is gone', async () => {
    const { many, port, fd, socket } = await receiver('127.0.0.1');
    const collector = new Collector();
    expect(many.receive(fd, collector)).toBe(0);
    expect(many.receive(-1, collector)).toBe(0);
    await send([Buffer.from('still works')], port, '127.0.0.1');
    expect(many.receive(fd, collector)).toBe(1);
    open.splice(open.indexOf(socket), 1);
    socket.close();
    expect(many.receive(receivingHandle(socket)?.fd ?? -1, collector)).toBe(0);
    expect(collector.received.map(({ bytes }) => String(bytes))).toEqual(['still works']);
  });

  it('survives garbage collections between and during its calls', async () => {
    const { many, port, fd } = await receiver('127.0.0.1');
    const collector = new Collector();
    for (let round = 0; round < 30; round++) {
      const sent = Array.from({ length: 40 }, (_, i) => Buffer.from(`round ${round} datagram ${i}`));
      await send(sent, port, '127.0.0.1');
      // Enough young and old objects to make the collector move what it can move.
      const litter = Array.from({ length: 20_000 }, (_, i) => ({ i, text: `litter ${i}` }));
      expect(litter.length).toBe(20_000);
      while (many.receive(fd, collector) > 0);
      expect(collector.received.splice(0).map(({ bytes }) => String(bytes))).toEqual(sent.map(String));
    }
  });

  it('forces a receive buffer beyond the limit of the system, or says that it may not', async () => {
    const { calls, socket, fd } = await receiver('127.0.0.1');
    const before = socket.getRecvBufferSize();
    const forced = calls.forceReceiveBuffer(fd, 32 * 1024 * 1024);
    expect(socket.getRecvBufferSize()).toBe(forced ? 64 * 1024 * 1024 : before);
    expect(calls.forceReceiveBuffer(-1, 4096)).toBe(false);
  });
});
