import type { AsyncLocalStorage } from 'node:async_hooks';
import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from 'kysely';
import { InvalidError, PermanentError } from '#core/index.ts';

/**
 * Adds three guards to a dialect: driver errors become typed errors, text that only one of the two databases can store
 * is refused by both, and a query that would wait for its own transaction fails immediately.
 */
export interface DialectGuard {
  /** The error the caller gets instead of the driver's. */
  translateError(error: unknown): unknown;
  /** Waits, then resolves to true if the statement had no effect and should be retried. */
  shouldRetry?(error: unknown, attempt: number): Promise<boolean>;
}

/** Marks asynchronous calls made inside a transaction, until it has ended. */
export type TransactionScope = AsyncLocalStorage<{ open: boolean }>;

export function guardDialect(dialect: Dialect, guard: DialectGuard, scope: TransactionScope): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createDriver: () => guardDriver(dialect.createDriver(), guard, scope),
  };
}

/** The driver must get back its own connection, so each wrapper keeps it. */
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
  const inUse = createConnectionCount();
  return {
    init: () => translated(() => driver.init()),
    acquireConnection: async () => {
      if (scope.getStore()?.open) {
        // SQLite has one connection, so waiting for it here would never end. PostgreSQL would answer, but silently
        // outside the transaction.
        throw new PermanentError(
          'a query inside a transaction did not use it: use the database or repositories that the transaction passes to its callback',
        );
      }
      inUse.add();
      try {
        return guardConnection(await translated(() => driver.acquireConnection()), translated);
      } catch (error) {
        inUse.remove();
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
        // Either the connection is lost and the server rolls back, or SQLite already has. In both cases the caller must
        // see the error that caused the rollback.
      }
    },
    savepoint: async (connection, name, compile) => driver.savepoint?.(inner(connection), name, compile),
    rollbackToSavepoint: async (connection, name, compile) =>
      driver.rollbackToSavepoint?.(inner(connection), name, compile),
    releaseSavepoint: async (connection, name, compile) =>
      driver.releaseSavepoint?.(inner(connection), name, compile),
    releaseConnection: async (connection) => {
      await driver.releaseConnection(inner(connection));
      inUse.remove();
    },
    // Otherwise callers waiting for a connection would wait forever once pg's pool has ended, and SQLite would be closed
    // during a transaction.
    destroy: async () => {
      await inUse.untilNone();
      await driver.destroy();
    },
  };
}

/** How many connections are in use or awaited. */
function createConnectionCount() {
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
