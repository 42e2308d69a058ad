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
   * A number that is another one after anybody, in this process or not, has committed a change. What was read
   * while it was the same is still true. Undefined when the database cannot answer right now.
   */
  version(): number | undefined;
  close(): void;
}

/** Undefined for a database in memory, which a second connection would not see. */
export function openSqliteReader(path: string): ImmediateReader | undefined {
  if (path === ':memory:') return undefined;
  const database = new DatabaseSync(path, { readOnly: true });
  const statements = new Map<string, StatementSync>();
  const dataVersion = database.prepare('pragma data_version');
  return {
    version() {
      try {
        const version = dataVersion.get()?.data_version;
        return typeof version === 'number' ? version : undefined;
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
