/**
 * The sending side of the intake benchmark, a process of its own so that its CPU is not counted:
 * `node intake-sender.ts <kind> <port> <messages> <rate>`, the payload on standard input. Buffers are built
 * before the first byte is sent. Prints how long sending took.
 */
import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { receivingHandle } from '../../packages/server/src/inputs/net/udp-reader.ts';

const [kind = '', portText, messagesText, rateText] = process.argv.slice(2);
const port = Number(portText);
const messages = Number(messagesText);
const rate = Number(rateText);
const TCP_CONNECTIONS = 4;
const HTTP_CONNECTIONS = 64;
const BULK_CONNECTIONS = 4;
const MESSAGES_PER_BULK = 1000;
const MESSAGES_PER_WRITE = 500;
const UDP_PAUSE_MS = 0.2;
const UDP_MESSAGES_PER_CALL = 64;

const chunks: Buffer[] = [];
for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
const payload = Buffer.concat(chunks);

async function open(): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.setNoDelay(true);
  await once(socket, 'connect');
  return socket;
}

async function sendTcp(): Promise<void> {
  const one = Buffer.concat([payload, Buffer.from([0])]);
  const block = Buffer.concat(Array<Buffer>(MESSAGES_PER_WRITE).fill(one));
  await onConnections(TCP_CONNECTIONS, async (socket) => {
    socket.resume();
    for (let left = messages / TCP_CONNECTIONS; left > 0; left -= MESSAGES_PER_WRITE) {
      const bytes = left < MESSAGES_PER_WRITE ? block.subarray(0, left * one.length) : block;
      if (!socket.write(bytes)) await once(socket, 'drain');
    }
    socket.end();
    await once(socket, 'close');
  });
}

function request(body: Buffer): Buffer {
  const head = `POST /gelf HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
}

async function sendHttp(connections: number, messagesPerRequest: number): Promise<void> {
  const lines = Array<Buffer>(messagesPerRequest).fill(Buffer.concat([payload, Buffer.from('\n')]));
  const bytes = request(messagesPerRequest === 1 ? payload : Buffer.concat(lines));
  await onConnections(connections, async (socket) => {
    let left = Math.ceil(messages / messagesPerRequest / connections);
    let answer = '';
    await new Promise<void>((resolve, reject) => {
      socket.on('data', (data) => {
        answer += data.toString('latin1');
        if (!answer.endsWith('\r\n\r\n')) return;
        if (!answer.startsWith('HTTP/1.1 202')) reject(new Error(answer));
        answer = '';
        left -= 1;
        if (left > 0) socket.write(bytes);
        else resolve();
      });
      socket.on('error', reject);
      socket.write(bytes);
    });
    socket.destroy();
  });
}

async function onConnections(count: number, work: (socket: Socket) => Promise<void>): Promise<void> {
  const sockets = await Promise.all(Array.from({ length: count }, open));
  await Promise.all(sockets.map(work));
}

/**
 * Evenly at the asked rate: every fraction of a millisecond what is due, with one call (`sendmmsg`), so
 * that the sender needs little of a processor that it may share with the receiver.
 */
async function sendUdp(): Promise<void> {
  const socket = createSocket({ type: 'udp4', sendBufferSize: 4 * 1024 * 1024 });
  socket.connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const sender = new ManySender(socket, await import('node:ffi'));
  const pause = new Int32Array(new SharedArrayBuffer(4));
  const start = performance.now();
  for (let sent = 0; sent < messages; ) {
    const due = Math.min(messages, Math.floor(((performance.now() - start) * rate) / 1000));
    while (sent < due) sent += sender.send(due - sent);
    Atomics.wait(pause, 0, 0, UDP_PAUSE_MS);
  }
  await new Promise<void>((resolve) => socket.send(payload, () => resolve()));
  socket.close();
}

/** Sends the payload up to 64 times with one call to the kernel. */
class ManySender {
  // Held here for as long as the kernel is given their addresses.
  readonly #bytes = Buffer.allocUnsafeSlow(payload.length);
  readonly #vector = Buffer.allocUnsafeSlow(16);
  readonly #headers = Buffer.allocUnsafeSlow(64 * UDP_MESSAGES_PER_CALL).fill(0);
  readonly #call: (count: number) => number;

  constructor(socket: UdpSocket, { dlopen, getRawPointer }: typeof import('node:ffi')) {
    const handle = receivingHandle(socket);
    if (handle === undefined) throw new Error('this version of Node keeps the handle of a socket elsewhere');
    const { functions } = dlopen(null, {
      sendmmsg: { arguments: ['i32', 'pointer', 'u32', 'i32'], return: 'i32' },
    });
    payload.copy(this.#bytes);
    this.#vector.writeBigUInt64LE(getRawPointer(this.#bytes), 0);
    this.#vector.writeBigUInt64LE(BigInt(this.#bytes.length), 8);
    // struct mmsghdr without a name, since the socket is connected.
    for (let header = 0; header < this.#headers.length; header += 64) {
      this.#headers.writeBigUInt64LE(getRawPointer(this.#vector), header + 16);
      this.#headers.writeBigUInt64LE(1n, header + 24);
    }
    const address = getRawPointer(this.#headers);
    this.#call = (count) => functions.sendmmsg(handle.fd, address, count, 0);
  }

  /** Sends at most this many; returns how many were sent. */
  send(count: number): number {
    return Math.max(0, this.#call(Math.min(count, UDP_MESSAGES_PER_CALL)));
  }
}

const start = performance.now();
if (kind === 'tcp') await sendTcp();
else if (kind === 'http') await sendHttp(HTTP_CONNECTIONS, 1);
else if (kind === 'http-one') await sendHttp(1, 1);
else if (kind === 'bulk') await sendHttp(BULK_CONNECTIONS, MESSAGES_PER_BULK);
else await sendUdp();
console.log(JSON.stringify({ seconds: (performance.now() - start) / 1000 }));
