import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../tables/index.ts';

/** Runs several statements in the caller's transaction if there is one, otherwise in a new one. */
export function inTransaction<T>(
  db: Kysely<Database>,
  work: (transaction: Kysely<Database> | Transaction<Database>) => Promise<T>,
): Promise<T> {
  return db.isTransaction ? work(db) : db.transaction().execute(work);
}
