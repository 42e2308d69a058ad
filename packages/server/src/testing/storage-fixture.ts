import { pino } from 'pino';
import {
  clusterStatsRoutes,
  countRoutes,
  deflectorRoutes,
  fieldMappingRoutes,
  indexerRoutes,
  indexSetRoutes,
  indexSetTemplateRoutes,
  type Route,
} from '#api/index.ts';
import { INPUT_TYPES } from '#inputs/index.ts';
import type { Metadata } from '#metadata/index.ts';
import { OUTPUT_TYPES } from '#outputs/index.ts';
import { createStorageService, type StorageService } from '#storage/service.ts';
import { countCluster, createJobs, createSystemMessages, type Jobs } from '#system/service.ts';
import { type AuthFixture, createAuthFixture } from './auth-fixture.ts';
import { ManualClock } from './manual-clock.ts';
import { openTestMetadata } from './metadata.ts';
import { SimulatedClickHouse } from './simulated-clickhouse.ts';

/** Real index sets over real authentication, on SQLite in memory; only ClickHouse is simulated. */
export interface StorageFixture {
  readonly metadata: Metadata;
  readonly storage: StorageService;
  readonly clickhouse: SimulatedClickHouse;
  readonly jobs: Jobs;
  readonly routes: readonly Route[];
  readonly auth: AuthFixture;
  readonly call: AuthFixture['call'];
  /** Rows that nobody has sent, for figures. */
  addMessages(table: string, indexNumber: number, count: number): void;
  close(): Promise<void>;
}

export interface StorageFixtureOptions {
  /** False: the engine has not started yet. */
  readonly hasEngine?: boolean;
}

export async function createStorageFixture(options: StorageFixtureOptions = {}): Promise<StorageFixture> {
  const clock = new ManualClock();
  const metadata = await openTestMetadata(clock);
  const logger = pino({ level: 'silent' });
  const nodeId = 'node-1';
  const clickhouse = new SimulatedClickHouse([]);
  const jobs = createJobs({ clock, logger }, { nodeId });
  const systemMessages = createSystemMessages({ ...metadata.repositories, logger }, { nodeId });
  const made = Promise.withResolvers<{ storage: StorageService; routes: Route[] }>();
  const auth = await createAuthFixture({
    metadata,
    clock,
    moreRoutes: async ({ audit }) => {
      const storage = createStorageService(
        {
          metadata,
          clickhouse: () => (options.hasEngine === false ? undefined : clickhouse),
          jobs,
          systemMessages,
          audit,
          isLeader: () => true,
          clock,
          logger,
        },
        {
          database: 'test',
          rotationIntervalMs: 3_600_000,
          retentionIntervalMs: 3_600_000,
          newPartsIntervalMs: 3_600_000,
        },
      );
      await storage.start();
      if (options.hasEngine !== false) await storage.whenReady();
      const routes = [
        ...indexSetTemplateRoutes({ storage }),
        ...fieldMappingRoutes({ storage }),
        ...indexSetRoutes({ storage }),
        ...deflectorRoutes({ storage }),
        ...indexerRoutes({ storage, indexerName: 'test' }),
        ...clusterStatsRoutes({
          storage,
          indexerName: 'test',
          clusterCounts: (principal) =>
            countCluster(metadata, principal, { input: INPUT_TYPES.find, output: OUTPUT_TYPES.find }),
        }),
        ...countRoutes({ messageCount: storage.indices.messageCount }),
      ];
      made.resolve({ storage, routes });
      return routes;
    },
  });
  const { storage, routes } = await made.promise;
  return {
    metadata,
    storage,
    clickhouse,
    jobs,
    routes,
    auth,
    call: (method, path, call = {}) => auth.call(method, path, { as: 'admin', ...call }),
    addMessages(table, indexNumber, count) {
      const row = { table, indexNumber, id: '', text: '' };
      clickhouse.rows.push(...Array.from({ length: count }, () => row));
    },
    async close() {
      await jobs.stop();
      await storage.stop();
      await auth.close();
    },
  };
}
