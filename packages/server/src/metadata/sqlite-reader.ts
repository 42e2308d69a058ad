import { DatabaseSync, type StatementSync } from 'node:sqlite';

/**
 * A second connection to a SQLite file for look-ups that run with every request. It answers at once, in about
 * 10 µs, where a query through Kysely takes several turns of the event loop and waits for its turn on the
 * one connection. Being a connection of its own it sees what is committed and nothing else.
 */
export interface ImmediateReader {
  /** The rows, or undefined when the database cannot answer right now: then ask in the ordinary way. */
  read(sql: string, parameter: string): readonly unknown[] | undefined;
  /**
   * A number that is another one after a change was committed: by this process at once, by another process (an
   * administrator with SQLite's shell) with the next turn of the event loop. What was read while it was the
   * same is still true. Undefined when the database cannot answer right now.
   */
  version(): number | undefined;
  close(): void;
}

/**
 * Undefined for a database in memory, which a second connection would not see. `countWrites` tells how often
 * this process has written, and is raised after the write.
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
        // Locked for recovery, or closed: the ordinary way waits, and says what is wrong.
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
 * SQLite's own answer to "has anybody written?" costs some microseconds, more than all the rest of a look-up,
 * so it is asked once a turn of the event loop, however many requests arrive in it.
 */
function createVersion(database: DatabaseSync, countWrites: () => number): () => number {
  const dataVersion = database.prepare('pragma data_version');
  let version = 0;
  let seenWrites = -1;
  let seenDataVersion: unknown;
  let isAskedThisTurn = false;
  const turnIsOver = () => {
    isAskedThisTurn = false;
  };

  return () => {
    const writes = countWrites();
    if (writes !== seenWrites) {
      seenWrites = writes;
      version += 1;
    }
    if (!isAskedThisTurn) {
      const answer = dataVersion.get()?.data_version;
      if (answer !== seenDataVersion) version += 1;
      seenDataVersion = answer;
      isAskedThisTurn = true;
      setImmediate(turnIsOver);
    }
    return version;
  };
}
