import { pino } from 'pino';
import { createCopyNotifications } from '#alerts/notifications/management/copies.ts';
import { createNoticeQueue } from '#alerts/notifications/service.ts';
import { createAlertsOfStreams } from '#alerts/rules/alerts-of-streams.ts';
import { streamAlertSummaries } from '#alerts/service.ts';
import {
  extractorRoutes,
  extractorToolRoutes,
  pipelineRoutes,
  type Route,
  streamRoutes,
} from '#api/index.ts';
import {
  type AuditLog,
  createComponentSecrets,
  createSecretCipher,
  DEFAULT_INDEX_SET_ID,
  FAILURE_INDEX_SET_ID,
  NotFoundError,
  type Principal,
  Secret,
} from '#core/index.ts';
import type { Metadata } from '#metadata/index.ts';
import {
  createExtractorsService,
  createPipelinesService,
  createStockGrokPatterns,
} from '#processing/service.ts';
import {
  createStreamsService,
  type SampledMessage,
  type StreamAttachments,
  type StreamsService,
} from '#streams/service.ts';
import { createNotifications, createSystemMessages, type Notifications } from '#system/service.ts';
import { createMetrics, type Metrics } from '#telemetry/index.ts';
import { createSimulationThreads } from '#workers/index.ts';
import { type AuthFixture, createAuthFixture } from './auth-fixture.ts';
import { ManualClock } from './manual-clock.ts';
import { openTestMetadata } from './metadata.ts';

export const OTHER_INDEX_SET_ID = 'aaaaaaaaaaaaaaaaaaaaaaaa';
export const READ_ONLY_INDEX_SET_ID = 'bbbbbbbbbbbbbbbbbbbbbbbb';

/** Real streams over real authentication, on SQLite in memory. */
export interface StreamsFixture {
  readonly metadata: Metadata;
  readonly processing: StreamsService;
  readonly notifications: Notifications;
  readonly auth: AuthFixture;
  readonly call: AuthFixture['call'];
  readonly pipelineRoutes: readonly Route[];
  readonly extractorRoutes: readonly Route[];
  /** What the API reads. */
  readonly metrics: Metrics;
  /** What previews look at, the newest first. */
  readonly stored: SampledMessage[];
  close(): Promise<void>;
}

export async function createStreamsFixture(
  config: { readonly streamTimeoutMs?: number } = {},
): Promise<StreamsFixture> {
  const clock = new ManualClock();
  const metadata = await openTestMetadata(clock);
  await createIndexSets(metadata);
  await createStockGrokPatterns(metadata);
  const logger = pino({ level: 'silent' });
  const nodeId = 'node-1';
  const { repositories } = metadata;
  const notifications = createNotifications(
    { notifications: repositories.notifications, logger },
    { nodeId },
  );
  const systemMessages = createSystemMessages(
    { systemMessages: repositories.systemMessages, logger },
    { nodeId },
  );
  const metrics = createMetrics({ clock });
  const create = (audit: AuditLog) =>
    createStreamsService(
      {
        metadata,
        audit,
        notifications,
        systemMessages,
        metrics,
        logger,
        alerts: () => streamAlertSummaries(metadata),
        attachments: () => attachmentsOf(metadata, audit, clock),
      },
      { nodeId, streamTimeoutMs: config.streamTimeoutMs ?? 2000, maxFaults: 3 },
    );
  const stored: SampledMessage[] = [];
  const simulations = createSimulationThreads({ logger });
  const started = Promise.withResolvers<StreamsService>();
  const pipelines = Promise.withResolvers<readonly Route[]>();
  const extractors = Promise.withResolvers<readonly Route[]>();
  const timeoutMs = config.streamTimeoutMs ?? 2000;
  const auth = await createAuthFixture({
    metadata,
    clock,
    moreRoutes: async ({ audit }) => {
      const service = create(audit);
      await service.start();
      started.resolve(service);
      const deps = { metadata, audit, changed: service.refresh, notifications, simulations, clock };
      const routes = pipelineRoutes(
        createPipelinesService({ ...deps, snapshot: service.snapshot, ...readingFrom(stored) }),
      );
      pipelines.resolve(routes);
      const ofExtractors = createExtractorsService(
        { ...deps, metrics, snapshot: service.snapshot },
        { timeoutMs, version: '1.2.3' },
      );
      const more = [...extractorRoutes(ofExtractors), ...extractorToolRoutes(ofExtractors)];
      extractors.resolve(more);
      return [...streamRoutesOf(service, stored), ...routes, ...more];
    },
  });
  const processing = await started.promise;
  return {
    metadata,
    processing,
    notifications,
    auth,
    call: auth.call,
    pipelineRoutes: await pipelines.promise,
    extractorRoutes: await extractors.promise,
    metrics,
    stored,
    async close() {
      await simulations.stop();
      await processing.stop();
      await auth.close();
    },
  };
}

/** Its secrets are encrypted by this. */
export const notificationSecrets = createComponentSecrets(
  createSecretCipher(new Secret('a secret of this test')),
  'notification',
);

function attachmentsOf(metadata: Metadata, audit: AuditLog, clock: ManualClock): StreamAttachments {
  return createAlertsOfStreams({
    metadata,
    audit,
    clock,
    settings: { checkIntervalMs: 60_000 },
    queue: createNoticeQueue({ metadata }),
    copyNotifications: createCopyNotifications({ secrets: notificationSecrets, audit, clock }),
  });
}

/** What simulations read, over these messages. */
function readingFrom(stored: readonly SampledMessage[]) {
  return {
    readMessage: async (_principal: Principal, index: string, id: string) => {
      const found = stored.find((message) => message.index === index && message.id === id);
      if (found === undefined) throw new NotFoundError(`There is no message ${id} in index ${index}.`);
      return found;
    },
    async *readHistory(_caller: unknown, { limit }: { readonly limit: number }) {
      yield stored.slice(0, limit);
    },
  };
}

/** The routes over the service, with a preview over these messages. */
export function streamRoutesOf(service: StreamsService, stored: readonly SampledMessage[] = []) {
  return streamRoutes({
    streams: service.streams,
    preview: service.createPreview(async function* (_caller, { limit }) {
      yield stored.slice(0, limit);
    }),
  });
}

export async function createIndexSets({ repositories }: Metadata): Promise<void> {
  const set = (id: string, changes: { isDefault?: boolean; writable?: boolean } = {}) =>
    repositories.indexSets.insertBuiltIn({
      id,
      isDefault: false,
      title: `set ${id}`,
      description: null,
      prefix: `p${id}`,
      shards: 1,
      replicas: 0,
      rotation: { type: 'message-count', config: {} },
      retention: { type: 'delete', config: {} },
      writable: true,
      analyzer: 'standard',
      maxSegments: 1,
      optimizationDisabled: false,
      fieldTypeRefreshMs: 5000,
      dataTiering: null,
      ...changes,
    });
  await set(DEFAULT_INDEX_SET_ID, { isDefault: true });
  await set(FAILURE_INDEX_SET_ID);
  await set(OTHER_INDEX_SET_ID);
  await set(READ_ONLY_INDEX_SET_ID, { writable: false });
}
