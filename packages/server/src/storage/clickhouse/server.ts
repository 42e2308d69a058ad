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
import { FAILED_WRITES_STATEMENT, type FailedWritesRow, requireWritten } from './hidden-write-failures.ts';
import {
  allRows,
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
  /** Where other servers reach it; ClickHouse's usual port unless given. */
  readonly nativePort?: number;
  /** The other servers of its shard, which have the same messages. */
  readonly replicas?: readonly ClickHouseEndpoint[];
  /** Which run of the embedded engine this is. That one hides write failures: see `hidden-write-failures.ts`. */
  readonly instance?: string;
}

/** How the tables are replicated. */
export interface Replication {
  /** The name in ClickHouse's configuration, for statements `ON CLUSTER`; undefined: every replica is told by the node. */
  readonly cluster?: string | undefined;
  /** How many replicas must have an insert before it is confirmed; 0 and 1: the one that got it. */
  readonly insertQuorum: number;
}

export interface ClickHouseOptions {
  /** The default database of statements. */
  readonly database?: string;
  /** How long a server may be silent during a request. */
  readonly requestTimeoutMs?: number;
  /** Concurrent requests to each server; further ones wait. */
  readonly maxConnections?: number;
  /** Called after each command, which is done when it resolves. */
  readonly afterCommand?: () => Promise<void>;
  /** Undefined: tables are not replicated. */
  readonly replication?: Replication | undefined;
}

export interface StatementOptions {
  /** Values for `{name:Type}` in the statement. Values from outside must enter SQL this way only. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly settings?: ClickHouseSettings;
  /** Cancels the request; the promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** To find the statement in `system.processes`. */
  readonly queryId?: string;
  /** Called with what was read: by `query` at its end, by `stream` repeatedly. */
  readonly onProgress?: (progress: ReadProgress) => void;
  /** Called by `query` and `stream` with the size of rows before they are parsed. If it throws, the request ends. */
  readonly onRowBytes?: (bytes: number) => void;
  /**
   * For `query`: the rows must be all there are. Rejects with a `RetryableError` while the embedded engine may have
   * incomplete parts, from which it reads too few rows without an error.
   */
  readonly mustBeComplete?: boolean;
}

export interface NativeInsert {
  /** The name of the table, not quoted. */
  readonly table: string;
  /** Not quoted; the default database of the client if left out. */
  readonly database?: string;
  /** A block from `NativeBatch.encode`. */
  readonly block: Uint8Array;
  /** Inserts with the same token store their rows once, so such an insert can be repeated. */
  readonly deduplicationToken?: string;
  readonly settings?: ClickHouseSettings;
  readonly signal?: AbortSignal;
  /** To find the insert in `system.processes`. */
  readonly queryId?: string;
}

/**
 * One ClickHouse server over HTTP.
 *
 * Contract: all methods reject with a `RetryableError` if the server is unreachable or reports a temporary problem, with
 * a `PermanentError` if it refuses, and with the signal's reason if aborted. `clickHouseErrorCode` returns ClickHouse's
 * own number. Nothing is retried here but a query whose connection was closed before the answer, once: a server may
 * close a connection at the moment the next request is sent over it.
 */
export interface ClickHouseServer {
  readonly url: string;
  /** All rows. 64-bit integers arrive as strings, so that no digit is lost. */
  query<Row>(sql: string, options?: StatementOptions): Promise<Row[]>;
  /** Rows in batches as they are found, in constant memory. Leaving the iteration cancels the statement. */
  stream<Row>(sql: string, options?: StatementOptions): AsyncIterable<Row[]>;
  /**
   * The output of a statement that ends with a FORMAT clause, in chunks as they arrive: constant memory, nothing is
   * parsed. The output must not contain carriage returns: the server marks an error in the middle with one.
   */
  text(sql: string, options?: StatementOptions): AsyncIterable<Buffer>;
  /** Runs a statement without a result. Resolves when what it changes is stored. */
  command(sql: string, options?: StatementOptions): Promise<void>;
  /** Resolves when the rows are stored. */
  insertNative(insert: NativeInsert): Promise<void>;
  /** Resolves when the server answers a query with these credentials. */
  ping(signal?: AbortSignal): Promise<void>;
}

const REQUEST_TIMEOUT_MS = 120_000;
const MAX_CONNECTIONS = 16;

