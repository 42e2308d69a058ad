import type { OutputRequest } from '@millrace/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../api/index.ts';
import { madeOnce } from '../made-once.ts';

/** Everything that is known of outputs: asked again after a change. */
export const OUTPUTS = ['outputs'];
const REFRESH_MS = 5000;

export function attachedQuery(streamId: string) {
  return queryOptions({
    queryKey: [...OUTPUTS, 'of-stream', streamId],
    queryFn: ({ signal }) => call('GET /streams/{streamId}/outputs', { path: { streamId }, signal }),
    select: ({ outputs }) => outputs,
  });
}

const pageOf = (query: string, count: number, signal: AbortSignal) =>
  call('GET /system/outputs/paginated', { query: { query, per_page: count, sort: 'title' }, signal });

/** To choose from, by title. */
export const outputSource = {
  key: [...OUTPUTS, 'all'],
  find: async (text: string, count: number, signal: AbortSignal) =>
    (await pageOf(text, count, signal)).outputs.map(({ id, title }) => ({ value: id, label: title })),
};

/** How many there are. */
export const outputCountQuery = queryOptions({
  queryKey: [...OUTPUTS, 'all', 'count'],
  queryFn: async ({ signal }) => (await pageOf('', 1, signal)).total,
});

export function outputTitleQuery(outputId: string) {
  return queryOptions({
    queryKey: [...OUTPUTS, 'one', outputId],
    queryFn: ({ signal }) => call('GET /system/outputs/{outputId}', { path: { outputId }, signal }),
    select: ({ title }) => title,
  });
}

export const outputStatesQuery = queryOptions({
  queryKey: [...OUTPUTS, 'states'],
  queryFn: ({ signal }) => call('GET /system/outputs/states', { signal, isBackground: true }),
  refetchInterval: REFRESH_MS,
  meta: { isBackground: true },
});

export const outputTypesQuery = queryOptions({
  queryKey: ['output-types'],
  queryFn: ({ signal }) => call('GET /system/outputs/available', { signal }),
  select: ({ types }) => types,
  staleTime: 600_000,
});

function useOutputMutation<Input>(mutationFn: (input: Input) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({ mutationFn, onSettled: () => client.invalidateQueries({ queryKey: OUTPUTS }) });
}

const attach = (streamId: string, outputId: string) =>
  call('POST /streams/{streamId}/outputs', { path: { streamId }, body: { outputs: [outputId] } });

export function useAttach(streamId: string) {
  return useOutputMutation((outputId: string) => attach(streamId, outputId));
}

export function useDetach(streamId: string) {
  return useOutputMutation((outputId: string) =>
    call('DELETE /streams/{streamId}/outputs/{outputId}', { path: { streamId, outputId } }),
  );
}

/** Makes an output and attaches it to the stream. */
export function useCreateAttachedOutput(streamId: string) {
  const [create] = useState(() =>
    madeOnce(async (body: OutputRequest) => (await call('POST /system/outputs', { body })).id),
  );
  return useOutputMutation((body: OutputRequest) => create(body, (id) => attach(streamId, id)));
}
