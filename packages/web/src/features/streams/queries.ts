import type { CreateStreamRequest, Stream, StreamPage, UpdateStreamRequest } from '@millrace/contract';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ChoiceSource } from '../../components/found-select.tsx';
import { call } from '../../lib/api/index.ts';
import { madeOnce } from '../../lib/made-once.ts';
import type { ListValues } from './list-params.ts';

const STREAMS = ['streams'];
export const PER_PAGE = 50;

export function streamPageQuery({ find, sort, order, page }: ListValues) {
  return queryOptions({
    queryKey: [...STREAMS, 'page', find, sort, order, page],
    queryFn: ({ signal }) =>
      call('GET /streams/paginated', {
        query: { query: find, sort, order, page, per_page: PER_PAGE },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
}

export function streamQuery(id: string) {
  return queryOptions({
    queryKey: [...STREAMS, 'one', id],
    queryFn: ({ signal }) => call('GET /streams/{streamId}', { path: { streamId: id }, signal }),
  });
}

/** Those that streams can use, by title. */
export const indexSetSource: ChoiceSource = {
  key: ['index-sets', 'writable'],
  find: async (query, limit, signal) => {
    const { index_sets } = await call('GET /system/indices/index_sets', {
      query: { query, limit, sort: 'title', writable: true },
      signal,
    });
    return index_sets.map(({ id, title }) => ({ value: id ?? '', label: title }));
  },
};

/** The one that streams use unless another is chosen. */
export const defaultIndexSetQuery = queryOptions({
  queryKey: ['index-sets', 'default'],
  queryFn: ({ signal }) =>
    call('GET /system/indices/index_sets', { query: { limit: 1, default: true }, signal }),
  select: ({ index_sets }) => index_sets[0] ?? null,
  staleTime: 60_000,
});

/** Titles of these index sets by their ids. */
export function indexSetTitlesQuery(ids: readonly string[]) {
  const wanted = [...new Set(ids)].sort();
  return queryOptions({
    queryKey: ['index-sets', 'titles', wanted],
    queryFn: ({ signal }) => call('GET /system/indices/index_sets', { query: { ids: wanted }, signal }),
    select: ({ index_sets }) => new Map(index_sets.map(({ id, title }) => [id ?? '', title])),
    enabled: wanted.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
}

/** How many messages a stream has, for the question before it is deleted. */
export function storedCountQuery(id: string) {
  return queryOptions({
    queryKey: [...STREAMS, 'stored', id],
    queryFn: ({ signal }) =>
      call('POST /messages/search', {
        body: { query: '*', streams: [id], timerange: { type: 'relative', range: 0 }, limit: 0 },
        signal,
      }),
    select: ({ total_results }) => total_results,
  });
}

/** Something that changes streams; all that is known of them is asked again. */
function useStreamMutation<Input, Output>(mutationFn: (input: Input) => Promise<Output>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSettled: () => client.invalidateQueries({ queryKey: STREAMS }),
  });
}

/** Pauses or resumes a stream: shown at once, taken back when the server refuses. */
export function useChangeState() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, state }: Pick<Stream, 'id' | 'state'>) => setRunning(id, state !== 'running'),
    onMutate: async ({ id, state }) => {
      await client.cancelQueries({ queryKey: STREAMS });
      const before = client.getQueriesData({ queryKey: STREAMS });
      const next = state === 'running' ? 'paused' : 'running';
      client.setQueriesData({ queryKey: [...STREAMS, 'page'] }, (page: StreamPage | undefined) =>
        page === undefined
          ? page
          : { ...page, elements: page.elements.map((stream) => withState(stream, id, next)) },
      );
      client.setQueryData(streamQuery(id).queryKey, (stream) => stream && withState(stream, id, next));
      return before;
    },
    onError: (_error, _stream, before) => {
      for (const [key, data] of before ?? []) client.setQueryData(key, data);
    },
    onSettled: () => client.invalidateQueries({ queryKey: STREAMS }),
  });
}

function withState(stream: Stream, id: string, state: Stream['state']): Stream {
  return stream.id === id ? { ...stream, state, state_reason: null } : stream;
}

function setRunning(id: string, isRunning: boolean): Promise<undefined> {
  const path = { streamId: id };
  return isRunning
    ? call('POST /streams/{streamId}/resume', { path })
    : call('POST /streams/{streamId}/pause', { path });
}

export function useCreateStream() {
  const [create] = useState(() =>
    madeOnce(async (body: CreateStreamRequest) => (await call('POST /streams', { body })).stream_id),
  );
  return useStreamMutation(({ body, isStarted }: { body: CreateStreamRequest; isStarted: boolean }) =>
    create(body, async (id) => isStarted && setRunning(id, true)),
  );
}

export function useCloneStream() {
  return useStreamMutation(({ stream, title }: { stream: Stream; title: string }) =>
    call('POST /streams/{streamId}/clone', {
      path: { streamId: stream.id },
      body: { title, index_set_id: stream.index_set_id },
    }),
  );
}

export function useDeleteStream() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call('DELETE /streams/{streamId}', { path: { streamId: id } }),
    // Not the stream itself: its page may still be there, and would ask for what is gone.
    onSuccess: () => client.invalidateQueries({ queryKey: [...STREAMS, 'page'] }),
  });
}

export function useUpdateStream(id: string) {
  return useStreamMutation((body: UpdateStreamRequest) =>
    call('PUT /streams/{streamId}', { path: { streamId: id }, body }),
  );
}

export type BulkAction = 'bulk_pause' | 'bulk_resume' | 'bulk_delete';

export function useBulkAction() {
  return useStreamMutation(({ action, ids }: { action: BulkAction; ids: readonly string[] }) =>
    call(`POST /streams/${action}`, { body: { entity_ids: [...ids] } }),
  );
}
