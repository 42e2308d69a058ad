import { FIELDS_COLUMN, LARGEST_PART_IN_ONE_FILE, TEXT_COLUMN } from './message-table.ts';
import { TEXT_INDEXES } from './text-index.ts';

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
export const TABLE_MIGRATIONS: readonly TableMigration[] = [
  {
    // Words with digits have left the text index. Parts that exist get the new indexes when they are merged.
    version: 2,
    statements: (table) => [
      `ALTER TABLE ${table} DROP INDEX IF EXISTS text_index`,
      ...TEXT_INDEXES.map(
        (index) => `ALTER TABLE ${table} ADD ${index.replace('INDEX', 'INDEX IF NOT EXISTS')}`,
      ),
      `ALTER TABLE ${table} MODIFY COLUMN ${TEXT_COLUMN}`,
      `ALTER TABLE ${table} MODIFY COLUMN ${FIELDS_COLUMN}`,
      `ALTER TABLE ${table} MODIFY SETTING min_bytes_for_wide_part = ${LARGEST_PART_IN_ONE_FILE}`,
    ],
  },
];
