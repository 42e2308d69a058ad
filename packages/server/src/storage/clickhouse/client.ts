import { PermanentError } from '#core/index.ts';
import { createFailover } from './failover.ts';
import {
  type ClickHouseEndpoint,
  type ClickHouseOptions,
  type ClickHouseServer,
  createServer,
  type StatementOptions,
} from './server.ts';

/** The servers of a node: one embedded, or all of `clickhouse_uri`. */
export interface ClickHouse {
  readonly servers: readonly ClickHouseServer[];
  /** For statements that only read. Servers take turns; if one is unreachable, the next one is asked. */
  query<Row>(sql: string, options?: StatementOptions): Promise<Row[]>;
  /** Like `query`, in batches. Changes the server only before the first rows. */
  stream<Row>(sql: string, options?: StatementOptions): AsyncIterable<Row[]>;
  /** Like `text` of a server. Changes the server only before the first chunk. */
  text(sql: string, options?: StatementOptions): AsyncIterable<Buffer>;
  /** For DDL: runs on every server, one after the other, and stops at the first failure. */
  commandOnEach(sql: string, options?: StatementOptions): Promise<void>;
  close(): Promise<void>;
}

/**
 * @param endpoints the servers, or a function that returns them. It is called before every request and may change
 *   addresses and passwords (the embedded server can get another port), but not the number of servers.
 */
export function createClickHouse(
  endpoints: readonly ClickHouseEndpoint[] | (() => readonly ClickHouseEndpoint[]),
  options: ClickHouseOptions = {},
): ClickHouse {
  const current = typeof endpoints === 'function' ? endpoints : () => endpoints;
  const servers = current().map((_, index) => createServer(() => endpointAt(current(), index), options));
  if (servers.length === 0) throw new PermanentError('there is no ClickHouse server to use');
  const failover = createFailover<ClickHouseServer>(servers);

  return {
    servers,
    query: (sql, statement) => failover.run((server) => server.query(sql, statement)),
    stream: (sql, statement) => failover.iterate((server) => server.stream(sql, statement)),
    text: (sql, statement) => failover.iterate((server) => server.text(sql, statement)),
    async commandOnEach(sql, statement) {
      for (const server of servers) await server.command(sql, statement);
    },
    async close() {
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}

function endpointAt(endpoints: readonly ClickHouseEndpoint[], index: number): ClickHouseEndpoint {
  const endpoint = endpoints[index];
  if (endpoint === undefined) throw new Error(`ClickHouse server ${index + 1} is gone from the list`);
  return endpoint;
}
