import type { AsyncLocalStorage } from 'node:async_hooks';
import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from 'kysely';
import { InvalidError, PermanentError } from '#core/index.ts';

/**
 * A dialect with the project's manners: driver errors become typed ones, text that only one of the two
 * databases could store is refused by both, and a query that would wait for its own transaction fails at once.
 */
export interface DialectGuard {
  /** What the caller gets instead of a driver's error. */
  translateError(error: unknown): unknown;
  /** Waits and resolves to true when the statement had no effect and deserves another try. */
  shouldRetry?(error: unknown, attempt: number): Promise<boolean>;
}

/** Marks the asynchronous calls made inside a transaction, until it has ended. */
export type TransactionScope = AsyncLocalStorage<{ open: boolean }>;

export function guardDialect(dialect: Dialect, guard: DialectGuard, scope: TransactionScope): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createDriver: () => guardDriver(dialect.createDriver(), guard, scope),
  };
}

/** The driver must get back the connections it gave out, so each wrapper remembers its own. */
interface GuardedConnection extends DatabaseConnection {
  readonly inner: DatabaseConnection;
}

function guardDriver(driver: Driver, guard: DialectGuard, scope: TransactionScope): Driver {
  const inner = (connection: DatabaseConnection) => (connection as GuardedConnection).inner;
  const translated = async <T>(work: () => Promise<T>): Promise<T> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        if (!(await guard.shouldRetry?.(error, attempt))) throw guard.translateError(error);
      }
    }
  };
  const lent = createLendingCount();
  return {
    init: () => translated(() => driver.init()),
    acquireConnection: async () => {
      if (scope.getStore()?.open) {
        // SQLite has one connection: waiting for it here would never end. PostgreSQL would answer, but
        // outside the transaction, which is the same mistake made silently.
        throw new PermanentError(
          'a query was made past the transaction it is part of: use the database or repositories that the transaction hands out',
        );
      }
      lent.add();
      try {
        return guardConnection(await translated(() => driver.acquireConnection()), translated);
      } catch (error) {
        lent.remove();
        throw error;
      }
    },
    beginTransaction: (connection, settings) =>
      translated(() => driver.beginTransaction(inner(connection), settings)),
    commitTransaction: (connection) => translated(() => driver.commitTransaction(inner(connection))),
    rollbackTransaction: async (connection) => {
      try {
        await driver.rollbackTransaction(inner(connection));
      } catch {
        // Either the connection is lost, and the server rolls back by itself, or SQLite already has. In
        // both cases the error that made us roll back is the one the caller must see.
      }
    },
    savepoint: async (connection, name, compile) => driver.savepoint?.(inner(connection), name, compile),
    rollbackToSavepoint: async (connection, name, compile) =>
      driver.rollbackToSavepoint?.(inner(connection), name, compile),
    releaseSavepoint: async (connection, name, compile) =>
      driver.releaseSavepoint?.(inner(connection), name, compile),
    releaseConnection: async (connection) => {
      await driver.releaseConnection(inner(connection));
      lent.remove();
    },
    // Callers that wait for a connection would wait for ever once pg's pool is ended, and SQLite would be
    // closed under a running transaction.
    destroy: async () => {
      await lent.untilNone();
      await driver.destroy();
    },
  };
}

/** How many connections are lent out or waited for. */
function createLendingCount() {
  let count = 0;
  const none = Promise.withResolvers<void>();
  let ending = false;
  return {
    add() {
      count += 1;
    },
    remove() {
      count -= 1;
      if (ending && count === 0) none.resolve();
    },
    untilNone(): Promise<void> {
      ending = true;
      if (count === 0) none.resolve();
      return none.promise;
    },
  };
}

function guardConnection(
  connection: DatabaseConnection,
  translated: <T>(work: () => Promise<T>) => Promise<T>,
): GuardedConnection {
  return {
    inner: connection,
    executeQuery: async <R>(query: CompiledQuery): Promise<QueryResult<R>> => {
      refuseNulCharacters(query.parameters);
      return translated(() => connection.executeQuery<R>(query));
    },
    streamQuery: (query, chunkSize) => {
      refuseNulCharacters(query.parameters);
      return connection.streamQuery(query, chunkSize);
    },
  };
}

/** PostgreSQL cannot store U+0000 in text at all; SQLite's text functions stop at it. */
function refuseNulCharacters(parameters: readonly unknown[]): void {
  for (const parameter of parameters) {
    if (typeof parameter === 'string' && parameter.includes('\0')) {
      throw new InvalidError(
        `text with a NUL character (U+0000) cannot be stored or looked up: ${JSON.stringify(shorten(parameter))}`,
      );
    }
  }
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
