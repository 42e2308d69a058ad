import { type Kysely, sql } from 'kysely';
import type { DatabaseTime } from '../database-time.ts';
import type { Database } from '../tables/index.ts';

/** Leases for work that only one node may do at a time: who holds each, and until when unless renewed. */
export interface LeasesRepository {
  /**
   * Acquires or renews the lease for `durationMs` from now, by the database's clock. False if another holder's lease has
   * not expired.
   */
  acquire(name: string, holder: string, durationMs: number): Promise<boolean>;
  /** False if `holder` did not hold it. */
  release(name: string, holder: string): Promise<boolean>;
  /** The current holder. */
  holder(name: string): Promise<string | undefined>;
}

export function createLeasesRepository(db: Kysely<Database>, now: DatabaseTime): LeasesRepository {
  return {
    async acquire(name, holder, durationMs) {
      const expiry = sql<number>`${now()} + ${sql.lit(Math.round(durationMs))}`;
      const row = await db
        .insertInto('leases')
        .values({ name, holder, expires_at: expiry })
        .onConflict((conflict) =>
          conflict
            .column('name')
            .doUpdateSet({ holder, expires_at: expiry })
            .where((is) => is.or([is('leases.holder', '=', holder), is('leases.expires_at', '<=', now())])),
        )
        .returning('holder')
        .executeTakeFirst();
      return row !== undefined;
    },

    async release(name, holder) {
      const result = await db
        .deleteFrom('leases')
        .where('name', '=', name)
        .where('holder', '=', holder)
        .executeTakeFirst();
      return result.numDeletedRows > 0n;
    },

    async holder(name) {
      const row = await db
        .selectFrom('leases')
        .select('holder')
        .where('name', '=', name)
        .where('expires_at', '>', now())
        .executeTakeFirst();
      return row?.holder;
    },
  };
}
