import type { Input, InputState } from '@millrace/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/api/index.ts';
import type { FormValues } from '../../lib/forms/index.ts';
import { inputStatesQuery } from '../../lib/inputs/index.ts';

const POLL_MS = 2000;
const background = { refetchInterval: POLL_MS, meta: { isBackground: true } };

/** An input that runs on several nodes is one input here. */
export const startedInputsQuery = {
  ...inputStatesQuery,
  select: (nodes: Readonly<Record<string, InputState[] | null>>): InputState[] => {
    const states = Object.values(nodes).flatMap((list) => list ?? []);
    return [...new Map(states.map((state) => [state.id, state])).values()];
  },
};

export const messageCountQuery = queryOptions({
  queryKey: ['messages', 'count'],
  queryFn: ({ signal }) => call('GET /count/total', { signal, isBackground: true }),
  ...background,
});

export const newestMessageQuery = (count: number) =>
  queryOptions({
    queryKey: ['messages', 'newest', count],
    queryFn: ({ signal }) =>
      call('GET /search/universal/relative', {
        query: { query: '*', range: 0, limit: 1, sort: 'timestamp:desc' },
        signal,
        isBackground: true,
      }),
    select: ({ messages }) => messages[0]?.message,
    enabled: count > 0,
    placeholderData: (previous) => previous,
    meta: { isBackground: true },
  });

export function useStartInput() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({
      type,
      name,
      configuration,
    }: Pick<Input, 'type' | 'name'> & { configuration: FormValues }) =>
      call('POST /system/inputs', {
        body: { title: name, type, global: true, configuration: { ...configuration } },
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: inputStatesQuery.queryKey }),
  });
}
