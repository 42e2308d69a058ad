import type { Stream, StreamList } from '@millrace/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/api/index.ts';

export const streamsQuery = queryOptions({
  queryKey: ['streams'],
  queryFn: ({ signal }) => call('GET /streams', { signal }),
});

/** Pauses or resumes a stream: shown at once, taken back when the server refuses. */
export function useChangeStream() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, state }: Pick<Stream, 'id' | 'state'>) =>
      state === 'running'
        ? call('POST /streams/{streamId}/pause', { path: { streamId: id } })
        : call('POST /streams/{streamId}/resume', { path: { streamId: id } }),
    onMutate: async ({ id, state }) => {
      await client.cancelQueries({ queryKey: streamsQuery.queryKey });
      const before = client.getQueryData(streamsQuery.queryKey);
      const next = state === 'running' ? 'paused' : 'running';
      client.setQueryData(streamsQuery.queryKey, (list) => withState(list, id, next));
      return before;
    },
    onError: (_error, _stream, before) => client.setQueryData(streamsQuery.queryKey, before),
    onSettled: () => client.invalidateQueries({ queryKey: streamsQuery.queryKey }),
  });
}

function withState(list: StreamList | undefined, id: string, state: Stream['state']): StreamList | undefined {
  return list === undefined
    ? list
    : { ...list, streams: list.streams.map((stream) => (stream.id === id ? { ...stream, state } : stream)) };
}
