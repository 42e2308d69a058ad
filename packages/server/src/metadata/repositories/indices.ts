import { type Kysely, type Selectable, sql } from 'kysely';
import type { Clock } from '#core/index.ts';
import type { Database } from '../tables/index.ts';
import type { IndexState, IndicesTable } from '../tables/index-sets.ts';
import { inTransaction } from './transaction.ts';

export interface IndexRecord {
  readonly indexSetId: string;
  readonly number: number;
  /**
   * Grows over all index sets in the order in which indices become visible: who knows the highest version
   * somebody has seen knows which index of every set was the active one for them.
   */
  readonly version: number;
  readonly state: IndexState;
  readonly createdAt: number;
}

/** The indices of all sets. The one with the highest number is the active one of its set. */
export interface IndicesRepository {
  /**
   * Makes the index after `active`, which becomes the active one. Undefined when `active` is not the active
   * one any more: somebody else was faster.
   */
  rotate(indexSetId: string, active: number): Promise<IndexRecord | undefined>;
  /** Whether there is such an index. */
  setState(indexSetId: string, number: number, state: IndexState): Promise<boolean>;
  remove(indexSetId: string, number: number): Promise<boolean>;
  /** By set and number, of one set or of all. */
  list(indexSetId?: string): Promise<readonly IndexRecord[]>;
}

export function createIndicesRepository(db: Kysely<Database>, clock: Clock): IndicesRepository {
  return {
    rotate: (indexSetId, active) =>
      inTransaction(db, async (transaction) => {
        const version = await nextVersion(transaction);
        const newest = await transaction
          .selectFrom('indices')
          .select((select) => select.fn.max('number').as('number'))
          .where('index_set_id', '=', indexSetId)
          .executeTakeFirst();
        if (newest?.number !== active) return undefined;
        return insertRow(transaction, clock, indexSetId, active + 1, version);
      }),

    async setState(indexSetId, number, state) {
      const result = await db
        .updateTable('indices')
        .set({ state })
        .where('index_set_id', '=', indexSetId)
        .where('number', '=', number)
        .executeTakeFirst();
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

/** In a transaction only. */
export async function insertIndex(
  transaction: Kysely<Database>,
  clock: Clock,
  indexSetId: string,
  number: number,
): Promise<IndexRecord> {
  return insertRow(transaction, clock, indexSetId, number, await nextVersion(transaction));
}

async function insertRow(
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

/** Holds the row until the transaction ends, so that versions become visible in their order. */
async function nextVersion(transaction: Kysely<Database>): Promise<number> {
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
