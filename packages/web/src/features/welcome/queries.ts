import type { Input, InputState } from '@millrace/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call, type Problem } from '../../lib/api/index.ts';
import type { FormValues } from '../../lib/forms/index.ts';

const POLL_MS = 2000;
const ARRIVAL_POLL_MS = 200;
const background = { refetchInterval: POLL_MS, meta: { isBackground: true } };

export const inputStatesQuery = queryOptions({
  queryKey: ['inputs', 'states'],
  queryFn: ({ signal }) => call('GET /cluster/inputstates', { signal, isBackground: true }),
  // An input that runs on several nodes is one input here.
  select: (nodes): InputState[] => {
    const states = Object.values(nodes).flatMap((list) => list ?? []);
    return [...new Map(states.map((state) => [state.id, state])).values()];
  },
  ...background,
});

export const inputTypesQuery = queryOptions({
  queryKey: ['inputs', 'types'],
  queryFn: ({ signal }) => call('GET /system/inputs/types/all', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

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

/** Asks until the message that was sent is found; the milliseconds that took. */
export const sentMessageQuery = (sent: { readonly query: string; readonly startedAt: number } | undefined) =>
  queryOptions({
    queryKey: ['messages', 'sent', sent?.query],
    queryFn: async ({ signal }) => {
      const { total_results } = await call('GET /search/universal/relative', {
        query: { query: sent?.query ?? '', range: 0, limit: 1, sort: 'timestamp:desc' },
        signal,
        isBackground: true,
      });
      return total_results > 0 ? Date.now() - (sent?.startedAt ?? 0) : null;
    },
    select: (tookMs) => tookMs ?? undefined,
    enabled: sent !== undefined,
    refetchInterval: ({ state }) => (typeof state.data === 'number' ? false : ARRIVAL_POLL_MS),
    meta: { isBackground: true },
  });

/** What the server says to a configuration that is not sent yet. */
export async function problemsOf(type: string, configuration: FormValues): Promise<readonly Problem[]> {
  const { problems } = await call('POST /system/inputs/types/{inputType}/validate', {
    path: { inputType: type },
    body: { configuration: { ...configuration } },
  });
  return problems;
}

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
