/**
 * The table of an index set; each of its partitions is an index.
 *
 * The reasons for its layout (figures in docs/performance-experiments.md):
 *
 * - Rows are ordered by time, so that the newest matches of a search are found without reading the rest.
 * - The id of a message (26 characters) is stored as its parts: time of receipt, journal partition and offset. Next to
 *   similar values these compress to hardly a byte; as text the id would be a tenth of a short message.
 * - `text` holds the message, the full message, the source and the values of all string fields that are not already in
 *   the message, separated by ASCII's unit separator: one index over it serves every search for words. `message` and
 *   `full_message` are cut out of it by their lengths in bytes, so neither is stored twice.
 * - The indexes over it are built when parts are merged, not when they are written (`INSERT_SETTINGS`): rows are indexed
 *   only in large parts, and new parts are small enough to be scanned. The engine applies the preprocessor to parts
 *   without the index too, so the answers are the same.
 * - The texts of a granule are compressed together: reading one of them means reading the granule anyway. That makes the
 *   texts of Windows events a third smaller (41 to 27 bytes), those of real log lines an eighth.
 * - Granules are small: to show a message, the granules of all its columns are read. With 2048 rows instead of 8192 (and
 *   texts in blocks to match) ten rare messages took 37 ms instead of 42, a regular expression 137 instead of 166, for
 *   0.1 % more on disk (lines of text and Windows events 1.4 %) and up to a tenth more CPU in merges.
 * - Those of large messages are smaller still (`GRANULE`). A merge keeps a whole granule of each part it reads in
 *   memory, so this bounds what merges of wide messages take: 600 MB of the engine instead of 780. It costs a tenth more CPU in
 *   inserts and merges of wide messages and 4 % on disk; others never reach the bound.
 * - Fields are compressed at ZSTD's level 3: 19 % smaller than at level 1 for Windows events, 7 % for log lines, 1.5 %
 *   for web. Delta and T64 on small numbers save 0.5 % of a web message and 2.6 % of a line of text, for nothing.
 * - Every message is rewritten about once, however many are stored (`MERGE_SETTINGS`; ADR 15).
 * - Inserted parts are one file each: with a file for each sub-column, inserts of Windows events took 2.5 times the CPU,
 *   those of web 1.2 times. Larger merged parts have a file for each sub-column (`SMALLEST_PART_WITH_FILES`).
 * - Of merged parts, only the 128 fields that most messages have get a file of their own (`SUB_COLUMNS_A_MERGED_PART`).
 * - Every search with a time range reads `timestamp`. LZ4 is decompressed several times faster than ZSTD and, after
 *   Delta, hardly larger.
 * - Old parts are removed soon after a merge, so merged parts are synced to disk like inserted ones. They stay long
 *   enough to go back to them when the engine is restarted because a merge could not be written.
 */
import { MESSAGE_ID_ALPHABET, MESSAGE_ID_DIGITS } from '#core/index.ts';
import {
  type ClickHouseSettings,
  qualifiedName,
  quoteIdentifier,
  type Replication,
} from '../clickhouse/index.ts';
import { GRANULE, type Granule } from './granule.ts';
import { TEXT_INDEXES } from './text-index.ts';

/** Incremented with every change of the layout; a migration in `migrations.ts` updates older tables. */
export const MESSAGE_TABLE_VERSION = 7;

/** How many fields get a sub-column of their own in a part; the others share one, which is slower to read. */
const MAX_DYNAMIC_PATHS = 512;

export const FIELDS_TYPE = `JSON(max_dynamic_paths=${MAX_DYNAMIC_PATHS})`;

/** For how many inserts per table a repeated one is recognised. */
const DEDUPLICATION_WINDOW = 10_000;
/** For how long as well, in replicated tables. A batch may wait in the journal of a node that is down. */
const DEDUPLICATION_SECONDS = 7 * 24 * 3600;
export const OLD_PARTS_LIFETIME_SECONDS = 60;
/**
 * The other fields of a merged part share files. Real Windows events have 177 different fields: with 128 columns instead
 * of 512 the latest 100 messages took 0.7 to 0.9 of the time, for the same on disk; searches for a field that has no
 * column of its own take the same time. With 64 it was 0.5 to 0.7, but messages with 200 fields that are all equally
 * frequent take 30 % more on disk (with 128: 10 %).
 */
const SUB_COLUMNS_A_MERGED_PART = 128;
/**
 * Messages of a merged part. To search one field of 75 000 web messages in one file took 43 ms, with a file for each
 * sub-column 15, for the same CPU of the merge. But 12 000 messages with 200 different fields took twice the CPU and their pages
 * 2.5 times as long: files cost the same however few messages are in them.
 */
