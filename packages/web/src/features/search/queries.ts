import type { MessageSearchResultView } from '@millrace/contract';
import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  queryOptions,
} from '@tanstack/react-query';
import { call, type PartialResult, searchMessages } from '../../lib/api/index.ts';
import { busyDelay, RUN_REQUESTS, type Run, retryWhenBusy, searchedOf } from './run.ts';

const FIRST_PAGE = 100;
const NEXT_PAGE = 500;
/** Rows that the browser holds. */
export const MAX_ROWS = 200_000;

const requestOptions = {
  staleTime: Number.POSITIVE_INFINITY,
  retry: retryWhenBusy,
  retryDelay: busyDelay,
} as const;

/** Rows that have all their fields; of later ones only the columns are loaded, the rest when a row is opened. */
export const COMPLETE_ROWS = 10_000;
/** What every row needs, whatever its columns are. */
const ROW_FIELDS = ['timestamp', 'level', 'source', 'message'];

const MESSAGE_LISTS = [RUN_REQUESTS, 'messages'] as const;

interface NextPage {
  readonly cursor: string;
  readonly isPartial: boolean;
}

export function messagesQuery(run: Run | undefined, columns: readonly string[] = []) {
  return infiniteQueryOptions({
    ...requestOptions,
    // What somebody left before it was done is searched when they come back.
    staleTime: ({ state }) => (isAbandoned(state.data) ? 0 : Number.POSITIVE_INFINITY),
    queryKey: [...MESSAGE_LISTS, run],
    enabled: run !== undefined,
    initialPageParam: undefined as NextPage | undefined,
    queryFn: ({ pageParam, signal, client, queryKey }): Promise<FoundPage> =>
      searchMessages(
        {
          ...searchedOf(run as Run),
          sort: (run as Run).sort,
          limit: pageParam === undefined ? FIRST_PAGE : NEXT_PAGE,
          ...(pageParam === undefined ? {} : { cursor: pageParam.cursor }),
          ...(pageParam?.isPartial ? { fields: [...new Set([...ROW_FIELDS, ...columns])] } : {}),
        },
        {
          signal,
          // What came is shown, and stays when the search is cancelled.
          onPartial: (part) => {
            if (pageParam !== undefined) return;
            const pages = [partialPage(run as Run, part)];
            client.setQueryData(queryKey, { pages, pageParams: [undefined] });
          },
        },
      ),
    getNextPageParam: (last: FoundPage, pages: readonly FoundPage[]): NextPage | undefined => {
      const cursor = nextPage(last, pages);
      return cursor === undefined ? undefined : { cursor, isPartial: rowsOf(pages) >= COMPLETE_ROWS };
    },
    placeholderData: keepPreviousData,
  });
}

/** A page of the list. */
export interface FoundPage extends MessageSearchResultView {
  /** The search is not done: everything from here to the end of the range was looked at. */
  readonly searched_from?: string;
  /** Somebody cancelled it there. */
  readonly is_cancelled?: boolean;
}

type FoundPages = InfiniteData<FoundPage, NextPage | undefined>;

function isAbandoned(data: FoundPages | undefined): boolean {
  const first = data?.pages[0];
  return first?.searched_from !== undefined && !first.is_cancelled;
}

/** Ends every search of the page. What came until then stays, and is all there is. */
export async function cancelRuns(client: QueryClient): Promise<void> {
  client.setQueriesData<FoundPages>({ queryKey: MESSAGE_LISTS, fetchStatus: 'fetching' }, (data) =>
    data !== undefined && isAbandoned(data)
      ? { ...data, pages: data.pages.map((page) => ({ ...page, is_cancelled: true })) }
      : undefined,
  );
  await client.cancelQueries({ queryKey: [RUN_REQUESTS] });
}

function partialPage({ query, span }: Run, { messages, searchedFrom }: PartialResult): FoundPage {
  return {
    query,
    built_query: query,
    used_indices: [],
    messages: [...messages],
    fields: [],
    time: 0,
    total_results: messages.length,
    from: new Date(span.from).toISOString(),
    to: new Date(span.to).toISOString(),
    searched_from: searchedFrom,
  };
}

/** The cursor of the last page, until the browser holds enough. */
export function nextPage(
  last: Pick<MessageSearchResultView, 'cursor'>,
  pages: readonly Pick<MessageSearchResultView, 'messages'>[],
): string | undefined {
  return rowsOf(pages) >= MAX_ROWS ? undefined : last.cursor;
}

function rowsOf(pages: readonly Pick<MessageSearchResultView, 'messages'>[]): number {
  return pages.reduce((sum, { messages }) => sum + messages.length, 0);
}

/** What a field holds in all messages of the run. */
export function statisticsQuery(run: Run | undefined, field: string) {
  return queryOptions({
    ...requestOptions,
    queryKey: [RUN_REQUESTS, 'statistics', run, field],
    enabled: run !== undefined,
    queryFn: ({ signal }) =>
      call('POST /search/fields/{field}/statistics', {
        path: { field },
        body: { ...searchedOf(run as Run), size: 10 },
        signal,
      }),
  });
}

/** One stored message with all its fields. */
export function messageQuery(index: string, id: string) {
  return queryOptions({
    queryKey: ['message', index, id],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) =>
      call('GET /messages/{index}/{messageId}', { path: { index, messageId: id }, signal }),
  });
}

export function patternsQuery(run: Run | undefined) {
  return queryOptions({
    ...requestOptions,
    queryKey: [RUN_REQUESTS, 'patterns', run],
    enabled: run !== undefined,
    queryFn: ({ signal }) => call('POST /search/patterns', { body: { ...searchedOf(run as Run) }, signal }),
    placeholderData: keepPreviousData,
  });
}

/** How many messages another query or another time would find. */
export function countQuery(
  run: Run,
  change: { readonly query?: string; readonly from?: number; readonly to?: number },
) {
  const { query, streams } = run;
  return queryOptions({
    ...requestOptions,
    queryKey: [RUN_REQUESTS, 'count', run, change],
    queryFn: async ({ signal }) => {
      const from = new Date(change.from ?? run.span.from).toISOString();
      const to = new Date(change.to ?? run.span.to).toISOString();
      const table = await call('POST /search/aggregate', {
        body: {
          query: change.query ?? query,
          streams: [...streams],
          timerange: { type: 'absolute', from, to },
          group_by: [],
          metrics: [{ function: 'count' }],
        },
        signal,
      });
      return Number(table.datarows[0]?.[0] ?? 0);
    },
  });
}

export const fieldsQuery = queryOptions({
  queryKey: ['fields'],
  staleTime: 60_000,
  queryFn: ({ signal }) => call('GET /views/fields', { signal }),
});

export const historyQuery = queryOptions({
  queryKey: ['search-history'],
  queryFn: ({ signal }) => call('GET /search/history', { signal }),
});

export const savedSearchesQuery = queryOptions({
  queryKey: ['saved-searches'],
  queryFn: ({ signal }) => call('GET /search/saved', { signal }),
});

export function surroundingQuery(index: string, id: string, count: number, fields: readonly string[]) {
  return queryOptions({
    queryKey: ['surrounding', index, id, count, fields],
    staleTime: 60_000,
    queryFn: ({ signal }) =>
      call('GET /messages/{index}/{messageId}/surrounding', {
        path: { index, messageId: id },
        query: { before: count, after: count, fields: fields.join(',') },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
}
