import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { connect, type Socket } from 'node:net';

/*
 * The sending side of each transport in the plainest way: real sockets, no GELF library.
 */

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface HttpSend {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly agent?: Agent;
}

export function gelf(text: string, more: Record<string, unknown> = {}): Buffer {
  return Buffer.from(
    JSON.stringify({ version: '1.1', host: 'test.example.org', short_message: text, ...more }),
  );
}

export async function sendDatagrams(port: number, datagrams: readonly Buffer[]): Promise<void> {
  const socket = createSocket('udp4');
  try {
    for (const datagram of datagrams) {
      await new Promise<void>((resolve, reject) =>
        socket.send(datagram, port, '127.0.0.1', (error) => (error ? reject(error) : resolve())),
      );
    }
  } finally {
    socket.close();
  }
}

/** Sends, closes its side, and resolves when the server has closed its own. A reset counts as closed. */
export async function sendStream(port: number, bytes: Buffer): Promise<void> {
  const socket = await openStream(port);
  const closed = closing(socket);
  socket.end(bytes);
  await closed;
}

/** Resolves when the connection is gone, in whatever way. */
export function closing(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

export async function openStream(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.resume();
  await once(socket, 'connect');
  return socket;
}

export function sendHttp(port: number, body: Buffer | string, options: HttpSend = {}): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        path: options.path ?? '/gelf',
        method: options.method ?? 'POST',
        headers: options.headers ?? { 'Content-Type': 'application/json' },
        agent: options.agent ?? new Agent({ keepAlive: false }),
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}
