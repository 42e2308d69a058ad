/** Joins streams and index sets, and keeps the workers informed of both. */
import { streamAlertSummaries } from '#alerts/service.ts';
import { createTurn } from '#cluster/service.ts';
import { type AuditLog, type Clock, monotonicClock, type Startable } from '#core/index.ts';
import type { Metadata } from '#metadata/index.ts';
import type { ClickHouseEndpoint, StorageTiers } from '#storage/index.ts';
import { createStorageService, type MessageStorage, type StorageService } from '#storage/service.ts';
import {
  createStreamsService,
  type ProcessingSnapshot,
  type StreamsService,
  type StreamsServiceDeps,
} from '#streams/service.ts';
import type { Jobs, Notifications, SystemMessages } from '#system/service.ts';
import type { Logger, Metrics } from '#telemetry/index.ts';
import type { ProcessingMessage, StorageServer, WorkerEvents } from '#workers/index.ts';
import { createStreamNews } from './stream-news.ts';

export interface MessagePathDeps {
  readonly messageStorage: MessageStorage;
  readonly metadata: Metadata;
  readonly audit: AuditLog;
  readonly jobs: Jobs;
  readonly notifications: Notifications;
  readonly systemMessages: SystemMessages;
  /** Only one node of a cluster rotates and deletes indices. */
  readonly isLeader: () => boolean;
  readonly outputViews: StreamsServiceDeps['outputViews'] & {};
  /** Nothing is attached to streams without. */
  readonly attachments?: StreamsServiceDeps['attachments'];
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface MessagePathSettings {
  readonly nodeId: string;
  /** `clickhouse_database` */
  readonly database: string;
  /** Where old indices go; undefined: they stay where they are. */
  readonly tiers: StorageTiers | undefined;
  /** `stream_processing_timeout` */
  readonly streamTimeoutMs: number;
  /** `stream_processing_max_faults` */
  readonly maxFaults: number;
}

export interface MessagePath {
  readonly storage: StorageService;
  readonly streams: StreamsService;
  /** To be started in this order: streams refer to index sets. */
  readonly startables: readonly Startable[];
  readonly events: Pick<WorkerEvents, 'streamFaulted' | 'ruleFaulted' | 'extractorFaulted' | 'fieldsSeen'>;
  /** Keeps the workers informed from now on. `beforeStreams` makes sure that they know the outputs of the streams. */
  inform(
    workers: { tell(message: ProcessingMessage): void },
    beforeStreams: (outputIds: readonly string[]) => Promise<void>,
  ): void;
}

/** Other nodes change streams and index sets too; their changes are seen within half a second. */
const REFRESH_INTERVAL_MS = 500;

export function createMessagePath(deps: MessagePathDeps, settings: MessagePathSettings): MessagePath {
  const { messageStorage, metadata, audit, jobs, notifications, systemMessages, metrics, clock, logger } =
    deps;
  const { nodeId, database, tiers, streamTimeoutMs, maxFaults } = settings;
  const isCluster = metadata.kind === 'postgres';
  // A node alone need not wait for the lease of its own process that was killed.
  const takeTurn = isCluster
    ? createTurn(
        { leases: metadata.repositories.leases, monotonic: monotonicClock, clock },
        { name: 'message tables', nodeId },
      )
    : undefined;
  const storage = createStorageService(
    {
      metadata,
      clickhouse: messageStorage.clickhouse,
      jobs,
      systemMessages,
      audit,
      isLeader: deps.isLeader,
      takeTurn,
      clock,
      logger,
    },
    { database, tiers, refreshIntervalMs: isCluster ? REFRESH_INTERVAL_MS : undefined },
  );
  const streams = createStreamsService(
    {
      metadata,
      audit,
      notifications,
      systemMessages,
      metrics,
      logger,
      alerts: () => streamAlertSummaries(metadata),
      outputViews: deps.outputViews,
      ...(deps.attachments !== undefined && { attachments: deps.attachments }),
    },
    { nodeId, streamTimeoutMs, maxFaults },
  );
  return {
    storage,
    streams,
    startables: [storage, streams],
    events: {
      streamFaulted: streams.faultReported,
      ruleFaulted: streams.ruleFaultReported,
      extractorFaulted: streams.extractorFaultReported,
      fieldsSeen: storage.fieldsSeen,
    },
    inform(workers, beforeStreams) {
      const tell = (snapshot: ProcessingSnapshot) => workers.tell({ kind: 'streams', snapshot });
      streams.onSnapshot(createStreamNews({ beforeStreams, tell, logger }));
      storage.onSnapshot((snapshot) => workers.tell({ kind: 'index-sets', snapshot }));
      workers.tell({ kind: 'storage', database, servers: [] });
      messageStorage.onServers((servers, replication) =>
        workers.tell({ kind: 'storage', database, servers: servers.map(clonable), replication }),
      );
    },
  };
}

function clonable({ password, replicas, ...server }: ClickHouseEndpoint): StorageServer {
  return {
    ...server,
    password: password.reveal(),
    ...(replicas !== undefined && { replicas: replicas.map(clonable) }),
  };
}
