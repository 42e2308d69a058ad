import {
  type Dialect,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
} from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
import {
  ConflictError,
  errorCode,
  errorMessage,
  InvalidError,
  PermanentError,
  RetryableError,
  StartupError,
} from '#core/index.ts';
import { guardDialect, type TransactionScope } from './guarded-dialect.ts';

/**
 * What connections are for: `queries` are short and bounded, a migration may take long. `heartbeats` have a connection
 * of their own, so that they never wait behind others, and give up early: other nodes wait for them.
 */
export type ConnectionUse = 'queries' | 'heartbeats' | 'migration';

const IDLE_TIMEOUT_MS = 30_000;
const IDLE_TRANSACTION_TIMEOUT_MS = 60_000;
/** How much longer we wait than the server works on a statement: after that it has vanished. */
const SILENCE_MS = 2000;

interface ConnectionLimits {
  readonly connections: number;
  readonly connectMs: number;
  readonly statementMs?: number;
}

const LIMITS: Record<ConnectionUse, ConnectionLimits> = {
  queries: { connections: 10, connectMs: 10_000, statementMs: 30_000 },
  heartbeats: { connections: 1, connectMs: 5000, statementMs: 5000 },
  migration: { connections: 1, connectMs: 10_000 },
};

export function createPostgresDialect(
  logger: Logger,
  uri: string,
  use: ConnectionUse,
  scope: TransactionScope,
): Dialect {
  const { connections, connectMs, statementMs } = LIMITS[use];
  const pool = new pg.Pool({
    ...poolSettings(uri, connectMs),
    max: connections,
    ...(statementMs !== undefined && {
      statement_timeout: statementMs,
      idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
      // Without it, a query on a connection whose server has vanished (power, cable, firewall) would wait until the kernel
      // gives up after a quarter of an hour.
      query_timeout: statementMs + SILENCE_MS,
    }),
  });
  // While a connection is in use, the pool does not listen for its errors, and an error without a listener would end the
  // process. The caller gets the error from the query.
  pool.on('connect', (client) => client.on('error', () => {}));
  // No caller is waiting for an idle connection that breaks. The pool drops it and opens a new one.
  pool.on('error', (error) => {
    logger.warn({ reason: errorMessage(error) }, 'an idle connection to PostgreSQL was lost');
  });
  return guardDialect(new PostgresDialect({ pool: withoutBrokenClients(pool) }), { translateError }, scope);
}

/**
 * Removes broken connections from the pool. pg notices a broken connection only after the query's error, when the
 * connection has already been released and the next caller has it. When one has fallen silent, those that were made
 * before lead to the same vanished server.
 */
function withoutBrokenClients(pool: pg.Pool): PostgresPool {
  const madeAt = new WeakMap<pg.PoolClient, number>();
  let silentAt = Number.NEGATIVE_INFINITY;
  pool.on('connect', (client) => void madeAt.set(client, performance.now()));

  async function trustedClient(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await pool.connect();
      if ((madeAt.get(client) ?? 0) > silentAt) return client;
      client.release(true);
    }
  }

  return {
    end: () => pool.end(),
    async connect() {
      const client = await trustedClient();
      let broken = false;
      const query = async <R>(text: string, parameters: readonly unknown[]) => {
        try {
          const { command, rowCount, rows } = await client.query(text, [...parameters]);
          return { command, rowCount: rowCount ?? 0, rows } as PostgresQueryResult<R>;
        } catch (error) {
          broken ||= endsConnection(error);
          if (errorMessage(error) === QUERY_TIMED_OUT) silentAt = performance.now();
          throw error;
        }
      };
      // The cast hides the overload of `query` that takes a cursor: no query here is streamed.
      return { query: query as PostgresPoolClient['query'], release: () => client.release(broken) };
    },
  };
}

/** What pg says when `query_timeout` is over. It has no code. */
const QUERY_TIMED_OUT = 'Query read timeout';

function endsConnection(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) {
    // A new connection may lead to the server that has taken over.
    return error.severity === 'FATAL' || error.severity === 'PANIC' || error.code === READ_ONLY;
  }
  return !isProgrammingFault(error);
}

function poolSettings(uri: string, connectMs = LIMITS.queries.connectMs): pg.PoolConfig {
  return {
    connectionString: uri,
    application_name: 'millrace',
    connectionTimeoutMillis: connectMs,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    keepAlive: true,
    types: { getTypeParser },
  };
}

/** Times and counts are `bigint`, which pg returns as text because JavaScript numbers are exact only up to 2^53. */
function parseBigint(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) {
    throw new PermanentError(`the number ${text} in the metadata database is too large`);
  }
  return value;
}

