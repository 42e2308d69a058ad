import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../tables/index.ts';

/** For what takes several statements: part of the caller's transaction if there is one, else one of its own. */
export function inTransaction<T>(
  db: Kysely<Database>,
  work: (transaction: Kysely<Database> | Transaction<Database>) => Promise<T>,
): Promise<T> {
  return db.isTransaction ? work(db) : db.transaction().execute(work);
}
