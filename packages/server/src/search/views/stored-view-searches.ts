/** Searches that are stored and executed later. Only their owner can see them. */
import {
  formatTimestamp,
  type StoredViewSearch,
  type ViewExecution,
  type ViewQuery,
  type ViewSearchRequest,
  viewSearchRequestSchema,
} from '@millrace/contract';
import {
  type Clock,
  ForbiddenError,
  InvalidError,
  NotFoundError,
  newEntityId,
  type Principal,
} from '#core/index.ts';
import type { ViewSearchesRepository, ViewSearchRecord } from '#metadata/index.ts';
import { requireDistinctIds } from './view-search.ts';

export interface StoredViewSearches {
  /** Rejects with `ForbiddenError` for an id that another user has used, and with `InvalidError` for one used twice in it. */
  store(principal: Principal, request: ViewSearchRequest): Promise<StoredViewSearch>;
  /** Rejects with `NotFoundError`, also for searches of other users. */
  get(principal: Principal, id: string): Promise<StoredViewSearch>;
  /** The search with the overrides applied. Rejects as `get` does. */
  request(principal: Principal, id: string, execution?: ViewExecution): Promise<ViewSearchRequest>;
}

/** Per user; older ones are deleted. */
const MAX_STORED = 200;

export function createStoredViewSearches(deps: {
  readonly searches: ViewSearchesRepository;
  readonly clock: Clock;
}): StoredViewSearches {
  async function find({ userId }: Principal, id: string): Promise<ViewSearchRecord> {
    const found = id.includes('\0') ? undefined : await deps.searches.find(userId, id);
    if (found === undefined) throw new NotFoundError(`Search ${id} not found!`);
    return found;
  }

  return {
    async store(principal, request) {
      requireDistinctIds(request);
      const id = request.id ?? newEntityId(deps.clock.now());
      if (id.includes('\0')) throw new InvalidError('The id of a search must not contain a NUL character.');
      const owner = { userId: principal.userId, stored: principal.isRoot !== true };
      const stored = await deps.searches.store(
        owner,
        { id, content: { queries: request.queries } },
        MAX_STORED,
      );
      if (stored === undefined) {
        throw new ForbiddenError(
          `The search ${id} belongs to another user. Leave out the id to get a free one.`,
        );
      }
      return searchView(principal, stored);
    },
    get: async (principal, id) => searchView(principal, await find(principal, id)),
    async request(principal, id, execution) {
      const { content } = await find(principal, id);
      // Another version of the program may have stored it.
      const { queries } = viewSearchRequestSchema.parse(content);
      return { id, queries: applyOverrides(queries, execution) };
    },
  };
}

function searchView(principal: Principal, { id, content, storedAt }: ViewSearchRecord): StoredViewSearch {
  return {
    id,
    queries: content.queries as StoredViewSearch['queries'],
    parameters: [],
    requires: {},
    owner: principal.username,
    created_at: formatTimestamp(storedAt),
  };
}

/** Throws `InvalidError` for overrides that are not supported; ignoring them would give wrong answers. */
function applyOverrides(queries: readonly ViewQuery[], execution: ViewExecution | undefined): ViewQuery[] {
  const [parameter] = Object.keys(execution?.parameter_bindings ?? {});
  if (parameter !== undefined) {
    throw new InvalidError(
      `Queries cannot have parameters, so ${JSON.stringify(parameter)} cannot be bound. Write its value into the query.`,
    );
  }
  const { timerange, query, limit, offset, keep_queries, keep_search_types } =
    execution?.global_override ?? {};
  const isKept = (kept: readonly string[] | undefined, id: string) => !kept?.length || kept.includes(id);
  const shared = { ...(timerange && { timerange }), ...(query !== undefined && { query }) };
  return queries
    .filter(({ id }) => isKept(keep_queries, id))
    .map((each) => ({
      ...each,
      ...shared,
      search_types: each.search_types
        ?.filter(({ id }) => isKept(keep_search_types, id))
        .map((part) => ({
          ...part,
          ...shared,
          ...(part.type === 'messages' && { limit: limit ?? part.limit, offset: offset ?? part.offset }),
        })),
    }));
}
