import type { Input, InputRequest, StaticFieldRequest } from '@millrace/contract';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/api/index.ts';
import { INPUTS } from '../../lib/inputs/index.ts';
import { FAILURES_STREAM } from '../../lib/messages/index.ts';
import type { ListValues } from './list-params.ts';

/** Rows on a page of the list. */
export const PER_PAGE = 50;
/** What fails meanwhile moves to the top. */
const LIST_POLL_MS = 10_000;
const FAILURES_POLL_MS = 30_000;
const DAY_MS = 86_400_000;
const HOUR_SECONDS = 3600;
const MINUTES = 60;

export function inputPageQuery({ find, sort, order, page }: ListValues) {
  return queryOptions({
    queryKey: [...INPUTS, 'list', 'page', find, sort, order, page],
    queryFn: ({ signal }) =>
      call('GET /system/inputs/paginated', {
        query: { query: find, sort, order, page, per_page: PER_PAGE },
        signal,
        isBackground: true,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: LIST_POLL_MS,
    meta: { isBackground: true },
  });
}

export function inputQuery(inputId: string) {
  return queryOptions({
    queryKey: [...INPUTS, 'one', inputId],
    queryFn: ({ signal }) => call('GET /system/inputs/{inputId}', { path: { inputId }, signal }),
  });
}

/** Messages of the last day that could not be read or stored. */
export const failureCountQuery = queryOptions({
  queryKey: ['failures', 'count'],
  queryFn: ({ signal }) =>
    call('GET /system/indexer/failures/count', {
      query: { since: new Date(Date.now() - DAY_MS).toISOString() },
      signal,
      isBackground: true,
    }),
  select: ({ count }) => count,
  refetchInterval: FAILURES_POLL_MS,
  meta: { isBackground: true },
});

/** The same of one input. */
export function inputFailuresQuery(inputId: string) {
  return queryOptions({
    queryKey: ['failures', 'of-input', inputId],
    queryFn: ({ signal }) =>
      call('POST /messages/search', {
        body: {
          query: queryOf(inputId),
          streams: [FAILURES_STREAM],
          timerange: { type: 'relative', range: DAY_MS / 1000 },
          limit: 0,
        },
        signal,
      }),
    select: ({ total_results }) => total_results,
  });
}

/** Its stored messages by minute. */
export function storedQuery(inputId: string) {
  return queryOptions({
    queryKey: ['input-stored', inputId],
    queryFn: ({ signal }) =>
      call('POST /search/histogram', {
        body: {
          query: queryOf(inputId),
          streams: [],
          timerange: { type: 'relative', range: HOUR_SECONDS },
          buckets: MINUTES,
          size: 1,
        },
        signal,
        isBackground: true,
      }),
    refetchInterval: FAILURES_POLL_MS,
    meta: { isBackground: true },
  });
}

/** Finds what an input received. */
export function queryOf(inputId: string): string {
  return `gl2_source_input:${inputId}`;
}

/** Something that changes inputs; all that is known of them is asked again. */
function useInputMutation<Given, Answer>(mutationFn: (given: Given) => Promise<Answer>) {
  const client = useQueryClient();
  return useMutation({ mutationFn, onSettled: () => client.invalidateQueries({ queryKey: INPUTS }) });
}

export function useCreateInput() {
  return useInputMutation((body: InputRequest) => call('POST /system/inputs', { body }));
}

/** An input as a request: what is not changed stays, secrets too. */
export function requestOf(input: Input, changes: Partial<InputRequest> = {}): InputRequest {
  const { title, type, global, node, revision, attributes } = input;
  return { title, type, global, node, revision, configuration: attributes, ...changes };
}

export function useChangeInput(inputId: string) {
  return useInputMutation((body: InputRequest) =>
    call('PUT /system/inputs/{inputId}', { path: { inputId }, body }),
  );
}

/** Starts it, also once more after a failure, or stops it: on all nodes that have it. */
export function useRunInput(inputId: string) {
  const path = { inputId };
  return useInputMutation((isWanted: boolean) =>
    isWanted
      ? call('PUT /cluster/inputstates/{inputId}', { path })
      : call('DELETE /cluster/inputstates/{inputId}', { path }),
  );
}

export function useDeleteInput() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (inputId: string) => call('DELETE /system/inputs/{inputId}', { path: { inputId } }),
    // Not the input itself: its page may still be there, and would ask for what is gone.
    onSuccess: () =>
      Promise.all(
        ['list', 'states'].map((part) => client.invalidateQueries({ queryKey: [...INPUTS, part] })),
      ),
  });
}

export function useSetStaticField(inputId: string) {
  return useInputMutation((body: StaticFieldRequest) =>
    call('POST /system/inputs/{inputId}/staticfields', { path: { inputId }, body }),
  );
}

export function useRemoveStaticField(inputId: string) {
  return useInputMutation((key: string) =>
    call('DELETE /system/inputs/{inputId}/staticfields/{key}', { path: { inputId, key } }),
  );
}
