import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Clock } from '#core/index.ts';
import { readOptionalJson, writeJson } from '../columns.ts';
import type { Database } from '../tables/index.ts';
import type { SearchHistoryScope } from '../tables/saved-searches.ts';
import { inTransaction } from './transaction.ts';

export interface UsedQuery {
  readonly query: string;
  /** The time of the last use. */
  readonly usedAt: number;
  readonly uses: number;
  /** Where it was used last. */
  readonly scope: SearchHistoryScope;
}

export interface HistoryOwner {
  readonly userId: string;
  /** Whether this is a stored user, not the root user. */
  readonly stored: boolean;
}

/** The queries each user has used, without repetitions. */
export interface SearchHistoryRepository {
  /** Records a use and keeps only the `keep` most recently used queries. */
  record(owner: HistoryOwner, used: Pick<UsedQuery, 'query' | 'scope'>, keep: number): Promise<void>;
  /** Most recently used first. */
  list(userId: string, limit: number): Promise<readonly UsedQuery[]>;
  /** Removes one query, or all. */
  remove(userId: string, query?: string): Promise<void>;
}

export function createSearchHistoryRepository(db: Kysely<Database>, clock: Clock): SearchHistoryRepository {
  return {
    record: ({ userId, stored }, { query, scope }, keep) =>
      inTransaction(db, async (transaction) => {
        const now = clock.now();
        await transaction
          .insertInto('search_history')
          .values({
            owner: userId,
            user_id: stored ? userId : null,
            query_key: keyOf(query),
            query,
            scope: writeJson(scope),
            used_at: now,
            uses: 1,
          })
          .onConflict((conflict) =>
            conflict.columns(['owner', 'query_key']).doUpdateSet((expression) => ({
              used_at: now,
              scope: writeJson(scope),
              uses: expression('search_history.uses', '+', 1),
            })),
          )
          .execute();
        const kept = transaction
          .selectFrom('search_history')
          .select('query_key')
          .where('owner', '=', userId)
          .orderBy('used_at', 'desc')
          .orderBy('query_key')
          .limit(keep);
        await transaction
          .deleteFrom('search_history')
          .where('owner', '=', userId)
          .where('query_key', 'not in', kept)
          .execute();
      }),

    async list(userId, limit) {
      const rows = await db
        .selectFrom('search_history')
        .select(['query', 'used_at', 'uses', 'scope'])
        .where('owner', '=', userId)
        .orderBy('used_at', 'desc')
        .orderBy('query_key')
        .limit(limit)
        .execute();
      return rows.map((row) => ({
        query: row.query,
        usedAt: row.used_at,
        uses: row.uses,
        scope: readOptionalJson(row.scope) ?? {},
      }));
    },

    async remove(userId, query) {
      let statement = db.deleteFrom('search_history').where('owner', '=', userId);
      if (query !== undefined) statement = statement.where('query_key', '=', keyOf(query));
      await statement.execute();
    },
  };
}

function keyOf(query: string): string {
  return createHash('sha256').update(query).digest('hex');
}
