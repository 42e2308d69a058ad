import type { MessageSearchBody } from '@millrace/contract';
import { ApiError, call } from '../../lib/api/index.ts';
import { parseInstant, resolveTimeRange, serverNow, type TimeSpan } from '../../lib/time/index.ts';
import { runKeyOf, type SearchValues } from './search-params.ts';

/**
 * One run of the search: everything on the page is asked about these messages. A relative range became two instants
 * when it began, so that list, histogram and values agree.
 */
export interface Run {
  readonly query: string;
  readonly streams: readonly string[];
  readonly span: TimeSpan;
  readonly zone: string;
  readonly sort: string;
  /** When it began: the same search run again is another run. */
  readonly startedAt: number;
}

/** Every request of a run has a key that begins with this: cancelling it ends all of them. */
export const RUN_REQUESTS = 'search-run';

export function runQuery(values: SearchValues, zone: string) {
  return {
    queryKey: ['search', ...runKeyOf(values), zone] as const,
    queryFn: ({ signal }: { signal: AbortSignal }) => beginRun(values, zone, signal),
    staleTime: Number.POSITIVE_INFINITY,
    retry: retryWhenBusy,
    retryDelay: busyDelay,
  };
}

async function beginRun(values: SearchValues, zone: string, signal: AbortSignal): Promise<Run> {
  const startedAt = serverNow();
  const span = resolveTimeRange(values.t, startedAt) ?? (await spanOfWords(values.t, zone, signal));
  return { query: values.q, streams: values.s, span, zone, sort: values.sort, startedAt };
}

async function spanOfWords(range: SearchValues['t'], zone: string, signal: AbortSignal): Promise<TimeSpan> {
  return range.type === 'words' ? await meaningOfWords(range.text, zone, signal) : { from: 0, to: 0 };
}

/** What the server understands `yesterday 14:00 to 16:00` to be. */
export async function meaningOfWords(text: string, zone: string, signal?: AbortSignal): Promise<TimeSpan> {
  const query = { string: text, timezone: zone };
  const { from, to } = await call('GET /tools/natural_date_tester', { query, signal });
  return { from: parseInstant(from) ?? 0, to: parseInstant(to) ?? 0 };
}

export function timeRangeOf({ span }: Run) {
  return {
    type: 'absolute' as const,
    from: new Date(span.from).toISOString(),
    to: new Date(span.to).toISOString(),
  };
}

/** The part of a request that says which messages are meant. */
export function searchedOf(run: Run) {
  return {
    query: run.query,
    streams: [...run.streams],
    timerange: timeRangeOf(run),
    time_zone: run.zone,
    // What is missing is said beside the number of messages.
    allow_partial: true,
  } satisfies Partial<MessageSearchBody>;
}

const BUSY = 429;
const BUSY_RETRIES = 2;
const DEFAULT_WAIT_S = 1;

/** Too many searches at a time: worth another try. Everything else is told at once. */
export function retryWhenBusy(failures: number, error: Error): boolean {
  return error instanceof ApiError && error.status === BUSY && failures < BUSY_RETRIES;
}

export function busyDelay(_failures: number, error: Error): number {
  const seconds = error instanceof ApiError ? error.retryAfterSeconds : undefined;
  return (seconds ?? DEFAULT_WAIT_S) * 1000;
}
