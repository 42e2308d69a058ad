import { closeSync, openSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
  type SqliteStatement,
} from 'kysely';
import {
  BoundedMap,
  ConflictError,
  errorCode,
  errorMessage,
  RetryableError,
  StartupError,
} from '#core/index.ts';
import { guardDialect, type TransactionScope } from './guarded-dialect.ts';

/**
 * SQLite through `node:sqlite` and Kysely's own SQLite dialect, which already serialises access to its single connection
 * and only needs a database in the shape of better-sqlite3. Packages that do this exist, but they are wrappers of the
 * same size by single authors, without the guards below.
 */
export function createSqliteDialect(
  path: string,
  scope: TransactionScope,
  /** Called after every statement that has written, and after the commit of such statements. */
  onWritten: () => void = () => {},
): Dialect {
  const database = openDatabase(path);
  const dialect = new SqliteDialect({ database: adaptDatabase(database, onWritten) });
  const immediate: Dialect = {
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createDriver: () => new ImmediateSqliteDriver({ database: adaptDatabase(database, onWritten) }),
  };
  return guardDialect(
    immediate,
    { translateError: (error) => translateError(path, error), shouldRetry: retryWhileBusy },
    scope,
  );
}

/**
 * Takes the write lock when a transaction begins. A transaction that starts as a reader and writes later fails if
 * another process wrote in between, and waiting does not help.
 */
class ImmediateSqliteDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }
}

// SQLite blocks the thread while it waits for a lock, so this is short; the rest of the wait is asynchronous.
const BUSY_TIMEOUT_MS = 20;
const BUSY_RETRY_PAUSE_MS = 30;
const BUSY_ATTEMPTS = 200;

function openDatabase(path: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    // The file contains password hashes, so only its owner may read it. SQLite gives its -wal and -shm files the same
    // mode.
    if (path !== ':memory:') closeSync(openSync(path, 'a', 0o600));
    database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true });
    database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on;');
    // Reads the header and the schema, so that a file that is not a database is detected here.
    database.prepare('select count(*) from sqlite_schema').get();
    return database;
  } catch (error) {
    database?.close();
    throw startupError(path, error);
  }
}

const CORRUPT = 11;
const NOT_A_DATABASE = 26;

/** Also for damage that is found later: it may be anywhere in the file, and nothing but another file helps. */
function damageOf(path: string, error: unknown): StartupError | undefined {
  const result = primaryResult(error);
  if (result !== CORRUPT && result !== NOT_A_DATABASE) return undefined;
  return new StartupError(
    `the metadata database \`${path}\` is damaged or not a SQLite database: ${errorMessage(error)}`,
    'Restore the file from a backup, move it away to start with an empty one, or set metadata_uri to another file.',
    { cause: error },
  );
}

function startupError(path: string, error: unknown): StartupError {
  const damage = damageOf(path, error);
  if (damage !== undefined) return damage;
  const reason = errorCode(error) === 'ENOENT' ? 'its directory does not exist' : errorMessage(error);
  return new StartupError(
    `the metadata database \`${path}\` cannot be opened: ${reason}`,
    'Make sure its directory exists and is writable for the user that runs Millrace, or set metadata_uri to another file.',
    { cause: error },
  );
}

/** Enough for all statements of the repositories; bounds those built from filters. */
const STATEMENT_CACHE_SIZE = 500;

interface CachedStatement extends SqliteStatement {
  readonly statement: StatementSync;
}

function adaptDatabase(database: DatabaseSync, onWritten: () => void): SqliteDatabase {
  const statements = new BoundedMap<string, CachedStatement>({ maxEntries: STATEMENT_CACHE_SIZE });
  const afterRun = createWriteWatch(onWritten);
  return {
    close: () => {
      statements.clear();
      if (database.isOpen) database.close();
    },
    prepare: (sql) => {
      const statement = statements.get(sql) ?? adaptStatement(database, sql, afterRun);
      statements.set(sql, statement); // evicts the least recently used one
      return statement;
    },
  };
}

