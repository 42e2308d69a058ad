/** From the journal to the tables: streams, index sets and what the intake threads must know of them. */
import type { Cluster } from '#cluster/service.ts';
import type { NodeConfig } from '#config/index.ts';
import type { AuditLog, Clock, Component } from '#core/index.ts';
import type { Metadata } from '#metadata/index.ts';
import { createProcessingService, type ProcessingService } from '#processing/service.ts';
import { createStorageService, type StorageService } from '#storage/service.ts';
import type { Logger, Metrics } from '#telemetry/index.ts';
import type { ProcessingMessage } from './intake-protocol.ts';
import type { IntakeWorkersDeps } from './intake-workers.ts';
import type { MessageStorage } from './message-storage.ts';

export interface MessagePathDeps {
  readonly cluster: Pick<Cluster, 'nodeId' | 'registry' | 'jobs' | 'notifications' | 'systemMessages'>;
  readonly messageStorage: MessageStorage;
  readonly metadata: Metadata;
  readonly audit: AuditLog;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface MessagePath {
  readonly storage: StorageService;
  readonly processing: ProcessingService;
  /** To be started in this order: streams refer to index sets. */
  readonly components: readonly Component[];
  /** What the intake threads notice. */
  readonly fromThreads: Required<Pick<IntakeWorkersDeps, 'streamFaulted' | 'fieldsSeen'>>;
  /** Keeps the intake threads informed from now on. */
  inform(threads: { tell(message: ProcessingMessage): void }): void;
}

/** Other nodes change streams and index sets too; what they did is seen within half a second. */
const REFRESH_INTERVAL_MS = 500;

export function createMessagePath(deps: MessagePathDeps, config: NodeConfig): MessagePath {
  const { cluster, messageStorage, metadata } = deps;
  const storage = createStorageService(
    {
      ...deps,
      ...cluster,
      clickhouse: () => messageStorage.clickhouse(),
      isLeader: () => cluster.registry.isLeader(),
    },
    {
      database: config.clickhouse_database,
      refreshIntervalMs: metadata.kind === 'postgres' ? REFRESH_INTERVAL_MS : undefined,
    },
  );
  const processing = createProcessingService(
    { ...deps, ...cluster },
    {
      nodeId: cluster.nodeId,
      streamTimeoutMs: config.stream_processing_timeout,
      maxFaults: config.stream_processing_max_faults,
    },
  );
  return {
    storage,
    processing,
    components: [storage, processing],
    fromThreads: { streamFaulted: processing.faultReported, fieldsSeen: storage.fieldsSeen },
    inform(threads) {
      processing.onSnapshot((snapshot) => threads.tell({ kind: 'streams', snapshot }));
      storage.onSnapshot((snapshot) => threads.tell({ kind: 'index-sets', snapshot }));
      const database = config.clickhouse_database;
      threads.tell({ kind: 'storage', database, servers: [] });
      messageStorage.onServers((servers) =>
        threads.tell({
          kind: 'storage',
          database,
          servers: servers.map((server) => ({ ...server, password: server.password.reveal() })),
        }),
      );
    },
  };
}
