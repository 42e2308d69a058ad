/** One ClickHouse server: connection, requests, and errors as the rest of the program sees them. */
import { Readable } from 'node:stream';
import {
  type ClickHouseClientConfigOptions,
  ClickHouseLogLevel,
  type ClickHouseSettings,
  createClient,
} from '@clickhouse/client';
import type { Secret } from '#core/index.ts';
import { toStorageError } from './errors.ts';
import {
  type ReadProgress,
  STREAM_SETTINGS,
  streamRows,
  streamText,
  summaryOf,
  TEXT_SETTINGS,
} from './row-stream.ts';

export type { ClickHouseSettings } from '@clickhouse/client';

/** One server. */
export interface ClickHouseEndpoint {
  readonly url: string;
  readonly username: string;
  readonly password: Secret;
}

export interface ClickHouseOptions {
  /** The database of statements that name none. */
  readonly database?: string;
  /** How long a server may be silent during a request. */
  readonly requestTimeoutMs?: number;
  /** Most requests at a time to each server; more wait. */
  readonly maxConnections?: number;
}

export interface StatementOptions {
  /** Values for `{name:Type}` in the statement. The only way for outside values into SQL. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly settings?: ClickHouseSettings;
  /** Ends the request; the promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** To find the statement in `system.processes`. */
  readonly queryId?: string;
  /** Told what was read: by `query` at its end, by `stream` all the time. */
  readonly onProgress?: (progress: ReadProgress) => void;
}

export interface NativeInsert {
  /** Name of the table, as it is: it is quoted here. */
  readonly table: string;
  /** The same; that of the client when it is left out. */
  readonly database?: string;
  /** A block of `NativeBatch.encode`. */
  readonly block: Uint8Array;
  /** The same token twice stores the rows once, so an insert with one can always be repeated. */
  readonly deduplicationToken?: string;
  readonly settings?: ClickHouseSettings;
  readonly signal?: AbortSignal;
  /** To find the insert in `system.processes`. */
  readonly queryId?: string;
}

/**
 * One ClickHouse server over HTTP.
 *
 * Contract: all methods reject with a `RetryableError` when the server is unreachable or says that the
 * state will pass, with a `PermanentError` when it refuses, and with the signal's reason when aborted
 * (`clickHouseErrorCode` gives ClickHouse's own number). Nothing is repeated here.
 */
export interface ClickHouseServer {
  readonly url: string;
  /** All rows. 64-bit integers arrive as strings, so that no digit is lost. */
  query<Row>(sql: string, options?: StatementOptions): Promise<Row[]>;
  /** The same in batches as they are found: constant memory. Ends the statement when the iteration is left. */
  stream<Row>(sql: string, options?: StatementOptions): AsyncIterable<Row[]>;
  /**
   * What a statement that ends with its FORMAT writes, in chunks as they come: constant memory, and nothing is looked
   * at. There must be no carriage return in it: that is how the server tells of an error in the middle.
   */
  text(sql: string, options?: StatementOptions): AsyncIterable<Buffer>;
  /** A statement without a result; resolves when it is done. */
  command(sql: string, options?: StatementOptions): Promise<void>;
  /** Resolves when the rows are stored. */
  insertNative(insert: NativeInsert): Promise<void>;
  /** Resolves when the server answers a query with these credentials. */
  ping(signal?: AbortSignal): Promise<void>;
}

const REQUEST_TIMEOUT_MS = 120_000;
const MAX_CONNECTIONS = 16;

/** On for every request: answers carry the true status, as they are sent when the statement is done. */
const COMMON_SETTINGS: ClickHouseSettings = {
  wait_end_of_query: 1,
  output_format_json_quote_64bit_integers: 1,
};

export function createServer(
  endpoint: () => ClickHouseEndpoint,
  options: ClickHouseOptions,
): ClickHouseServer & { close(): Promise<void> } {
  const connection = createConnection(endpoint, options);

  async function run<Result>(signal: AbortSignal | undefined, work: () => Promise<Result>): Promise<Result> {
    signal?.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      throw toStorageError(error, endpoint().url, signal);
    }
  }

  /** What a statement gives, as it comes. */
  async function* pieces<Piece>(
    sql: string,
    statement: StatementOptions,
    settings: ClickHouseSettings,
    read: (client: Client, request: Parameters<typeof streamText>[1]) => AsyncIterable<Piece>,
  ): AsyncGenerator<Piece, void, undefined> {
    const { signal } = statement;
    signal?.throwIfAborted();
    const request = requestOf({ ...statement, settings: { ...statement.settings, ...settings } });
    try {
      yield* read(connection.client(), { query: sql, ...formOf(sql), ...request });
    } catch (error) {
      throw toStorageError(error, endpoint().url, signal);
    }
  }

  const server: ClickHouseServer & { close(): Promise<void> } = {
    get url() {
      return endpoint().url;
    },
    query<Row>(sql: string, statement: StatementOptions = {}) {
      return run(statement.signal, async () => {
        const result = await connection
          .client()
          .query({ query: sql, format: 'JSONEachRow', ...formOf(sql), ...requestOf(statement) });
        const rows = await result.json<Row>();
        const summary = statement.onProgress && summaryOf(result.response_headers);
        if (summary !== undefined) statement.onProgress?.(summary);
        return rows;
      });
    },
    stream: <Row>(sql: string, statement: StatementOptions = {}) =>
      pieces(sql, statement, STREAM_SETTINGS, (client, request) =>
        streamRows<Row>(client, request, statement),
      ),
    text: (sql, statement = {}) =>
      pieces(sql, statement, TEXT_SETTINGS, (client, request) => streamText(client, request, statement)),
    async command(sql, statement = {}) {
      await run(statement.signal, () => connection.client().command({ query: sql, ...requestOf(statement) }));
    },
    insertNative: (insert) => run(insert.signal, () => insertBlock(connection.client(), insert)),
    async ping(signal) {
      await server.query('SELECT 1', signal ? { signal } : {});
    },
    close: () => connection.close(),
  };
  return server;
}

