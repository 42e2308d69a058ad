import type { Kysely } from 'kysely';
import type { Database } from '../tables/index.ts';

/** A field that occurs or occurred in messages of an index set, with one type of its values. */
export interface IndexSetField {
  readonly indexSetId: string;
  readonly name: string;
  readonly type: string;
}

/** The field catalogue: which fields messages have. */
export interface IndexSetFieldsRepository {
  /** Ignores known fields and fields of deleted index sets. */
  add(fields: readonly IndexSetField[]): Promise<void>;
  /** Of the given index sets or of all, sorted by set, name and type. */
  list(indexSetIds?: readonly string[]): Promise<readonly IndexSetField[]>;
  count(): Promise<number>;
}

/** Both databases limit a statement to some ten thousand parameters; each row has three. */
const ROWS_PER_STATEMENT = 1000;

export function createIndexSetFieldsRepository(db: Kysely<Database>): IndexSetFieldsRepository {
  return {
    async add(fields) {
      if (fields.length === 0) return;
      const sets = [...new Set(fields.map((field) => field.indexSetId))];
      const known = await db.selectFrom('index_sets').select('id').where('id', 'in', sets).execute();
      const ids = new Set(known.map((row) => row.id));
      const rows = fields
        .filter((field) => ids.has(field.indexSetId))
        .map(({ indexSetId, name, type }) => ({ index_set_id: indexSetId, name, type }));
      for (let first = 0; first < rows.length; first += ROWS_PER_STATEMENT) {
        await db
          .insertInto('index_set_fields')
          .values(rows.slice(first, first + ROWS_PER_STATEMENT))
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      }
    },

    async list(indexSetIds) {
      if (indexSetIds?.length === 0) return [];
      let query = db.selectFrom('index_set_fields').selectAll();
      if (indexSetIds !== undefined) query = query.where('index_set_id', 'in', [...indexSetIds]);
      const rows = await query.orderBy('index_set_id').orderBy('name').orderBy('type').execute();
      return rows.map((row) => ({ indexSetId: row.index_set_id, name: row.name, type: row.type }));
    },

    async count() {
      const row = await db
        .selectFrom('index_set_fields')
        .select(({ fn }) => fn.countAll().as('rows'))
        .executeTakeFirst();
      return Number(row?.rows ?? 0);
    },
  };
}
