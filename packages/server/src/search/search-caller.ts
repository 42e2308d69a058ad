import { formatTimestamp } from '@millrace/contract';
import type { Principal } from '#core/index.ts';
import type { PreparedSearch, SearchInput } from './execution/index.ts';
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
  readonly allow_partial?: boolean | undefined;
}): SearchInput {
  const { timerange } = request;
  const timeZone = request.time_zone ?? (timerange.type === 'keyword' ? timerange.timezone : undefined);
  const { query, streams, allow_partial: allowPartial } = request;
  return { query, range: timerange, streams, timeZone, allowPartial };
}

/** For the end of an answer: the servers whose messages are not in it, if there are any. */
export function missingIn({ missingServers }: Pick<PreparedSearch, 'missingServers'>): {
  missing_servers?: string[];
} {
  return missingServers?.size ? { missing_servers: [...missingServers].sort() } : {};
}

/** In the shape of views and tables. */
export function effectiveTimeRange(span: TimeSpan): { type: 'absolute'; from: string; to: string } {
  return { type: 'absolute', ...rangeOf(span) };
}

export function rangeOf({ from, to }: TimeSpan): { from: string; to: string } {
  return { from: formatTimestamp(from), to: formatTimestamp(to) };
}