async function insertBlock(client: Client, insert: NativeInsert): Promise<void> {
  const { deduplicationToken, signal, queryId } = insert;
  const { stream } = await client.exec({
    query: `INSERT INTO ${qualifiedName(insert.database, insert.table)} FORMAT Native`,
    values: Readable.from([insert.block], { objectMode: false }),
    ...requestOf({
      ...(signal && { signal }),
      ...(queryId !== undefined && { queryId }),
      settings: {
        // Confirmed means stored: not queued in the server's memory.
        async_insert: 0,
        ...(deduplicationToken !== undefined && { insert_deduplication_token: deduplicationToken }),
        ...insert.settings,
      },
    }),
  });
  // An insert has no answer but its end; reading to it also sets the connection free.
  for await (const _ of stream);
}

type Client = ReturnType<typeof createClient>;

/** The library's client for the endpoint as it is now. */
function createConnection(
  endpoint: () => ClickHouseEndpoint,
  options: ClickHouseOptions,
): { client(): Client; close(): Promise<void> } {
  let used: ClickHouseEndpoint | undefined;
  let client: Client | undefined;
  return {
    client() {
      const wanted = endpoint();
      if (client === undefined || used === undefined || !isSame(used, wanted)) {
        // The old address is dead; its requests fail by themselves, and nobody waits for its sockets.
        client?.close().catch(() => {});
        client = createClient(clientOptions(wanted, options));
        used = wanted;
      }
      return client;
    },
    async close() {
      await client?.close();
      client = undefined;
    },
  };
}

function isSame(a: ClickHouseEndpoint, b: ClickHouseEndpoint): boolean {
  return a.url === b.url && a.username === b.username && a.password.reveal() === b.password.reveal();
}

function clientOptions(
  endpoint: ClickHouseEndpoint,
  options: ClickHouseOptions,
): ClickHouseClientConfigOptions {
  const url = new URL(endpoint.url);
  // The library takes a path in the address for the name of the database.
  const pathname = url.pathname;
  url.pathname = '';
  return {
    url,
    ...(pathname !== '/' && pathname !== '' && { pathname }),
    username: endpoint.username,
    password: endpoint.password.reveal(),
    ...(options.database !== undefined && { database: options.database }),
    application: 'millrace',
    request_timeout: options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS,
    max_open_connections: options.maxConnections ?? MAX_CONNECTIONS,
    keep_alive: { enabled: true, eagerly_destroy_stale_sockets: true },
    use_multipart_params_auto: true,
    clickhouse_settings: COMMON_SETTINGS,
    // Every failure reaches the caller as an error; the library would also write it to the console.
    log: { level: ClickHouseLogLevel.OFF },
  };
}

/** As a part of a form, as which the library sends it beside many parameters, a statement may have 128 KiB. */
const LONGEST_IN_FORM = 100_000;

/** A long statement is the whole body of its request; then its parameters go into the address, which takes a MiB. */
function formOf(sql: string) {
  return sql.length > LONGEST_IN_FORM ? { use_multipart_params_auto: false } : {};
}

function requestOf(statement: StatementOptions) {
  return {
    ...(statement.parameters && { query_params: { ...statement.parameters } }),
    ...(statement.settings && { clickhouse_settings: statement.settings }),
    ...(statement.signal && { abort_signal: statement.signal }),
    ...(statement.queryId !== undefined && { query_id: statement.queryId }),
  };
}

/** The name of a table for use in SQL. */
export function qualifiedName(database: string | undefined, table: string): string {
  const name = quoteIdentifier(table);
  return database === undefined ? name : `${quoteIdentifier(database)}.${name}`;
}

/** A name for use in SQL, whatever is in it. */
export function quoteIdentifier(name: string): string {
  return `\`${name.replace(/[\\`]/g, (character) => `\\${character}`)}\``;
}