const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === pg.types.builtins.INT8 && format !== 'binary'
    ? parseBigint
    : pg.types.getTypeParser(oid, format as 'text');

const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';
/** Such as an index entry of more than 2704 bytes. */
const LIMIT_EXCEEDED = '54000';
/** What a standby answers, and a server whose disk is almost full at some providers. */
const READ_ONLY = '25006';
const IDLE_IN_TRANSACTION = '25P03';

/**
 * Error classes of PostgreSQL (the first two characters of the code) after which a retry can succeed: connection, refused
 * login (a password that is being changed), serialization and deadlock, insufficient resources, object in use, operator
 * intervention (shutdown, startup, statement timeout), system error.
 */
const RETRYABLE_CLASSES = new Set(['08', '28', '40', '53', '55', '57', '58']);
/** The other codes of class 25 are faults of ours. */
const RETRYABLE_CODES = new Set([READ_ONLY, IDLE_IN_TRANSACTION]);

function translateError(error: unknown): unknown {
  if (error instanceof pg.DatabaseError) {
    const code = error.code ?? '';
    if (code === UNIQUE_VIOLATION) {
      return new ConflictError('a record with the same unique value exists', { cause: error });
    }
    if (code === FOREIGN_KEY_VIOLATION) {
      return new ConflictError('a record that this one refers to does not exist', { cause: error });
    }
    if (code === LIMIT_EXCEEDED) {
      return new InvalidError(`a text is too long for PostgreSQL: ${error.message}`, { cause: error });
    }
    if (RETRYABLE_CLASSES.has(code.slice(0, 2)) || RETRYABLE_CODES.has(code)) {
      return new RetryableError(`PostgreSQL is temporarily unable to run this query: ${error.message}`, {
        cause: error,
      });
    }
    return error;
  }
  // Bugs in our own code keep their type. Every other error that is not the server's answer comes from the connection:
  // system errors, and pg's own errors, which have no code.
  if (isProgrammingFault(error)) return error;
  return new RetryableError(`the connection to PostgreSQL failed: ${errorMessage(error)}`, { cause: error });
}

function isProgrammingFault(error: unknown): boolean {
  return (
    error instanceof TypeError ||
    error instanceof RangeError ||
    error instanceof SyntaxError ||
    error instanceof PermanentError
  );
}

const MINIMUM_VERSION = 12;

/** Connects once and checks that the database is usable, so that a wrong setting is reported at startup. */
export async function checkPostgres(uri: string): Promise<void> {
  const where = describePostgresUri(uri);
  const client = new pg.Client(poolSettings(uri));
  // The pending call gets connection errors too; without a listener they would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    const result = await client.query<{ version: number; encoding: string }>(
      `select current_setting('server_version_num')::int / 10000 as version,
              current_setting('server_encoding') as encoding`,
    );
    const { version, encoding } = result.rows[0] ?? { version: 0, encoding: 'unknown' };
    if (version < MINIMUM_VERSION) {
      throw new StartupError(
        `PostgreSQL at ${where} has version ${version}`,
        `Use PostgreSQL ${MINIMUM_VERSION} or newer.`,
      );
    }
    if (encoding !== 'UTF8') {
      throw new StartupError(
        `the PostgreSQL database at ${where} has the encoding ${encoding}`,
        "Create a new database with: create database … encoding 'UTF8' template template0",
      );
    }
  } catch (error) {
    throw error instanceof StartupError ? error : connectionError(where, error);
  } finally {
    await client.end().catch(() => {});
  }
}

function connectionError(where: string, error: unknown): StartupError {
  const code = errorCode(error) ?? '';
  const reason = errorMessage(error) || code;
  // No `cause`: pg's errors may contain the connection settings, including the password.
  if (code.startsWith('28')) {
    return new StartupError(
      `PostgreSQL at ${where} refused the user: ${reason}`,
      'Check the user name and the password in metadata_uri, and pg_hba.conf on the server.',
    );
  }
  if (code === '3D000') {
    return new StartupError(
      `PostgreSQL at ${where} has no such database: ${reason}`,
      'Create it with `createdb`, or correct the database name in metadata_uri.',
    );
  }
  return new StartupError(
    `PostgreSQL at ${where} cannot be reached: ${reason}`,
    'Check that the server is running and that host, port and TLS settings in metadata_uri are correct.',
  );
}

/** The URI without the password, for messages. */
export function describePostgresUri(uri: string): string {
  const url = URL.parse(uri);
  if (!url) return 'the URI in metadata_uri';
  const user = url.username === '' ? '' : `${url.username}@`;
  const host = url.hostname || url.searchParams.get('host') || 'localhost';
  return `postgres://${user}${host}:${url.port || url.searchParams.get('port') || 5432}${url.pathname}`;
}
