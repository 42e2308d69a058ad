/** Searches of views: several queries in one request, each with its own result or error. */
import {
  formatTimestamp,
  type ViewFilter,
  type ViewMessages,
  type ViewMessagesResult,
  type ViewPivot,
  type ViewPivotResult,
  type ViewQuery,
  type ViewQueryResult,
  type ViewSearchRequest,
  type ViewSearchResult,
} from '@millrace/contract';
import { type Clock, InvalidError, NotFoundError, newEntityId } from '#core/index.ts';
import { type Searches, SearchFailedError, type SearchInput } from '../execution/index.ts';
import { type MessageSearch, messageJson } from '../messages/index.ts';
import { effectiveTimeRange, missingIn, type SearchCaller } from '../search-caller.ts';
import type { TimeRange } from '../time/index.ts';
import { approximateSize } from './result-size.ts';
import { viewPivot } from './view-pivot.ts';

export interface ViewSearches {
  /**
   * If a part is invalid or exceeds a limit, its error is in the result, as in Graylog. For any other error it rejects
   * as `Searches` does.
   */
  run(caller: SearchCaller, request: ViewSearchRequest): Promise<Omit<ViewSearchResult, 'executing_node'>>;
}

export interface ViewSearchesDeps {
  readonly searches: Searches;
  readonly messages: Pick<MessageSearch, 'find'>;
  readonly clock: Clock;
}

const DEFAULT_RANGE: TimeRange = { type: 'relative', range: 300 };
const DEFAULT_LIMIT = 150;
/** The approximate bytes of all results of one search, which are held in memory together. */
const MAX_RESULTS_SIZE = 64 * 2 ** 20;

type Part = ViewMessages | ViewPivot;
type PartResult = ViewMessagesResult | ViewPivotResult;

export function createViewSearches({ searches, messages, clock }: ViewSearchesDeps): ViewSearches {
  async function answer(
    caller: SearchCaller,
    query: ViewQuery,
    budget: { left: number },
  ): Promise<ViewQueryResult> {
    const startedAt = clock.now();
    const results: PartResult[] = [];
    const errors: ViewQueryResult['errors'] = [];
    for (const part of query.search_types ?? []) {
      try {
        if (budget.left <= 0) throw tooLarge();
        const input = inputOf(query, part);
        const result =
          part.type === 'messages'
            ? await messagesOf(messages, caller, input, part)
            : await pivotOf(searches, caller, input, part);
        budget.left -= approximateSize(result);
        if (budget.left < 0) throw tooLarge();
        results.push(result);
      } catch (error) {
        if (!(error instanceof InvalidError || error instanceof SearchFailedError)) throw error;
        errors.push({
          type: 'search_type',
          query_id: query.id,
          search_type_id: part.id,
          description: error.message,
        });
      }
    }
    return {
      query,
      execution_stats: {
        duration: Math.max(0, Math.round(clock.now() - startedAt)),
        timestamp: formatTimestamp(startedAt),
        effective_timerange: results[0]?.effective_timerange ?? null,
      },
      search_types: Object.fromEntries(results.map((result) => [result.id, result])),
      errors,
      state: errors.length === 0 ? 'COMPLETED' : 'FAILED',
    };
  }

  return {
    async run(caller, request) {
      const results: [string, ViewQueryResult][] = [];
      const budget = { left: MAX_RESULTS_SIZE };
      for (const query of request.queries) results.push([query.id, await answer(caller, query, budget)]);
      return {
        id: newEntityId(clock.now()),
        search_id: request.id ?? newEntityId(clock.now()),
        owner: caller.principal.username,
        execution: {
          done: true,
          cancelled: false,
          completed_exceptionally: results.some(([, { errors }]) => errors.length > 0),
        },
        results: Object.fromEntries(results),
      };
    },
  };
}

/** Throws `InvalidError` for an id that several queries, or several parts of a query, have. */
export function requireDistinctIds({ queries }: ViewSearchRequest): void {
  const problems = [
    ...repeatedIds(queries, 'query', 'queries'),
    ...queries.flatMap(({ search_types: parts }, at) =>
      repeatedIds(parts ?? [], 'search type', `queries[${at}].search_types`),
    ),
  ];
  const [first] = problems;
  if (first !== undefined) throw new InvalidError(first.message, { problems });
}

function repeatedIds(all: readonly { readonly id: string }[], what: string, path: string) {
  const ids = all.map(({ id }) => id);
  return ids.flatMap((id, at) =>
    ids.indexOf(id) === at
      ? []
      : {
          path: `${path}[${at}].id`,
          message: `Another ${what} has the id ${JSON.stringify(id)} too. Give each its own: results are found by it.`,
        },
  );
}

