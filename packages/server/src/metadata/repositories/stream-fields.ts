import type { Kysely } from 'kysely';
import type { Database } from '../tables/index.ts';

/** A field that occurs or occurred in messages of a stream in an index set, with one type of its values. */
export interface StreamField {
  readonly indexSetId: string;
  readonly streamId: string;
  readonly name: string;
  readonly type: string;
}

export interface IndexWithoutStreamFields {
  readonly indexSetId: string;
  readonly indexNumber: number;
}

/** The field catalogue by stream: what callers may know who may not read all streams. */
export interface StreamFieldsRepository {
  /** Ignores known fields and fields of deleted index sets and streams. */
  add(fields: readonly StreamField[]): Promise<void>;
  /** Sorted by set, stream, name and type. */
  list(): Promise<readonly StreamField[]>;
  count(): Promise<number>;
  /** Which of these streams exist. */
  existingStreams(ids: readonly string[]): Promise<readonly string[]>;
  /** Indices from before there were fields by stream, whose messages have yet to be read for them. */
  dueIndices(): Promise<readonly IndexWithoutStreamFields[]>;
  /** It is no longer due. */
  indexRead(index: IndexWithoutStreamFields): Promise<void>;
}

/** Both databases limit a statement to some ten thousand parameters; each row has four. */
const ROWS_PER_STATEMENT = 1000;

export function createStreamFieldsRepository(db: Kysely<Database>): StreamFieldsRepository {
  return {
    async add(fields) {
      const known = await withExistingOwners(db, fields);
      const rows = known.map(({ indexSetId, streamId, name, type }) => ({
        index_set_id: indexSetId,
        stream_id: streamId,
        name,
        type,
      }));
      for (const some of chunks(rows)) {
        await db
          .insertInto('stream_fields')
          .values(some)
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      }
    },

    async list() {
      const rows = await db
        .selectFrom('stream_fields')
        .selectAll()
        .orderBy('index_set_id')
        .orderBy('stream_id')
        .orderBy('name')
        .orderBy('type')
        .execute();
      return rows.map(({ index_set_id, stream_id, name, type }) => ({
        indexSetId: index_set_id,
        streamId: stream_id,
        name,
        type,
      }));
    },

    async count() {
      const row = await db
        .selectFrom('stream_fields')
        .select(({ fn }) => fn.countAll().as('rows'))
        .executeTakeFirst();
      return Number(row?.rows ?? 0);
    },

    existingStreams: (ids) => existing(db, 'streams', ids),

    async dueIndices() {
      const rows = await db
        .selectFrom('indices_without_stream_fields')
        .selectAll()
        .orderBy('index_set_id')
        .orderBy('number', 'desc')
        .execute();
      return rows.map((row) => ({ indexSetId: row.index_set_id, indexNumber: row.number }));
    },

    async indexRead({ indexSetId, indexNumber }) {
      await db
        .deleteFrom('indices_without_stream_fields')
        .where('index_set_id', '=', indexSetId)
        .where('number', '=', indexNumber)
        .execute();
    },
  };
}

async function withExistingOwners(
  db: Kysely<Database>,
  fields: readonly StreamField[],
): Promise<StreamField[]> {
  const setIds = fields.map(({ indexSetId }) => indexSetId);
  const streamIds = fields.map(({ streamId }) => streamId);
  const sets = new Set(await existing(db, 'index_sets', setIds));
  const streams = new Set(await existing(db, 'streams', streamIds));
  return fields.filter(({ indexSetId, streamId }) => sets.has(indexSetId) && streams.has(streamId));
}

async function existing(
  db: Kysely<Database>,
  table: 'index_sets' | 'streams',
  ids: readonly string[],
): Promise<string[]> {
  const found: string[] = [];
  for (const some of chunks([...new Set(ids)])) {
    const rows = await db.selectFrom(table).select('id').where('id', 'in', some).execute();
    found.push(...rows.map(({ id }) => id));
  }
  return found;
}

function chunks<Row>(rows: readonly Row[]): Row[][] {
  return Array.from({ length: Math.ceil(rows.length / ROWS_PER_STATEMENT) }, (_, index) =>
    rows.slice(index * ROWS_PER_STATEMENT, (index + 1) * ROWS_PER_STATEMENT),
  );
}