const SMALLEST_PART_WITH_FILES = 32_768;
const LARGEST_AUTOMATIC_MERGE = 128 * 2 ** 20;
const PARTS_A_MERGE = 20;

/** The digits of `base32Encode`. */
const BASE32_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const BITS_A_DIGIT = 5;

/**
 * `messageIdText` in SQL: one number, whose first bytes become digits. The engine analyses this expression with every statement on
 * the table, also where nobody asks for an id, so it is short: with functions of each digit a count took 6.4 ms instead of 5.7.
 */
function idExpression(): string {
  const { time, partition, offset } = MESSAGE_ID_DIGITS;
  const shifted = (expression: string, digits: number) =>
    `bitShiftLeft(toUInt256(${expression}), ${digits * BITS_A_DIGIT})`;
  const number = `bitOr(${shifted('toUnixTimestamp64Milli(received_at)', partition + offset)}, bitOr(${shifted('id_partition', offset)}, toUInt256(id_offset)))`;
  const digits = time + partition + offset;
  const bytes = Math.ceil((digits * BITS_A_DIGIT) / 8);
  // Digits begin with the first bit of the first byte.
  const aligned = `bitShiftLeft(${number}, ${bytes * 8 - digits * BITS_A_DIGIT})`;
  const firstBytes = `substring(reverse(reinterpretAsFixedString(${aligned})), ${32 - bytes + 1}, ${bytes})`;
  return `translate(substring(base32Encode(${firstBytes}), 1, ${digits}), '${BASE32_ALPHABET}', '${MESSAGE_ID_ALPHABET}')`;
}

export const ID_COLUMN = `id String ALIAS ${idExpression()}`;
export const TEXT_COLUMN =
  'text String CODEC(ZSTD(1, 24)) SETTINGS (min_compress_block_size = 262144, max_compress_block_size = 16777216)';
export const FIELDS_COLUMN = `fields ${FIELDS_TYPE} CODEC(ZSTD(3))`;

export const TIMESTAMP_COLUMN = "timestamp DateTime64(3, 'UTC') CODEC(Delta, LZ4)";

const COLUMNS: readonly string[] = [
  'index_number UInt32 CODEC(ZSTD(1))',
  TIMESTAMP_COLUMN,
  "received_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1))",
  'id_partition UInt64 CODEC(Delta, ZSTD(1))',
  'id_offset UInt64 CODEC(Delta, ZSTD(1))',
  'source LowCardinality(String) CODEC(ZSTD(1))',
  'level Int32 CODEC(T64, ZSTD(1))',
  'streams Array(LowCardinality(String)) CODEC(ZSTD(1))',
  'index_sets Array(LowCardinality(String)) CODEC(ZSTD(1))',
  'input LowCardinality(String) CODEC(ZSTD(1))',
  'node LowCardinality(String) CODEC(ZSTD(1))',
  'remote_address LowCardinality(String) CODEC(ZSTD(1))',
  'remote_port UInt16 CODEC(ZSTD(1))',
  'message_length UInt32 CODEC(T64, ZSTD(1))',
  'full_message_length UInt32 CODEC(T64, ZSTD(1))',
  TEXT_COLUMN,
  FIELDS_COLUMN,
  ID_COLUMN,
  'message String ALIAS substring(text, 1, message_length)',
  'full_message String ALIAS substring(text, message_length + 2, full_message_length)',
];

/** The names of the columns that are stored; the others are calculated from them. */
export const STORED_COLUMNS: readonly string[] = COLUMNS.filter((column) => !column.includes(' ALIAS ')).map(
  (column) => column.slice(0, column.indexOf(' ')),
);

const INDEXES: readonly string[] = [
  ...TEXT_INDEXES,
  'INDEX received_at_index received_at TYPE minmax GRANULARITY 1',
];

/**
 * The settings that `new-parts.ts` changes for a moment. The engine waits for twenty parts and merges them
 * into one, which is then too large to be merged again.
 */
export const MERGE_LIMITS: Readonly<Record<string, number>> = {
  min_parts_to_merge_at_once: PARTS_A_MERGE,
  max_bytes_to_merge_at_max_space_in_pool: LARGEST_AUTOMATIC_MERGE,
};

/** What decides which parts the engine merges, and when. */
export const MERGE_SETTINGS: Readonly<Record<string, number>> = {
  ...MERGE_LIMITS,
  // Without these two the engine would merge large parts with small ones, or fewer parts at once when there are few.
  merge_selector_base: 16,
  merge_selector_enable_heuristic_to_lower_max_parts_to_merge_at_once: 0,
};

