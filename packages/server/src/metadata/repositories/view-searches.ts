import type { Kysely } from 'kysely';
import type { Clock } from '#core/index.ts';
import { readJson, writeJson } from '../columns.ts';
import type { Database } from '../tables/index.ts';
import type { HistoryOwner } from './search-history.ts';
import { inTransaction } from './transaction.ts';

export interface ViewSearchRecord {
  readonly id: string;
  /** In the shape of the API. */
  readonly content: Readonly<Record<string, unknown>>;
  readonly storedAt: number;
}

/** Searches of views, stored to be executed later. Each is visible only to its owner. */
export interface ViewSearchesRepository {
  /**
   * Inserts or replaces a search and keeps only the owner's `keep` newest ones. Undefined, without any change, if the id
   * belongs to another owner.
   */
  store(
    owner: HistoryOwner,
    search: { readonly id: string; readonly content: ViewSearchRecord['content'] },
    keep: number,
  ): Promise<ViewSearchRecord | undefined>;
  find(userId: string, id: string): Promise<ViewSearchRecord | undefined>;
}

export function createViewSearchesRepository(db: Kysely<Database>, clock: Clock): ViewSearchesRepository {
  return {
    store: ({ userId, stored }, { id, content }, keep) =>
      inTransaction(db, async (transaction) => {
        const changed = { content: writeJson(content), stored_at: clock.now() };
        const written = await transaction
          .insertInto('view_searches')
          .values({ id, owner: userId, user_id: stored ? userId : null, ...changed })
          .onConflict((conflict) =>
            conflict.column('id').doUpdateSet(changed).where('view_searches.owner', '=', userId),
          )
          .returning('id')
          .executeTakeFirst();
        if (written === undefined) return undefined;
        const kept = transaction
          .selectFrom('view_searches')
          .select('id')
          .where('owner', '=', userId)
          .orderBy('stored_at', 'desc')
          .orderBy('id')
          .limit(keep);
        await transaction
          .deleteFrom('view_searches')
          .where('owner', '=', userId)
          .where('id', 'not in', kept)
          .execute();
        return { id, content, storedAt: changed.stored_at };
      }),

    async find(userId, id) {
      const row = await db
        .selectFrom('view_searches')
        .select(['id', 'content', 'stored_at'])
        .where('id', '=', id)
        .where('owner', '=', userId)
        .executeTakeFirst();
      return row && { id: row.id, content: readJson(row.content), storedAt: row.stored_at };
    },
  };
}
