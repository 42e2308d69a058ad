/** Search as this node runs it: what it looks into, within the limits of the configuration. */

import type { Auth } from '#auth/index.ts';
import type { NodeConfig } from '#config/index.ts';
import type { Clock } from '#core/index.ts';
import type { Metadata } from '#metadata/index.ts';
import { createSearchService, type SearchService } from '#search/service.ts';
import type { MessagePath } from './message-path.ts';

export interface SearchPartDeps {
  readonly messagePath: Pick<MessagePath, 'storage'>;
  readonly metadata: Metadata;
  readonly auth: Pick<Auth, 'audit'>;
  readonly clock: Clock;
}

export function createSearchPart(deps: SearchPartDeps, config: NodeConfig): SearchService {
  return createSearchService(
    { ...deps, audit: deps.auth.audit, storage: deps.messagePath.storage },
    {
      timeoutMs: config.search_timeout,
      maxMemoryBytes: config.search_max_memory,
      maxParallel: config.search_max_parallel,
      timeRangeLimitMs: config.query_time_range_limit === 0 ? undefined : config.query_time_range_limit,
    },
  );
}