/** For every request. Answers are sent when the statement is done, so they carry the true status. */
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

  const written = <Result>(signal: AbortSignal | undefined, work: () => Promise<Result>): Promise<Result> =>
    whenWritten(server, endpoint().instance, signal, work);

  /** The output of a statement as it arrives. */
  async function* pieces<Piece>(
    sql: string,
    statement: StatementOptions,
    settings: ClickHouseSettings,
    read: (client: Client, request: Parameters<typeof streamText>[1]) => AsyncIterable<Piece>,
  ): AsyncGenerator<Piece, void, undefined> {
    const { signal } = statement;
    signal?.throwIfAborted();
    const asked = { ...statement, settings: { ...statement.settings, ...settings } };
    try {
      yield* piecesAgainIfClosed(asked, (options) =>
        read(connection.client(), { query: sql, ...formOf(sql), ...requestOf(options) }),
      );
    } catch (error) {
      throw toStorageError(error, endpoint().url, signal);
    }
  }

  const server: ClickHouseServer & { close(): Promise<void> } = {
    get url() {
      return endpoint().url;
    },
    query<Row>(sql: string, statement: StatementOptions = {}) {
      if (statement.mustBeComplete) {
        const { mustBeComplete: _, ...rest } = statement;
        return written(statement.signal, () => server.query<Row>(sql, rest));
      }
      return run(statement.signal, async () => {
        const result = await againIfClosed(statement, (asked) =>
          connection
            .client()
            .query({ query: sql, format: 'JSONEachRow', ...formOf(sql), ...requestOf(asked) }),
        );
        const rows = await allRows<Row>(result, statement.onRowBytes);
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
      const request = { query: sql, ...requestOf(statement) };
      await written(statement.signal, () =>
        run(statement.signal, () => connection.client().command(request)),
      );
      await options.afterCommand?.();
    },
    insertNative: (insert) =>
      written(insert.signal, () => run(insert.signal, () => insertBlock(connection.client(), insert))),
    async ping(signal) {
      await server.query('SELECT 1', signal ? { signal } : {});
    },
    close: () => connection.close(),
  };
  return server;
}

/** For requests that change nothing. */
async function againIfClosed<Result>(
  statement: StatementOptions,
  ask: (statement: StatementOptions) => Promise<Result>,
): Promise<Result> {
  try {
    return await ask(statement);
  } catch (error) {
    if (!isClosed(error, statement.signal)) throw error;
    return ask(askedAgain(statement));
  }
}

/** The same for output in pieces, as long as none has arrived. */
async function* piecesAgainIfClosed<Piece>(
  statement: StatementOptions,
  read: (statement: StatementOptions) => AsyncIterable<Piece>,
): AsyncGenerator<Piece, void, undefined> {
  let hasBegun = false;
  try {
    for await (const piece of read(statement)) {
      hasBegun = true;
      yield piece;
    }
  } catch (error) {
    if (hasBegun || !isClosed(error, statement.signal)) throw error;
    yield* read(askedAgain(statement));
  }
}

/** The server may still run the statement, and refuses a second one with its id. */
function askedAgain(statement: StatementOptions): StatementOptions {
  return statement.queryId === undefined
    ? statement
    : { ...statement, queryId: `${statement.queryId}-again` };
}

/** Whether the server has closed the connection, not the caller. */
function isClosed(error: unknown, signal: AbortSignal | undefined): boolean {
  if (signal?.aborted) return false;
  return error instanceof Error && 'code' in error && error.code === 'ECONNRESET';
}

/** Rejects when the embedded engine could not write everything by the end of the work. */
async function whenWritten<Result>(
  server: Pick<ClickHouseServer, 'query'>,
  instance: string | undefined,
  signal: AbortSignal | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  const result = await work();
  if (instance === undefined) return result;
  const [row] = await server.query<FailedWritesRow>(FAILED_WRITES_STATEMENT, signal ? { signal } : {});
  requireWritten(row, instance);
  return result;
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
        // A confirmed insert is stored, not queued in the server's memory.
        async_insert: 0,
        ...(deduplicationToken !== undefined && { insert_deduplication_token: deduplicationToken }),
        ...insert.settings,
      },
    }),
  });
  // The answer to an insert is empty; reading to its end also frees the connection.
  for await (const _ of stream);
}

type Client = ReturnType<typeof createClient>;

/** The library's client for the current endpoint. */
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
        // Requests to the old address fail on their own.
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

/** With many parameters the library sends the statement as a part of a form, which may have 128 KiB. */
const LONGEST_IN_FORM = 100_000;

/** A long statement is sent as the whole body; its parameters then go into the address, which takes a MiB. */
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

/** The quoted name of a table for use in SQL. */
export function qualifiedName(database: string | undefined, table: string): string {
  const name = quoteIdentifier(table);
  return database === undefined ? name : `${quoteIdentifier(database)}.${name}`;
}

/** A name for use in SQL, whatever characters it has. */
export function quoteIdentifier(name: string): string {
  return `\`${name.replace(/[\\`]/g, (character) => `\\${character}`)}\``;
}