/** In which parts fields can be read without the others, and which fields. Inserted parts have level 0. */
export const SUB_COLUMN_SETTINGS: Readonly<Record<string, number>> = {
  min_level_for_wide_part: 1,
  min_rows_for_wide_part: SMALLEST_PART_WITH_FILES,
  min_bytes_for_wide_part: 0,
  merge_max_dynamic_subcolumns_in_wide_part: SUB_COLUMNS_A_MERGED_PART,
};

const SETTINGS: Readonly<Record<string, number | string>> = {
  non_replicated_deduplication_window: DEDUPLICATION_WINDOW,
  old_parts_lifetime: OLD_PARTS_LIFETIME_SECONDS,
  ...MERGE_SETTINGS,
  ...SUB_COLUMN_SETTINGS,
  fsync_after_insert: 1,
  fsync_part_directory: 1,
  min_compressed_bytes_to_fsync_after_merge: 1,
};

/** Of replicated tables: Keeper has the tokens of inserts, for all replicas. */
const REPLICATED_SETTINGS: Readonly<Record<string, number>> = {
  replicated_deduplication_window: DEDUPLICATION_WINDOW,
  replicated_deduplication_window_seconds: DEDUPLICATION_SECONDS,
};

/**
 * The same path on all replicas of a shard, and another one on each shard. ClickHouse replaces the macros; `{shard}` and
 * `{replica}` are those of the configuration of each server.
 */
const REPLICATED_ENGINE = "ReplicatedMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}')";

/** For every insert of messages. */
export const INSERT_SETTINGS = { materialize_skip_indexes_on_insert: 0 } as const;

/** Shorter than a request may take: an insert that lacks replicas is repeated, under the same token. */
const QUORUM_TIMEOUT_MS = 60_000;

export function insertSettings(replication: Replication | undefined): ClickHouseSettings {
  const quorum = replication?.insertQuorum ?? 0;
  if (quorum < 2) return INSERT_SETTINGS;
  return { ...INSERT_SETTINGS, insert_quorum: String(quorum), insert_quorum_timeout: QUORUM_TIMEOUT_MS };
}

/** The quoted name of a table or database for a statement that every replica must carry out by itself. */
export function onEveryReplica(name: string, replication: Replication | undefined): string {
  const cluster = replication?.cluster;
  return cluster === undefined ? name : `${name} ON CLUSTER ${quoteIdentifier(cluster)}`;
}

export interface TableKind {
  /** Undefined: every server has its own table. */
  readonly replication?: Replication | undefined;
  /** Every server has its own table all the same. */
  readonly isLocal?: boolean;
  /** What the replicas that are there have. */
  readonly granule?: Granule | undefined;
}

/** SQL that creates the table of an index set unless it exists. The comment contains the version of its layout. */
export function createMessageTable(database: string, table: string, kind: TableKind = {}): string {
  const { replication, isLocal = false, granule = GRANULE } = kind;
  const isReplicated = replication !== undefined && !isLocal;
  return [
    `CREATE TABLE IF NOT EXISTS ${onEveryReplica(qualifiedName(database, table), replication)} (`,
    [...COLUMNS, ...INDEXES].map((line) => `  ${line}`).join(',\n'),
    ')',
    `ENGINE = ${isReplicated ? REPLICATED_ENGINE : 'MergeTree'}`,
    'PARTITION BY index_number',
    'PRIMARY KEY timestamp',
    'ORDER BY (timestamp, received_at, id_partition, id_offset)',
    `SETTINGS ${settingsList({ ...SETTINGS, ...granuleSettings(granule), ...(isReplicated && REPLICATED_SETTINGS) })}`,
    `COMMENT '${versionComment(MESSAGE_TABLE_VERSION)}'`,
  ].join('\n');
}

function granuleSettings({ rows, bytes }: Granule): Record<string, number> {
  return { index_granularity: rows, index_granularity_bytes: bytes };
}

/** As SQL has them, and `engine_full` of `system.tables` too. */
export function settingsList(settings: Readonly<Record<string, number | string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name} = ${value}`)
    .join(', ');
}

/** What the comment of every table of messages begins with. */
export const VERSION_COMMENT_PREFIX = 'millrace messages, layout ';

export function versionComment(version: number): string {
  return `${VERSION_COMMENT_PREFIX}${version}`;
}

/** The version in a table's comment; undefined for a table that is not ours. */
export function versionOfComment(comment: string): number | undefined {
  const found = /^millrace messages, layout (\d+)$/.exec(comment)?.[1];
  return found === undefined ? undefined : Number(found);
}