async function pivotOf(
  searches: ViewSearchesDeps['searches'],
  caller: SearchCaller,
  input: SearchInput,
  part: ViewPivot,
): Promise<ViewPivotResult> {
  const { span } = await searches.prepare(caller.principal, input);
  // All statements of a pivot must use the same time range. A range that starts in 1970 means all time.
  const fixed = { ...input, range: effectiveTimeRange(span) };
  const missing = new Set<string>();
  const prepare = async () => {
    const prepared = await searches.prepare(caller.principal, fixed);
    // Its statements need parameters of their own, but lack the same servers.
    return { ...prepared, missingServers: prepared.missingServers && missing };
  };
  return {
    ...headOf(part),
    type: 'pivot',
    ...(await viewPivot(searches, caller, prepare, part)),
    effective_timerange: effectiveTimeRange(span),
    ...missingIn({ missingServers: missing }),
  };
}

function tooLarge(): SearchFailedError {
  const limit = `${MAX_RESULTS_SIZE / 2 ** 20} MiB`;
  return new SearchFailedError(
    `The results of this search exceed ${limit}. Request less, or split it into several requests.`,
    `largest results of a search: ${limit}`,
  );
}

/**
 * The input for an export of a search: its first query, or one of its parts. Throws `NotFoundError` for an unknown
 * part.
 */
export function viewExportInput(
  { id, queries }: ViewSearchRequest,
  partId?: string,
): SearchInput & { readonly part: Part | undefined } {
  for (const query of queries) {
    if (partId === undefined) return { ...inputOf(query, {}), part: undefined };
    const part = query.search_types?.find((each) => each.id === partId);
    if (part !== undefined) return { ...inputOf(query, part), part };
  }
  throw new NotFoundError(`Search ${id} has no search type ${partId}.`);
}

async function messagesOf(
  messages: ViewSearchesDeps['messages'],
  { principal, signal }: SearchCaller,
  input: SearchInput,
  part: ViewMessages,
): Promise<ViewMessagesResult> {
  const limit = part.limit ?? DEFAULT_LIMIT;
  const [sort] = part.sort ?? [];
  const found = await messages.find(
    principal,
    {
      ...input,
      limit: limit > 0 ? limit : DEFAULT_LIMIT,
      offset: part.offset ?? 0,
      fields: part.fields?.length ? part.fields : undefined,
      sort: sort && { field: sort.field, direction: sort.order ?? 'desc' },
    },
    { signal },
  );
  return {
    ...headOf(part),
    type: 'messages',
    messages: found.messages.map((message) => ({
      highlight_ranges: message.highlightRanges ?? {},
      message: messageJson(message),
      index: message.index,
      decoration_stats: null,
    })),
    effective_timerange: effectiveTimeRange(found.search.span),
    total_results: found.totalResults,
    ...missingIn(found.search),
  };
}

function headOf({ id, name }: Part): { id: string; name: string | null } {
  return { id, name: name ?? null };
}

function inputOf(
  query: ViewQuery,
  part: Partial<Pick<Part, 'query' | 'timerange' | 'streams'>>,
): SearchInput {
  return {
    query: queryText(part.query) ?? queryText(query.query) ?? '*',
    range: part.timerange ?? query.timerange ?? DEFAULT_RANGE,
    streams: part.streams?.length ? part.streams : streamsOfQuery(query),
    allowPartial: query.allow_partial,
  };
}

function queryText(query: ViewQuery['query']): string | undefined {
  return typeof query === 'string' ? query : query?.query_string;
}

/** Newer clients list the streams, older ones send a filter. With both, only messages that both allow are found. */
function streamsOfQuery({ streams = [], filter }: ViewQuery): string[] {
  const filtered = streamsOf(filter);
  if (streams.length === 0 || filtered.length === 0) return streams.length === 0 ? filtered : streams;
  const both = streams.filter((id) => filtered.includes(id));
  if (both.length > 0) return both;
  throw new InvalidError(
    '"streams" and "filter" of the query have no stream in common. Send one of the two.',
  );
}

/** Throws `InvalidError` for unsupported filters; ignoring them would find too much. */
function streamsOf(filter: ViewFilter | undefined): string[] {
  if (filter === undefined) return [];
  const streams = filter.type === 'stream' ? [filter] : (filter.filters ?? []);
  const ids = new Set(
    streams.map(({ id, stream_id }) => {
      const stream = id ?? stream_id;
      if (stream === undefined)
        throw new InvalidError('A filter of the type stream needs the id of a stream.');
      return stream;
    }),
  );
  if (filter.type === 'and' && ids.size > 1) {
    const query = [...ids].map((id) => `streams:${id}`).join(' AND ');
    throw new InvalidError(
      `A filter with "and" can have only one stream. To find messages that are in several streams, use the query ${query}.`,
    );
  }
  return [...ids];
}
