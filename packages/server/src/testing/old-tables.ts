/** The tables of messages of earlier versions, as an upgrade finds them. */
const LAYOUT_2 = `(
  index_number UInt32 CODEC(ZSTD(1)),
  timestamp DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  received_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  id_partition UInt64 CODEC(Delta, ZSTD(1)),
  id_offset UInt64 CODEC(Delta, ZSTD(1)),
  source LowCardinality(String) CODEC(ZSTD(1)),
  level Int32 CODEC(T64, ZSTD(1)),
  streams Array(LowCardinality(String)) CODEC(ZSTD(1)),
  index_sets Array(LowCardinality(String)) CODEC(ZSTD(1)),
  input LowCardinality(String) CODEC(ZSTD(1)),
  node LowCardinality(String) CODEC(ZSTD(1)),
  remote_address LowCardinality(String) CODEC(ZSTD(1)),
  remote_port UInt16 CODEC(ZSTD(1)),
  message_length UInt32 CODEC(T64, ZSTD(1)),
  full_message_length UInt32 CODEC(T64, ZSTD(1)),
  text String CODEC(ZSTD(1, 24)) SETTINGS (min_compress_block_size = 1048576, max_compress_block_size = 16777216),
  fields JSON(max_dynamic_paths=512) CODEC(ZSTD(3)),
  id String ALIAS concat(arrayStringConcat(arrayMap(place -> substring('0123456789ABCDEFGHJKMNPQRSTVWXYZ', toUInt8(bitAnd(bitShiftRight(toUInt64(toUnixTimestamp64Milli(received_at)), place * 5), 31)) + 1, 1), reverse(range(10)))), arrayStringConcat(arrayMap(place -> substring('0123456789ABCDEFGHJKMNPQRSTVWXYZ', toUInt8(bitAnd(bitShiftRight(toUInt64(id_partition), place * 5), 31)) + 1, 1), reverse(range(8)))), arrayStringConcat(arrayMap(place -> substring('0123456789ABCDEFGHJKMNPQRSTVWXYZ', toUInt8(bitAnd(bitShiftRight(toUInt64(id_offset), place * 5), 31)) + 1, 1), reverse(range(8))))),
  message String ALIAS substring(text, 1, message_length),
  full_message String ALIAS substring(text, message_length + 2, full_message_length),
  INDEX words_index text TYPE text(tokenizer = 'splitByNonAlpha', preprocessor = lowerUTF8(text), postprocessor = if(match(text, '[0-9]'), '', text), posting_list_codec = 'bitpacking'),
  INDEX filtered_words_index arrayFilter(word -> length(word) > 4 AND match(word, '[0-9]'), tokens(lowerUTF8(text))) TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX received_at_index received_at TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree
PARTITION BY index_number
PRIMARY KEY timestamp
ORDER BY (timestamp, received_at, id_partition, id_offset)
SETTINGS non_replicated_deduplication_window = 10000, old_parts_lifetime = 10, min_bytes_for_wide_part = 268435456, fsync_after_insert = 1, fsync_part_directory = 1, min_compressed_bytes_to_fsync_after_merge = 1
COMMENT 'millrace messages, layout 2'`;

const LAYOUT_1_INDEX =
  "INDEX text_index text TYPE text(tokenizer = 'splitByNonAlpha', preprocessor = lowerUTF8(text), postprocessor = if(length(text) > 4 AND match(text, '[0-9]'), concat('X', hex(bitAnd(cityHash64(text), 1048575))), text), posting_list_codec = 'bitpacking')";

/** SQL that creates a table of messages in an earlier layout. */
export function createOldTable(table: string, layout: 1 | 2): string {
  const current = `CREATE TABLE ${table} ${LAYOUT_2}`;
  if (layout === 2) return current;
  return current
    .replace(/INDEX words_index[\s\S]*?GRANULARITY 1/, LAYOUT_1_INDEX)
    .replace('messages, layout 2', 'messages, layout 1');
}
