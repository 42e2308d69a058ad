import { NotFoundError } from '#core/index.ts';
import type { Metadata } from '#metadata/index.ts';
import { createSearchService, type SearchService, type SearchServiceDeps } from '#search/service.ts';
import type { StatementOptions } from '#storage/index.ts';
import { ManualClock } from './manual-clock.ts';
import { openTestMetadata } from './metadata.ts';

/** The whole search over an engine that finds nothing: for what is asked, and of whom, not for what is found. */
export interface IdleSearch {
  readonly search: SearchService;
  readonly metadata: Metadata;
  readonly clock: ManualClock;
  /** What the engine was asked. */
  readonly statements: string[];
}

export interface IdleSearchOptions {
  /** Types of values by the name of the field. */
  readonly fields?: Readonly<Record<string, readonly ('string' | 'number' | 'boolean')[]>>;
  /** Awaited by every statement: to look at it or to hold it up. */
  readonly engine?: (sql: string, statement: StatementOptions) => Promise<void>;
  /** `search_max_parallel`; many without. */
  readonly maxParallel?: number;
}

export async function createIdleSearch(options: IdleSearchOptions = {}): Promise<IdleSearch> {
  const clock = new ManualClock();
  const metadata = await openTestMetadata(clock);
  const statements: string[] = [];
  const run = async (sql: string, statement: StatementOptions = {}) => {
    statements.push(sql);
    await options.engine?.(sql, statement);
    return [];
  };
  const storage = {
    clickhouse: () => ({
      query: run,
      // biome-ignore lint/correctness/useYield: it finds nothing
      stream: async function* (sql: string, statement?: StatementOptions) {
        await run(sql, statement);
      },
      // biome-ignore lint/correctness/useYield: it finds nothing
      text: async function* (sql: string, statement?: StatementOptions) {
        await run(sql, statement);
      },
    }),
    searchTargets: () => [
      {
        indexSetId: '000000000000000000000001',
        prefix: 'millrace',
        database: 'millrace',
        table: 'messages',
        indices: [0],
        closedIndices: [],
      },
    ],
    fields: () => Object.entries(options.fields ?? {}).map(([name, types]) => ({ name, types })),
    messages: {
      find: async (index: string, id: string) => {
        throw new NotFoundError(`There is no message ${id} in index ${index}.`);
      },
    },
    indices: { ranges: async () => [] },
    snapshot: () => undefined,
  };
  const search = createSearchService(
    {
      storage: storage as unknown as SearchServiceDeps['storage'],
      metadata,
      audit: { record: async () => {} } as unknown as SearchServiceDeps['audit'],
      clock,
    },
    {
      timeoutMs: 1000,
      maxMemoryBytes: 2 ** 30,
      maxParallel: options.maxParallel ?? 100,
      exportTimeoutMs: 1000,
    },
  );
  return { search, metadata, clock, statements };
}
