import { formatTimestamp } from '@millrace/contract';
import type { Principal } from '#core/index.ts';
import type { SearchInput } from './execution/index.ts';
import type { TimeRange, TimeSpan } from './time/index.ts';

/** Who searches, and the signal that ends the search. */
export interface SearchCaller {
  readonly principal: Principal;
  readonly signal?: AbortSignal | undefined;
}

/** The part of a request's body that selects messages. */
export function searchInputOf(request: {
  readonly query: string;
  readonly streams: readonly string[];
  readonly timerange: TimeRange;
  readonly time_zone?: string | undefined;
}): SearchInput {
  const { timerange } = request;
  const timeZone = request.time_zone ?? (timerange.type === 'keyword' ? timerange.timezone : undefined);
  return { query: request.query, range: timerange, streams: request.streams, timeZone };
}

/** In the shape of views and tables. */
export function effectiveTimeRange(span: TimeSpan): { type: 'absolute'; from: string; to: string } {
  return { type: 'absolute', ...rangeOf(span) };
}

export function rangeOf({ from, to }: TimeSpan): { from: string; to: string } {
  return { from: formatTimestamp(from), to: formatTimestamp(to) };
}
