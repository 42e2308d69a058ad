import type { OutputChanges, OutputRequest } from '@millrace/contract';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useCan } from '../../lib/account/index.ts';
import { call } from '../../lib/api/index.ts';
import { OUTPUTS } from '../../lib/outputs/index.ts';
import type { ListValues } from './list-params.ts';

/** Rows on a page of the list. */
export const PER_PAGE = 50;
/** What fails meanwhile moves to the top. */
const LIST_POLL_MS = 10_000;

export function outputPageQuery({ find, sort, order, page }: ListValues) {
  return queryOptions({
    queryKey: [...OUTPUTS, 'page', find, sort, order, page],
    queryFn: ({ signal }) =>
      call('GET /system/outputs/paginated', {
        query: { query: find, sort, order, page, per_page: PER_PAGE },
        signal,
        isBackground: true,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: LIST_POLL_MS,
    meta: { isBackground: true },
  });
}

export function outputQuery(outputId: string) {
  return queryOptions({
    queryKey: [...OUTPUTS, 'one', outputId],
    queryFn: ({ signal }) => call('GET /system/outputs/{outputId}', { path: { outputId }, signal }),
  });
}

export const outputStreamsQuery = queryOptions({
  queryKey: [...OUTPUTS, 'streams'],
  queryFn: ({ signal }) => call('GET /system/outputs/streams', { signal }),
  select: ({ streams }) => streams,
});

/** Whether every stream that uses an output is among those that the server names. */
export function useSeesAllStreams(): boolean {
  const seesUse = useCan('stream_outputs:read');
  const seesStreams = useCan('streams:read');
  return seesUse && seesStreams;
}

/** Something that changes outputs; all that is known of them is asked again. */
function useOutputMutation<Given, Answer>(mutationFn: (given: Given) => Promise<Answer>) {
  const client = useQueryClient();
  return useMutation({ mutationFn, onSettled: () => client.invalidateQueries({ queryKey: OUTPUTS }) });
}

export function useCreateOutput() {
  return useOutputMutation((body: OutputRequest) => call('POST /system/outputs', { body }));
}

export function useChangeOutput(outputId: string) {
  return useOutputMutation((body: OutputChanges) =>
    call('PUT /system/outputs/{outputId}', { path: { outputId }, body }),
  );
}

export function usePauseOutput(outputId: string) {
  const path = { outputId };
  return useOutputMutation((isPaused: boolean) =>
    isPaused
      ? call('PUT /system/outputs/{outputId}/pause', { path })
      : call('PUT /system/outputs/{outputId}/resume', { path }),
  );
}

export function useDeleteOutput() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (outputId: string) => call('DELETE /system/outputs/{outputId}', { path: { outputId } }),
    // Not the output itself: its page may still be there, and would ask for what is gone.
    onSuccess: () =>
      Promise.all(
        ['all', 'page', 'states', 'streams', 'of-stream'].map((part) =>
          client.invalidateQueries({ queryKey: [...OUTPUTS, part] }),
        ),
      ),
  });
}
