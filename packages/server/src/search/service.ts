/** Search as the API sees it: one object with everything that looks into stored messages. */
import type { Clock } from '#core/index.ts';
import type { Metadata } from '#metadata/index.ts';
import {
  createSearches,
  createSearchSlots,
  type SearchableStorage,
  type Searches,
  type SearchLimits,
} from './execution/index.ts';

export type { PreparedSearch, RunOptions, Searches, SearchInput } from './execution/index.ts';
export { SearchFailedError } from './execution/index.ts';
export type { LiveTail, TailPeers } from './tail/index.ts';
export type { TimeRange, TimeSpan } from './time/index.ts';
export { parseTimeRangeText } from './time/index.ts';

export interface SearchService {
  readonly searches: Searches;
}

export interface SearchServiceDeps {
  readonly storage: SearchableStorage;
  readonly metadata: Metadata;
  readonly clock: Clock;
}

export interface SearchServiceConfig extends SearchLimits {
  /** `search_max_parallel` */
  readonly maxParallel: number;
}

export function createSearchService(deps: SearchServiceDeps, config: SearchServiceConfig): SearchService {
  const { streams } = deps.metadata.repositories;
  const searches = createSearches(
    {
      ...deps,
      slots: createSearchSlots(config),
      streamIds: async () => (await streams.list()).map(({ id }) => id),
    },
    config,
  );
  return { searches };
}
