/** Stands between a node and its engine and, when told, notes the statements that pass and how long each took. */
import { once } from 'node:events';
import net from 'node:net';

export interface TappedStatement {
  /** The request as the node sent it, but for its connection. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** As `performance.now()` has it: its first byte, and the last one of its answer. */
  readonly startedAt: number;
  readonly endedAt: number;
}

export interface StatementTap {
  /** `http://127.0.0.1:1234` */
  readonly url: string;
  /** What passes while the work runs. Bytes are relayed as they are, so that it costs the node next to nothing. */
  during(work: () => Promise<unknown>): Promise<TappedStatement[]>;
  close(): void;
}

/** One request of a connection. Clients send the next one only when the last is answered. */
interface Exchange {
  readonly sent: Buffer[];
  readonly startedAt: number;
  endedAt: number | undefined;
}

export async function startStatementTap(target: string): Promise<StatementTap> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<net.Socket>();
  let noted: Exchange[] | undefined;
  const server = net.createServer({ noDelay: true }, (client) => {
    const engine = net.connect({ host: hostname, port: Number(port), noDelay: true });
    let current: Exchange | undefined;
    client.on('data', (chunk: Buffer) => {
      if (noted === undefined) return;
      if (current !== undefined && current.endedAt === undefined) {
        current.sent.push(chunk);
        return;
      }
      const next: Exchange = { sent: [chunk], startedAt: performance.now(), endedAt: undefined };
      noted.push(next);
      current = next;
    });
    engine.on('data', () => {
      if (current !== undefined) current.endedAt = performance.now();
    });
    client.pipe(engine).pipe(client);
    for (const [socket, other] of [
      [client, engine],
      [engine, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`,
    async during(work) {
      const exchanges: Exchange[] = [];
      noted = exchanges;
      try {
        await work();
      } finally {
        noted = undefined;
      }
      return exchanges.flatMap(statementOf);
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function statementOf({ sent, startedAt, endedAt }: Exchange): TappedStatement[] {
  const text = Buffer.concat(sent).toString();
  const end = text.indexOf('\r\n\r\n');
  if (end < 0 || endedAt === undefined) return [];
  const [request = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  const rest = text.slice(end + 4);
  const body = headers['transfer-encoding'] === 'chunked' ? withoutChunks(rest) : rest;
  return [{ path: request.split(' ')[1] ?? '/', headers, body, startedAt, endedAt }];
}

function withoutChunks(text: string): string {
  const bytes = Buffer.from(text);
  const parts: Buffer[] = [];
  let at = 0;
  for (;;) {
    const end = bytes.indexOf('\r\n', at);
    const size = Number.parseInt(bytes.toString('latin1', at, end), 16);
    if (!(size > 0)) return Buffer.concat(parts).toString();
    parts.push(bytes.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
}
