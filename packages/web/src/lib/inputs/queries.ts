import { queryOptions } from '@tanstack/react-query';
import { ApiError, call, type Problem } from '../api/index.ts';
import type { FormValues } from '../forms/index.ts';

/** Everything that is known of inputs: asked again after a change. */
export const INPUTS = ['inputs'];

const NOT_THERE = new Set([403, 404]);
const STATES_POLL_MS = 2000;
const ARRIVAL_POLL_MS = 200;
const ARRIVAL_POLL_GROWTH = 1.4;
const ARRIVAL_POLL_MAX_MS = 5000;
const ARRIVAL_PATIENCE_MS = 60_000;
/** A test message bears the time at which it was sent. */
const ARRIVAL_RANGE_SECONDS = 600;

/** By node; null for one that does not answer. */
export const inputStatesQuery = queryOptions({
  queryKey: [...INPUTS, 'states'],
  queryFn: ({ signal }) => call('GET /cluster/inputstates', { signal, isBackground: true }),
  refetchInterval: STATES_POLL_MS,
  meta: { isBackground: true },
});

/** Those that the user may read, to choose from, by title. */
export const inputSource = {
  key: [...INPUTS, 'list'],
  find: async (query: string, count: number, signal: AbortSignal) => {
    const { inputs } = await call('GET /system/inputs/paginated', {
      query: { query, per_page: count, sort: 'title' },
      signal,
    });
    return inputs.map(({ id, title }) => ({ value: id, label: title }));
  },
};

/** The title of an input; null if there is none with this id, or the user may not read it. */
export function inputTitleQuery(inputId: string) {
  return queryOptions({
    queryKey: [...INPUTS, 'title', inputId],
    queryFn: async ({ signal }) => {
      try {
        return (await call('GET /system/inputs/{inputId}', { path: { inputId }, signal })).title;
      } catch (error) {
        if (error instanceof ApiError && NOT_THERE.has(error.status)) return null;
        throw error;
      }
    },
  });
}

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

export interface SentMessage {
  readonly query: string;
  readonly startedAt: number;
}

/** The milliseconds until the message was found, or that it is not there yet, or that nobody looks any more. */
export type Arrival = number | 'on its way' | 'not found';

/** What became of a message that was sent, at this time. */
export function arrivalOf({ startedAt }: SentMessage, isFound: boolean, now: number): Arrival {
  if (isFound) return now - startedAt;
  return now - startedAt < ARRIVAL_PATIENCE_MS ? 'on its way' : 'not found';
}

/** How long to wait before the next search: it grows, since a message that takes long may take longer. */
export function pauseBeforeSearch(
  sent: SentMessage,
  state: { readonly data: Arrival | undefined; readonly error: Error | null; readonly searches: number },
  now: number,
): number | false {
  const { data, error, searches } = state;
  if (typeof data === 'number' || data === 'not found') return false;
  const isRefused = error instanceof ApiError && error.status >= 400 && error.status < 500;
  if (isRefused || now - sent.startedAt >= ARRIVAL_PATIENCE_MS) return false;
  return Math.min(ARRIVAL_POLL_MS * ARRIVAL_POLL_GROWTH ** searches, ARRIVAL_POLL_MAX_MS);
}

const NOTHING_SENT: SentMessage = { query: '', startedAt: 0 };

/** Searches for the message that was sent, for a minute. */
export const sentMessageQuery = (sent: SentMessage = NOTHING_SENT) =>
  queryOptions({
    queryKey: ['messages', 'sent', sent.query],
    queryFn: async ({ signal }) => {
      const { total_results } = await call('GET /search/universal/relative', {
        query: { query: sent.query, range: ARRIVAL_RANGE_SECONDS, limit: 1, sort: 'timestamp:desc' },
        signal,
        isBackground: true,
      });
      return arrivalOf(sent, total_results > 0, Date.now());
    },
    enabled: sent !== NOTHING_SENT,
    refetchInterval: ({ state: { data, error, dataUpdateCount, errorUpdateCount } }) =>
      pauseBeforeSearch(sent, { data, error, searches: dataUpdateCount + errorUpdateCount }, Date.now()),
    meta: { isBackground: true },
  });
