/**
 * Finds out which fields the messages of each stream have that were stored before streams had fields of their own in the
 * catalogue. Every such index is read once, one after the other, with little of the engine's time and memory. What was
 * found is stored before the index counts as read, so a node that stops in between reads that index again.
 */
import { acrossShards, qualifiedName } from './clickhouse/index.ts';
import type { IndexSetDirectory } from './index-sets/directory.ts';
import { tableOf } from './index-sets/stored.ts';
import { TYPE_BITS, typesOf } from './known-fields.ts';
import type { MessageDatabase } from './message-database.ts';
import { type FieldColumnType, fieldNameOfPath } from './schema/fields.ts';
import { type SeenField, SeenFields } from './seen-fields.ts';

export interface StoredFields {
  /** Reads the indices that are due. Rejects after the last one if one could not be read: it remains due. */
  read(): Promise<void>;
  stop(): void;
}

interface DueIndex {
  readonly indexSetId: string;
  readonly indexNumber: number;
}

export interface StoredFieldsDeps {
  readonly store: {
    readonly streamFields: {
      dueIndices(): Promise<readonly DueIndex[]>;
      indexRead(index: DueIndex): Promise<void>;
    };
  };
  readonly directory: Pick<IndexSetDirectory, 'find'>;
  readonly database: Pick<MessageDatabase, 'clickhouse' | 'name'>;
  /** Rejects if they could not be stored. */
  readonly save: (fields: readonly SeenField[]) => Promise<void>;
}

interface FieldRow {
  readonly streams: readonly string[];
  readonly path: string;
  readonly type: string;
}

const TYPE_BIT_OF_COLUMN: Readonly<Record<FieldColumnType, number>> = {
  String: TYPE_BITS.string,
  Float64: TYPE_BITS.number,
  Int64: TYPE_BITS.number,
  Bool: TYPE_BITS.boolean,
};

const SETTINGS = {
  readonly: '2',
  max_threads: 1,
  // Other statements come first.
  priority: '10',
  max_execution_time: 0,
  // A bound for the memory, where messages have ids in their field names: further names are left out.
  max_rows_to_group_by: '200000',
  group_by_overflow_mode: 'any',
} as const;

export function createStoredFields(deps: StoredFieldsDeps): StoredFields {
  const { streamFields } = deps.store;
  const stopping = new AbortController();
  let isDone = false;

  async function readIndex({ indexSetId, indexNumber }: DueIndex): Promise<void> {
    const indexSet = deps.directory.find(indexSetId);
    if (indexSet === undefined) return;
    const seen = new SeenFields(indexSetId);
    const rows = deps.database.clickhouse().stream<FieldRow>(
      `SELECT streams, pair.1 AS path, pair.2 AS type FROM ${acrossShards(`
         SELECT streams, arrayJoin(JSONAllPathsWithTypes(fields)::Array(Tuple(String, String))) AS pair
         FROM ${qualifiedName(deps.database.name, tableOf(indexSet))} WHERE index_number = {number:UInt32}
       `)} GROUP BY streams, path, type`,
      {
        parameters: { number: indexNumber },
        settings: SETTINGS,
        signal: stopping.signal,
        // Asks for progress, without which the client gives up on a statement that is silent for long.
        onProgress() {},
      },
    );
    for await (const batch of rows) {
      for (const { streams, path, type } of batch) {
        const bit = isColumnType(type) ? TYPE_BIT_OF_COLUMN[type] : 0;
        if (typesOf(bit).length > 0) seen.see(fieldNameOfPath(path), bit, streams);
      }
    }
    await deps.save(seen.takeNews());
  }

  return {
    async read() {
      if (isDone) return;
      const due = await streamFields.dueIndices();
      const failures: unknown[] = [];
      for (const index of due) {
        if (stopping.signal.aborted) return;
        try {
          await readIndex(index);
          await streamFields.indexRead(index);
        } catch (error) {
          failures.push(error);
        }
      }
      if (stopping.signal.aborted) return;
      if (failures.length > 0) throw failures[0];
      isDone = true;
    },
    stop: () => stopping.abort(new Error('the storage was stopped')),
  };
}

function isColumnType(type: string): type is FieldColumnType {
  return Object.hasOwn(TYPE_BIT_OF_COLUMN, type);
}
