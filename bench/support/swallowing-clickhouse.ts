import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A storage that takes every insert at once and keeps nothing: what remains is what the node itself does. Counts the
 * rows it is sent.
 */
export interface SwallowingClickHouse {
  readonly uri: string;
  readonly rows: number;
  /** Resolves when this many rows have arrived. */
  untilRows(rows: number): Promise<void>;
  stop(): Promise<void>;
}

export async function startSwallowingClickHouse(): Promise<SwallowingClickHouse> {
  let rows = 0;
  let waiting: { readonly rows: number; readonly done: () => void }[] = [];

  function count(added: number): void {
    rows += added;
    for (const waiter of waiting) if (rows >= waiter.rows) waiter.done();
    waiting = waiting.filter((waiter) => rows < waiter.rows);
  }

  const server = http.createServer(async (request, response) => {
    const isInsert = (request.url ?? '').includes('INSERT');
    let head: Buffer | undefined;
    for await (const chunk of request) head ??= chunk as Buffer;
    if (isInsert && head !== undefined) {
      count(rowsOf(head));
      response.end();
    } else if (head?.toString('utf8', 0, 8) === 'SELECT 1') {
      response.end('{"meta":[],"data":[{"1":1}],"rows":1}');
    } else {
      response.end('{"meta":[],"data":[],"rows":0}');
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    uri: `http://default:@127.0.0.1:${(server.address() as AddressInfo).port}`,
    get rows() {
      return rows;
    },
    untilRows(wanted) {
      if (rows >= wanted) return Promise.resolve();
      return new Promise((resolve) => waiting.push({ rows: wanted, done: resolve }));
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A block begins with the numbers of its columns and its rows, seven bits to a byte. */
function rowsOf(block: Buffer): number {
  let position = 0;
  const next = (): number => {
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
      const byte = block[position++] ?? 0;
      value += (byte & 127) * shift;
      if (byte < 128) return value;
    }
  };
  next();
  return next();
}
