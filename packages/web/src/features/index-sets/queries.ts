import type { IndexSetChanges, NewIndexSetRequest, OutlookRequest } from '@millrace/contract';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/api/index.ts';
import type { ListValues } from './list-params.ts';

const SETS = ['index-sets'];
const REFRESH_MS = 10_000;
export const PER_PAGE = 50;

export function setPageQuery({ find, sort, order, page }: ListValues) {
  return queryOptions({
    queryKey: [...SETS, 'page', find, sort, order, page],
    queryFn: ({ signal }) =>
      call('GET /system/indices/index_sets', {
        query: {
          query: find,
          ...(sort !== 'made' && { sort }),
          order,
          skip: (page - 1) * PER_PAGE,
          limit: PER_PAGE,
          stats: true,
        },
        signal,
        isBackground: true,
      }),
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
    meta: { isBackground: true },
  });
}

export function setStatsQuery(id: string) {
  return queryOptions({
    queryKey: [...SETS, 'stats', id],
    queryFn: ({ signal }) =>
      call('GET /system/indices/index_sets/{indexSetId}/stats', {
        path: { indexSetId: id },
        signal,
        isBackground: true,
      }),
    refetchInterval: REFRESH_MS,
    meta: { isBackground: true },
  });
}

/** How long these keep messages. */
export function outlooksQuery(ids: readonly string[]) {
  return queryOptions({
    queryKey: [...SETS, 'outlooks', ...ids],
    queryFn: ({ signal }) =>
      call('GET /system/indices/index_sets/outlook', { query: { ids: ids.join(',') }, signal }),
    staleTime: 60_000,
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
  });
}

export function setQuery(id: string) {
  return queryOptions({
    queryKey: [...SETS, 'one', id],
    queryFn: ({ signal }) =>
      call('GET /system/indices/index_sets/{indexSetId}', { path: { indexSetId: id }, signal }),
  });
}

/** Some of its indices, the newest first. */
export function overviewQuery(id: string, part: { readonly skip: number; readonly limit: number }) {
  return queryOptions({
    queryKey: [...SETS, 'overview', id, part],
    queryFn: ({ signal }) =>
      call('GET /system/indexer/overview/{indexSetId}', {
        path: { indexSetId: id },
        query: part,
        signal,
        isBackground: true,
      }),
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
    meta: { isBackground: true },
  });
}

/** What strategies would mean, for an index set or for a new one. */
export function askOutlook(id: string | undefined, body: Partial<OutlookRequest>, signal?: AbortSignal) {
  return id === undefined
    ? call('POST /system/indices/index_sets/outlook', { body, signal })
    : call('POST /system/indices/index_sets/{indexSetId}/outlook', {
        path: { indexSetId: id },
        body,
        signal,
      });
}

export function outlookQuery(id: string | undefined, body: Partial<OutlookRequest>) {
  return queryOptions({
    queryKey: [...SETS, 'outlook', id, body],
    queryFn: ({ signal }) => askOutlook(id, body, signal),
    retry: false,
    placeholderData: keepPreviousData,
  });
}

export const strategiesQuery = queryOptions({
  queryKey: ['index-set-strategies'],
  queryFn: async ({ signal }) => {
    const [rotation, retention] = await Promise.all([
      call('GET /system/indices/rotation/strategies', { signal }),
      call('GET /system/indices/retention/strategies', { signal }),
    ]);
    return { rotation: rotation.strategies, retention: retention.strategies };
  },
  staleTime: Number.POSITIVE_INFINITY,
});

/** Something that changes index sets; all that is known of them is asked again. */
function useSetMutation<Input, Output>(mutationFn: (input: Input) => Promise<Output>) {
  const client = useQueryClient();
  return useMutation({ mutationFn, onSuccess: () => client.invalidateQueries({ queryKey: SETS }) });
}

export function useCreateSet() {
  return useSetMutation(
    (body: Pick<NewIndexSetRequest, 'title' | 'index_prefix'> & Partial<NewIndexSetRequest>) =>
      call('POST /system/indices/index_sets', { body }),
  );
}

export function useChangeSet(id: string) {
  return useSetMutation((body: IndexSetChanges) =>
    call('PUT /system/indices/index_sets/{indexSetId}', { path: { indexSetId: id }, body }),
  );
}

export function useMakeDefault() {
  return useSetMutation((id: string) =>
    call('PUT /system/indices/index_sets/{indexSetId}/default', { path: { indexSetId: id } }),
  );
}

export function useDeleteSet() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      call('DELETE /system/indices/index_sets/{indexSetId}', { path: { indexSetId: id } }),
    // Not the set itself: its page may still be there, and would ask for what is gone.
    onSuccess: () => client.invalidateQueries({ queryKey: [...SETS, 'page'] }),
  });
}

export function useRotate() {
  return useSetMutation((id: string) =>
    call('POST /cluster/deflector/{indexSetId}/cycle', { path: { indexSetId: id } }),
  );
}

export type IndexAction = 'close' | 'reopen' | 'delete';

export function useIndexAction() {
  return useSetMutation(({ index, action }: { index: string; action: IndexAction }) => {
    const path = { index };
    if (action === 'delete') return call('DELETE /system/indexer/indices/{index}', { path });
    return action === 'close'
      ? call('POST /system/indexer/indices/{index}/close', { path })
      : call('POST /system/indexer/indices/{index}/reopen', { path });
  });
}