type StatementKind = 'reads' | 'changes rows' | 'begins' | 'ends' | 'may write';

const KINDS: Readonly<Record<string, StatementKind>> = {
  select: 'reads',
  pragma: 'reads',
  explain: 'reads',
  insert: 'changes rows',
  update: 'changes rows',
  delete: 'changes rows',
  begin: 'begins',
  commit: 'ends',
  rollback: 'ends',
};

function kindOf(sql: string): StatementKind {
  const [word = ''] = /[a-z]+/i.exec(sql) ?? [];
  return KINDS[word.toLowerCase()] ?? 'may write';
}

type AfterStatement = (kind: StatementKind, changedRows: () => number) => void;

/** Tells of statements that have written and of their commit, and not of the many that found nothing to change. */
function createWriteWatch(onWritten: () => void): AfterStatement {
  let hasWritten = false;
  return (kind, changedRows) => {
    if (kind === 'reads') return;
    if (kind === 'begins') hasWritten = false;
    else if (kind === 'may write') hasWritten = true;
    else if (kind === 'changes rows') {
      if (changedRows() === 0) return;
      hasWritten = true;
    }
    if (hasWritten) onWritten();
  };
}

function adaptStatement(database: DatabaseSync, sql: string, afterRun: AfterStatement): CachedStatement {
  const statement = database.prepare(sql);
  // Kysely's parameters are `unknown`; node:sqlite rejects values it cannot bind and names the position.
  const bind = (parameters: readonly unknown[]) => parameters as SQLInputValue[];
  const kind = kindOf(sql);
  return {
    statement,
    reader: statement.columns().length > 0,
    all: (parameters) => {
      const rows = statement.all(...bind(parameters));
      afterRun(kind, () => rows.length);
      return rows;
    },
    run: (parameters) => {
      const result = statement.run(...bind(parameters));
      afterRun(kind, () => Number(result.changes));
      return result;
    },
    // A stream outlives this call, and two readers must not step the same cached statement.
    iterate: (parameters) => database.prepare(sql).iterate(...bind(parameters)),
  };
}

const BUSY = 5;
const LOCKED = 6;
const IO_ERROR = 10;
const DISK_FULL = 13;
const CANNOT_OPEN = 14;
const UNIQUE_VIOLATION = 2067;
const PRIMARY_KEY_VIOLATION = 1555;
const FOREIGN_KEY_VIOLATION = 787;

function resultCode(error: unknown): number | undefined {
  if (errorCode(error) !== 'ERR_SQLITE_ERROR') return undefined;
  const { errcode } = error as { errcode?: unknown };
  return typeof errcode === 'number' ? errcode : undefined;
}

/** The lowest byte is the kind of failure; the rest of the code is a more specific reason. */
function primaryResult(error: unknown): number | undefined {
  const code = resultCode(error);
  return code === undefined ? undefined : code & 0xff;
}

async function retryWhileBusy(error: unknown, attempt: number): Promise<boolean> {
  if (primaryResult(error) !== BUSY || attempt >= BUSY_ATTEMPTS) return false;
  await delay(BUSY_RETRY_PAUSE_MS);
  return true;
}

function translateError(path: string, error: unknown): unknown {
  const code = resultCode(error);
  if (code === UNIQUE_VIOLATION || code === PRIMARY_KEY_VIOLATION) {
    return new ConflictError('a record with the same unique value exists', { cause: error });
  }
  if (code === FOREIGN_KEY_VIOLATION) {
    return new ConflictError('a record that this one refers to does not exist', { cause: error });
  }
  switch (primaryResult(error)) {
    case BUSY:
    case LOCKED:
      return new RetryableError('the metadata database is locked by another program', { cause: error });
    case DISK_FULL:
    case IO_ERROR:
    case CANNOT_OPEN:
      return new RetryableError(
        `the metadata database cannot be read or written right now: ${errorMessage(error)}`,
        { cause: error },
      );
    default:
      return damageOf(path, error) ?? error;
  }
}
