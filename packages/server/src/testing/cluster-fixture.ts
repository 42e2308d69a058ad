import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  type Api,
  createApi,
  DEFAULT_API_SETTINGS,
  type NodeRouteDeps,
  nodeRoutes,
  type Route,
} from '#api/index.ts';
import { type Cluster, type ClusterSettings, createCluster } from '#cluster/service.ts';
import {
  type AuditEntry,
  type Authenticator,
  createAnswerMemory,
  monotonicClock,
  systemClock,
} from '#core/index.ts';
import { type Metadata, openMetadata } from '#metadata/index.ts';
import { createSystem, type System } from '#system/service.ts';
import {
  createLogger,
  createLogLevels,
  createMetrics,
  createRecentLogLines,
  type Metrics,
} from '#telemetry/index.ts';
import { NO_JOURNAL, NOTHING_WAITS } from './no-journal.ts';

/** One node of a test: its cluster parts and its API on a real port, over a database that others may share. */
export interface ClusterFixture {
  readonly cluster: Cluster;
  readonly system: System;
  readonly api: Api;
  readonly metrics: Metrics;
  readonly routes: readonly Route[];
  readonly metadata: Metadata;
  readonly audited: readonly AuditEntry[];
  /** How often somebody asked the node to stop. */
  stopRequests(): number;
  /** Ends it in good order. */
  stop(): Promise<void>;
  /** Ends its contact with the others, as a kill would; `stop` still has to follow. */
  die(): Promise<void>;
}

export interface ClusterFixtureOptions {
  readonly nodeId: string;
  readonly authenticator: Authenticator;
  /** Of the shared database; one in memory unless given. */
  readonly metadataUri?: string;
  readonly settings?: Partial<ClusterSettings>;
  readonly routes?: Partial<NodeRouteDeps>;
  readonly validateResponses?: boolean;
}

export async function startClusterFixture(options: ClusterFixtureOptions): Promise<ClusterFixture> {
  const { nodeId, authenticator } = options;
  const levels = createLogLevels('info');
  const recentLogLines = createRecentLogLines();
  const logger = createLogger({ level: 'info', levels, recent: recentLogLines, stream: { write: () => {} } });
  const metrics = createMetrics();
  const audited: AuditEntry[] = [];
  let stopRequests = 0;
  const uri = options.metadataUri ?? 'sqlite::memory:';
  const metadata = await openMetadata({ logger, clock: systemClock }, { uri });
  const audit = { record: async (entry: AuditEntry) => void audited.push(entry) };
  const version = '1.2.3+test';
  const cluster = createCluster(
    { metadata, logger, clock: systemClock, monotonic: monotonicClock },
    {
      nodeId,
      publishUri: () => `${api.address()}/`,
      version,
      throttleThresholdPercentage: 90,
      ...options.settings,
    },
  );
  const { status, registry } = cluster;
  const system = createSystem(
    {
      status,
      registry,
      metadata,
      metrics,
      logger,
      levels,
      recentLogLines,
      clock: systemClock,
      audit,
      stopNode: () => stopRequests++,
    },
    { nodeId, version, codename: 'Testing', directories: [tmpdir()] },
  );
  const startables = [...system.startables, ...cluster.startables];
  const routes = nodeRoutes({
    ...cluster,
    ...system,
    audit,
    metrics,
    exposedConfiguration: () => ({ http_bind_address: '127.0.0.1:0' }),
    journalSummary: () => NO_JOURNAL,
    processingStatus: () => NOTHING_WAITS,
    messageCount: () => 0,
    ...options.routes,
  });
  const api: Api = await createApi(
    { logger, metrics, nodeId, authenticator, answerMemory: createAnswerMemory({ maxBytes: 2 ** 30 }) },
    { ...DEFAULT_API_SETTINGS, port: 0, validateResponses: options.validateResponses ?? true },
    routes,
  );
  await api.start();
  for (const part of startables) await part.start();
  cluster.status.running();
  const stop = async () => {
    for (const part of startables.toReversed()) await part.stop().catch(() => {});
    await api.stop();
    await metadata.close();
  };
  const die = () => metadata.close();
  return {
    cluster,
    system,
    api,
    metrics,
    routes,
    metadata,
    audited,
    stopRequests: () => stopRequests,
    stop,
    die,
  };
}

/** A file for a SQLite database that several nodes of a test share. */
export async function sharedDatabase(): Promise<{ readonly uri: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'millrace-cluster-'));
  return { uri: `sqlite:${folder}/metadata.db`, remove: () => rm(folder, { recursive: true }) };
}
