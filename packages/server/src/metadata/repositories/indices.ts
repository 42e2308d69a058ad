import { type Kysely, type Selectable, sql } from 'kysely';
import type { Clock } from '#core/index.ts';
import type { Database } from '../tables/index.ts';
import type { IndexState, IndicesTable } from '../tables/index-sets.ts';
import { inTransaction } from './transaction.ts';

export interface IndexRecord {
  readonly indexSetId: string;
  readonly number: number;
  /**
   * Increases across all index sets in the order in which indices become visible. The highest version that a reader has
   * seen therefore tells which index of each set was active for that reader.
   */
  readonly version: number;
  readonly state: IndexState;
  readonly createdAt: number;
}

/** The indices of all index sets. The index with the highest number is the active one of its set. */
export interface IndicesRepository {
  /**
   * Creates the index after `active` and makes it the active one. Undefined if `active` is no longer the active index,
   * because another node was faster.
   */
  rotate(indexSetId: string, active: number): Promise<IndexRecord | undefined>;
  /** False if the index does not exist or, with `from`, is in another state. */
  setState(indexSetId: string, number: number, state: IndexState, from?: IndexState): Promise<boolean>;
  remove(indexSetId: string, number: number): Promise<boolean>;
  /** Of one index set or of all, sorted by set and number. */
  list(indexSetId?: string): Promise<readonly IndexRecord[]>;
}

export function createIndicesRepository(db: Kysely<Database>, clock: Clock): IndicesRepository {
  return {
    rotate: (indexSetId, active) =>
      inTransaction(db, async (transaction) => {
        const version = await nextIndexVersion(transaction);
        const newest = await transaction
          .selectFrom('indices')
          .select((select) => select.fn.max('number').as('number'))
          .where('index_set_id', '=', indexSetId)
          .executeTakeFirst();
        if (newest?.number !== active) return undefined;
        return insertIndex(transaction, clock, indexSetId, active + 1, version);
      }),

    async setState(indexSetId, number, state, from) {
      let query = db
        .updateTable('indices')
        .set({ state })
        .where('index_set_id', '=', indexSetId)
        .where('number', '=', number);
      if (from !== undefined) query = query.where('state', '=', from);
      const result = await query.executeTakeFirst();
      return result.numUpdatedRows > 0n;
    },

    async remove(indexSetId, number) {
      const result = await db
        .deleteFrom('indices')
        .where('index_set_id', '=', indexSetId)
        .where('number', '=', number)
        .executeTakeFirst();
      return result.numDeletedRows > 0n;
    },

    async list(indexSetId) {
      let query = db.selectFrom('indices').selectAll();
      if (indexSetId !== undefined) query = query.where('index_set_id', '=', indexSetId);
      const rows = await query.orderBy('index_set_id').orderBy('number').execute();
      return rows.map(fromRow);
    },
  };
}

/** Call only inside the transaction that `version` is from. */
export async function insertIndex(
  transaction: Kysely<Database>,
  clock: Clock,
  indexSetId: string,
  number: number,
  version: number,
): Promise<IndexRecord> {
  const row = { index_set_id: indexSetId, number, version, state: 'open' as const, created_at: clock.now() };
  await transaction.insertInto('indices').values(row).execute();
  return fromRow(row);
}

/**
 * Locks the row until the transaction ends, so that versions become visible in order. Whoever reads after it sees what every
 * earlier transaction that took a version has stored.
 */
export async function nextIndexVersion(transaction: Kysely<Database>): Promise<number> {
  const { value } = await transaction
    .insertInto('index_version')
    .values({ name: 'indices', value: 1 })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ value: sql<number>`index_version.value + 1` }),
    )
    .returning('value')
    .executeTakeFirstOrThrow();
  return value;
}

function fromRow(row: Selectable<IndicesTable>): IndexRecord {
  return {
    indexSetId: row.index_set_id,
    number: row.number,
    version: row.version,
    state: row.state,
    createdAt: row.created_at,
  };
}
