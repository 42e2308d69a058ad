import {
  formatTimestamp,
  MAX_SEARCH_HISTORY,
  type SearchHistory,
  type UsedQueryRequest,
  usedQueryScopeSchema,
} from '@millrace/contract';
import type { Principal } from '#core/index.ts';
import type { SearchHistoryRepository } from '#metadata/index.ts';

/** The last queries of a user, each once. Users see only their own. */
export interface QueryHistory {
  list(principal: Principal, limit: number): Promise<SearchHistory>;
  record(principal: Principal, used: UsedQueryRequest): Promise<void>;
  /** One query, or all. */
  forget(principal: Principal, query?: string): Promise<void>;
}

export function createQueryHistory(history: SearchHistoryRepository): QueryHistory {
  return {
    async list({ userId }, limit) {
      const queries = await history.list(userId, limit);
      return {
        queries: queries.map(({ query, usedAt, uses, scope }) => ({
          query,
          // Another version of the program may have stored it.
          ...usedQueryScopeSchema.safeParse(scope).data,
          used_at: formatTimestamp(usedAt),
          uses,
        })),
      };
    },
    async record({ userId, isRoot }, { query, ...scope }) {
      const text = withoutNul(query).trim();
      if (text === '') return;
      await history.record({ userId, stored: isRoot !== true }, { query: text, scope }, MAX_SEARCH_HISTORY);
    },
    forget: ({ userId }, query) =>
      history.remove(userId, query === undefined ? undefined : withoutNul(query).trim()),
  };
}

/** PostgreSQL cannot store NUL in a text. */
function withoutNul(text: string): string {
  return text.replaceAll('\0', '');
}
