import { DatabaseSync, type StatementSync } from 'node:sqlite';

/**
 * A second connection to a SQLite file, for look-ups that run with every request. It answers synchronously, in about
 * 10 µs, while a query through Kysely takes several turns of the event loop and waits for the single connection. As a
 * separate connection it sees only committed data.
 */
export interface ImmediateReader {
  /** The rows, or undefined if the database cannot answer right now; then use the normal connection. */
  read(sql: string, parameter: string): readonly unknown[] | undefined;
  /**
   * A number that changes after every commit: immediately for commits of this process, with the next turn of the event
   * loop for commits of other processes (an administrator with SQLite's shell). As long as it stays the same, earlier
   * reads are valid. Undefined if the database cannot answer right now.
   */
  version(): number | undefined;
  close(): void;
}

/**
 * Undefined for an in-memory database, which a second connection would not see. `countWrites` returns how often this
 * process has written; the count increases after the write.
 */
export function openSqliteReader(path: string, countWrites: () => number): ImmediateReader | undefined {
  if (path === ':memory:') return undefined;
  const database = new DatabaseSync(path, { readOnly: true });
  const statements = new Map<string, StatementSync>();
  const versionOf = createVersion(database, countWrites);
  return {
    version() {
      try {
        return versionOf();
      } catch {
        return undefined;
      }
    },
    read(sql, parameter) {
      try {
        let statement = statements.get(sql);
        if (statement === undefined) {
          statement = database.prepare(sql);
          statements.set(sql, statement);
        }
        return statement.all(parameter);
      } catch {
        // Locked for recovery, or closed: the normal connection waits, or reports the error.
        return undefined;
      }
    },
    close() {
      statements.clear();
      if (database.isOpen) database.close();
    },
  };
}

/**
 * Asking SQLite whether anybody has written takes several microseconds, more than the rest of a look-up. So this asks
 * only once per turn of the event loop, however many requests arrive in it.
 */
function createVersion(database: DatabaseSync, countWrites: () => number): () => number {
  const dataVersion = database.prepare('pragma data_version');
  let version = 0;
  let seenWrites = -1;
  let seenDataVersion: unknown;
  let hasAskedThisTurn = false;
  const endTurn = () => {
    hasAskedThisTurn = false;
  };

  return () => {
    const writes = countWrites();
    if (writes !== seenWrites) {
      seenWrites = writes;
      version += 1;
    }
    if (!hasAskedThisTurn) {
      const answer = dataVersion.get()?.data_version;
      if (answer !== seenDataVersion) version += 1;
      seenDataVersion = answer;
      hasAskedThisTurn = true;
      setImmediate(endTurn);
    }
    return version;
  };
}
