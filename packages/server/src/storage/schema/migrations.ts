/**
 * Changes to the tables of messages that exist already. The version of a table is in its comment; it is raised
 * after the statements of that version have run. Statements must be repeatable (`IF NOT EXISTS` and the like),
 * since whoever ran them may have been killed before the version was raised.
 */
export interface TableMigration {
  /** What the table has after it. */
  readonly version: number;
  /** `table` is quoted. */
  statements(table: string): readonly string[];
}

/** In the order of their versions, from 2 on; `createMessageTable` makes the newest layout at once. */
export const TABLE_MIGRATIONS: readonly TableMigration[] = [];
