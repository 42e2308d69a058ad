import { queryOptions } from '@tanstack/react-query';
import { call, type Problem } from '../api/index.ts';
import type { FormValues } from '../forms/index.ts';

/** Everything that is known of inputs: asked again after a change. */
export const INPUTS = ['inputs'];

const STATES_POLL_MS = 2000;
const ARRIVAL_POLL_MS = 200;

/** By node; null for one that does not answer. */
export const inputStatesQuery = queryOptions({
  queryKey: [...INPUTS, 'states'],
  queryFn: ({ signal }) => call('GET /cluster/inputstates', { signal, isBackground: true }),
  refetchInterval: STATES_POLL_MS,
  meta: { isBackground: true },
});

export const inputsQuery = queryOptions({
  queryKey: [...INPUTS, 'list'],
  queryFn: ({ signal }) => call('GET /system/inputs', { signal }),
});

/** Only another version of the server has others. */
export const inputTypesQuery = queryOptions({
  queryKey: ['input-types'],
  queryFn: ({ signal }) => call('GET /system/inputs/types/all', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** What the server says to a configuration that is not sent yet. */
export async function problemsOf(type: string, configuration: FormValues): Promise<readonly Problem[]> {
  const { problems } = await call('POST /system/inputs/types/{inputType}/validate', {
    path: { inputType: type },
    body: { configuration: { ...configuration } },
  });
  return problems;
}

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
