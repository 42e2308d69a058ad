import { formatTimestamp } from '@millrace/contract';
import type { Principal } from '#core/index.ts';
import type { SearchInput } from './execution/index.ts';
import type { TimeRange, TimeSpan } from './time/index.ts';

/** Who asks, and until when. */
export interface SearchCaller {
  readonly principal: Principal;
  readonly signal?: AbortSignal | undefined;
}

/** What the bodies of requests say about the messages they mean. */
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

export function rangeOf({ from, to }: TimeSpan): { from: string; to: string } {
  return { from: formatTimestamp(from), to: formatTimestamp(to) };
}
