/** Single stored messages: one by its id, and the newest failures. Searches are in `search/`. */
import type { IndexerFailure, IndexerFailures } from '@millrace/contract';
import { FAILURE_INDEX_SET_ID, type FieldValue, NotFoundError, parseMessageId } from '#core/index.ts';
import { acrossShards, missingError, qualifiedName } from './clickhouse/index.ts';
import type { IndexSetDirectory } from './index-sets/directory.ts';
import { indexName, type StoredIndexSet, tableOf } from './index-sets/stored.ts';
import type { MessageDatabase } from './message-database.ts';
import { EXACT_JSON_SETTINGS, fieldColumn, parseFields } from './schema/fields.ts';

/** A message as it is stored. */
export interface StoredMessage {
  readonly id: string;
  /** The name of its index. */
  readonly index: string;
  /** Milliseconds since the epoch, as is `receivedAt`. */
  readonly timestamp: number;
  readonly receivedAt: number;
  readonly source: string;
  readonly message: string;
  readonly fullMessage: string | undefined;
  readonly level: number;
  readonly streams: readonly string[];
  readonly inputId: string;
  readonly nodeId: string;
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly fields: ReadonlyMap<string, FieldValue>;
}

interface MessageRow {
  readonly id: string;
  readonly time: string | number;
  readonly received: string | number;
  readonly source: string;
  readonly message: string;
  readonly full_message: string;
  readonly level: number;
  readonly streams: readonly string[];
  readonly input: string;
  readonly node: string;
  readonly remote_address: string;
  readonly remote_port: number;
  readonly additional: string;
}

/** The columns of a whole message, for `storedMessage`. */
export const MESSAGE_SELECTION = `id, toUnixTimestamp64Milli(timestamp) AS time,
  toUnixTimestamp64Milli(received_at) AS received, source, message, full_message, level, streams, input, node,
  remote_address, remote_port, toJSONString(fields) AS additional`;

export function storedMessage(row: MessageRow, index: string): StoredMessage {
  return {
    id: row.id,
    index,
    timestamp: Number(row.time),
    receivedAt: Number(row.received),
    source: row.source,
    message: row.message,
    fullMessage: row.full_message === '' ? undefined : row.full_message,
    level: row.level,
    streams: row.streams,
    inputId: row.input,
    nodeId: row.node,
    remoteAddress: row.remote_address,
    remotePort: row.remote_port,
    fields: parseFields(row.additional),
  };
}

export interface StoredMessages {
  /**
   * Rejects with `NotFoundError` if the index or the message in it does not exist, and with `UnavailableError` if the
   * message may be on a server that is away.
   */
  find(index: string, id: string): Promise<StoredMessage>;
  /** Newest first. */
  failures(page: { readonly limit: number; readonly offset: number }): Promise<IndexerFailures>;
  failureCount(since: number): Promise<number>;
}

export function createStoredMessages(deps: {
  readonly directory: IndexSetDirectory;
  readonly database: MessageDatabase;
}): StoredMessages {
  const { directory, database } = deps;
  const tableName = (indexSet: StoredIndexSet) => qualifiedName(database.name, tableOf(indexSet));

  async function find(index: string, id: string): Promise<StoredMessage> {
    const { indexSet, index: known } = directory.index(index);
    const parts = parseMessageId(id);
    let missing: readonly string[] = [];
    const rows =
      parts === undefined || known.state === 'closed'
        ? []
        : await database.clickhouse().query<MessageRow>(
            `SELECT * FROM ${acrossShards(`SELECT ${MESSAGE_SELECTION} FROM ${tableName(indexSet)}
             WHERE index_number = {number:UInt32} AND id_offset = {offset:UInt64}
               AND id_partition = {partition:UInt64}
               AND received_at = fromUnixTimestamp64Milli({receivedAt:Int64})`)} LIMIT 1`,
            {
              parameters: { number: known.number, ...parts },
              settings: EXACT_JSON_SETTINGS,
              onMissing: (servers) => {
                missing = servers;
              },
            },
          );
    const [row] = rows;
    // It may be on a server that is away.
    if (row === undefined && missing.length > 0) throw missingError(missing);
    if (row === undefined) throw new NotFoundError(`There is no message ${id} in index ${index}.`);
    return storedMessage(row, index);
  }

  /** Without closed indices, like every search. */
  function openFailures(): { indexSet: StoredIndexSet; where: string; closed: number[] } {
    const indexSet = directory.get(FAILURE_INDEX_SET_ID);
    const closed = directory
      .indicesOf(indexSet.id)
      .filter(({ index }) => index.state === 'closed')
      .map(({ index }) => index.number);
    return { indexSet, where: 'NOT has({closed:Array(UInt32)}, index_number)', closed };
  }

  async function failureCount(since: number): Promise<number> {
    const { indexSet, where, closed } = openFailures();
    const [row] = await database.clickhouse().query<{ n: string }>(
      `SELECT sum(messages) AS n FROM ${acrossShards(`SELECT count() AS messages FROM ${tableName(indexSet)}
       WHERE ${where} AND timestamp >= fromUnixTimestamp64Milli({since:Int64})`)}`,
      { parameters: { since, closed } },
    );
    return Number(row?.n ?? 0);
  }

  async function failures(page: { limit: number; offset: number }): Promise<IndexerFailures> {
    const { indexSet, where, closed } = openFailures();
    const rows = await database.clickhouse().query<FailureRow>(
      `SELECT id, index_number, time, message, type
       FROM ${acrossShards(`SELECT id, index_number, toUnixTimestamp64Milli(timestamp) AS time, message,
         toString(${fieldColumn('failure_type').expression}) AS type, timestamp, received_at, id_partition, id_offset
       FROM ${tableName(indexSet)} WHERE ${where}`)}
       ORDER BY timestamp DESC, received_at DESC, id_partition DESC, id_offset DESC
       LIMIT {limit:UInt32} OFFSET {offset:UInt32}`,
      { parameters: { ...page, closed } },
    );
    return { failures: rows.map((row) => failureView(row, indexSet)), total: await failureCount(0) };
  }

  return { find, failures, failureCount };
}

interface FailureRow {
  readonly id: string;
  readonly index_number: number;
  readonly time: string;
  readonly message: string;
  readonly type: string | null;
}

function failureView(row: FailureRow, indexSet: StoredIndexSet): IndexerFailure {
  return {
    id: row.id,
    letter_id: row.id,
    type: row.type ?? '',
    index: indexName(indexSet, row.index_number),
    message: row.message,
    timestamp: new Date(Number(row.time)).toISOString(),
  };
}
