import {
  FIELDS_COLUMN,
  ID_COLUMN,
  MERGE_SETTINGS,
  OLD_PARTS_LIFETIME_SECONDS,
  SUB_COLUMN_SETTINGS,
  settingsList,
  TEXT_COLUMN,
  TIMESTAMP_COLUMN,
} from './message-table.ts';
import { TEXT_INDEXES } from './text-index.ts';

/**
 * Changes to existing tables of messages. The version of a table is in its comment and is updated after the statements
 * of that version have run. Statements must be repeatable (`IF NOT EXISTS` and the like), because the node may be killed
 * before it updates the version. All changes of a release are one version, and programs of the release before go on with
 * it, storing and searching: what is new has a default, and nothing that they use is gone.
 */
export interface TableMigration {
  /** The version of the table after this migration. */
  readonly version: number;
  /** `table` is quoted. */
  statements(table: string): readonly string[];
}

/** In the order of their versions, starting with 2; `createMessageTable` creates the newest layout directly. */
export const TABLE_MIGRATIONS: readonly TableMigration[] = [
  {
    // Words with digits are no longer in the text index. Existing parts get the new indexes when they are merged.
    version: 2,
    statements: (table) => [
      // In one statement: while there is no text index, searches for words depend on their case.
      `ALTER TABLE ${table} ${[
        'DROP INDEX IF EXISTS text_index',
        ...TEXT_INDEXES.map((index) => `ADD ${index.replace('INDEX', 'INDEX IF NOT EXISTS')}`),
      ].join(', ')}`,
      `ALTER TABLE ${table} MODIFY COLUMN ${TEXT_COLUMN}`,
      `ALTER TABLE ${table} MODIFY COLUMN ${FIELDS_COLUMN}`,
    ],
  },
  {
    // Messages are rewritten once. Existing parts are searched as they are; those that are merged get the new codec.
    version: 3,
    statements: (table) => [
      `ALTER TABLE ${table} MODIFY SETTING ${settingsList(MERGE_SETTINGS)}`,
      `ALTER TABLE ${table} MODIFY COLUMN ${TIMESTAMP_COLUMN}`,
      `ALTER TABLE ${table} MODIFY COLUMN ${TEXT_COLUMN}`,
    ],
  },
  {
    // Time to notice that a merge could not be written.
    version: 4,
    statements: (table) => [
      `ALTER TABLE ${table} MODIFY SETTING old_parts_lifetime = ${OLD_PARTS_LIFETIME_SECONDS}`,
    ],
  },
  {
    // Messages with many fields are read faster, and so are fields of few messages. Existing parts stay as they are.
    version: 6,
    statements: (table) => [`ALTER TABLE ${table} MODIFY SETTING ${settingsList(SUB_COLUMN_SETTINGS)}`],
  },
  {
    // The same ids, by an expression that takes less time to analyse.
    version: 7,
    statements: (table) => [`ALTER TABLE ${table} MODIFY COLUMN ${ID_COLUMN}`],
  },
];
