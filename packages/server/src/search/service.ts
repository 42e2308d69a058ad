/** Search as the API sees it: one object with everything that looks into stored messages. */
import type { Clock } from '#core/index.ts';
import type { Metadata } from '#metadata/index.ts';
import type { StorageService } from '#storage/service.ts';
import {
  createSearches,
  createSearchSlots,
  type SearchableStorage,
  type Searches,
  type SearchLimits,
} from './execution/index.ts';
import { createExports, type Exports } from './export/index.ts';
import {
  createMessageSearch,
  createSingleMessages,
  createUsedIndices,
  type MessageSearch,
  type SingleMessages,
} from './messages/index.ts';

export type { PreparedSearch, RunOptions, Searches, SearchInput } from './execution/index.ts';
export { SearchFailedError } from './execution/index.ts';
export type { ExportFormat, ExportRequest, Exports } from './export/index.ts';
export { EXPORT_CONTENT_TYPES } from './export/index.ts';
export type {
  FoundMessage,
  FoundMessages,
  MessageSearch,
  MessageSearchRequest,
  MessageSort,
  SingleMessages,
} from './messages/index.ts';
export { messageJson, NEWEST_FIRST, parseSort, requireSort } from './messages/index.ts';
export type { LiveTail, TailPeers } from './tail/index.ts';
export type { TimeRange, TimeSpan } from './time/index.ts';
export { parseTimeRangeText } from './time/index.ts';

export interface SearchService {
  readonly searches: Searches;
  readonly messages: MessageSearch;
  readonly singleMessages: SingleMessages;
  readonly exports: Exports;
}

export interface SearchServiceDeps {
  readonly storage: SearchableStorage & Pick<StorageService, 'messages' | 'indices'>;
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
  const usedIndices = createUsedIndices({
    clock: deps.clock,
    // Which indices there are is no secret to those who search in them.
    ranges: () => deps.storage.indices.ranges({ can: () => true }),
  });
  return {
    searches,
    messages: createMessageSearch({ searches, usedIndices, clock: deps.clock }),
    singleMessages: createSingleMessages({
      searches,
      find: deps.storage.messages.find,
      targets: deps.storage.searchTargets,
    }),
    exports: createExports({ searches }),
  };
}
