export * from './clickhouse/index.ts';
export * from './embedded/index.ts';
export type { IndexAge, IndexSetSnapshot, WritableIndexSet } from './index-sets/snapshot.ts';
export { activeIndex, indexActiveAt } from './index-sets/snapshot.ts';
export type { FieldType } from './known-fields.ts';
export type { BackupFigures, BackupProgress } from './message-backup.ts';
export { backUpMessages, countMessages, filePlace, restoreMessages, storedBytes } from './message-backup.ts';
export type { MessageBlock, MessageBlockConfig } from './message-block.ts';
export { createMessageBlock } from './message-block.ts';
export type { CopiedIndex, MessageCopy } from './message-copy.ts';
export { copyIndex, databasesWith, indicesToCopy } from './message-copy.ts';
export type { MessageTables, PartFigures, StorageTiers } from './message-tables.ts';
export { createMessageTables } from './message-tables.ts';
export type { MessageWriter, MessageWriterConfig, MessageWriterDeps } from './message-writer.ts';
export { createMessageWriter } from './message-writer.ts';
export type { FieldColumn, FieldColumnType } from './schema/fields.ts';
export {
  EXACT_JSON_SETTINGS,
  fieldColumn,
  fieldNameOfPath,
  fieldPath,
  OWN_FIELD_NAMES,
  parseFields,
} from './schema/fields.ts';
export { INSERT_SETTINGS } from './schema/message-table.ts';
export { filteredWordsHint, isExactWord, isFilteredWord } from './schema/text-index.ts';
export type { SearchTarget } from './search-targets.ts';
export type { SeenField } from './seen-fields.ts';
export type { ManyFieldNames } from './writer/field-name-watch.ts';
export type { RefusedMessage } from './writer/table-inserter.ts';
