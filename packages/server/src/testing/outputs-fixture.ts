import { outputRoutes, type Route, streamOutputRoutes, urlAllowlistRoutes } from '#api/index.ts';
import { type AuditLog, createSecretCipher, Secret } from '#core/index.ts';
import type { Metadata } from '#metadata/index.ts';
import type { OutputReport, OutputState, WantedOutput } from '#outputs/index.ts';
import { createOutputsService, type OutputsService, type OutputWorkers } from '#outputs/service.ts';
import { createStreamsService, type StreamsService } from '#streams/service.ts';
import {
  createNotifications,
  createSystemMessages,
  createUrlAllowlist,
  type Notifications,
} from '#system/service.ts';
import { createLogger, createMetrics } from '#telemetry/index.ts';
import { FIXTURE_NODE_ID } from './api-fixture.ts';
import { type AuthFixture, createAuthFixture } from './auth-fixture.ts';
import { aloneInTheCluster } from './inputs-fixture.ts';
import { ManualClock } from './manual-clock.ts';
import { openTestMetadata } from './metadata.ts';
import { createIndexSets, streamRoutesOf } from './streams-fixture.ts';

/** Workers that have every output at once, in the state a test wants. */
export function obedientOutputWorkers() {
  let wanted: readonly WantedOutput[] = [];
  let listener = () => {};
  const changes = new Map<string, Partial<OutputReport>>();
  const reportOf = ({ id, paused }: WantedOutput): OutputReport => ({
    id,
    partition: 0,
    state: (paused ? 'PAUSED' : 'RUNNING') satisfies OutputState,
    message: undefined,
    queuedMessages: 0,
    queuedBytes: 0,
    oldestReceivedAt: undefined,
    sentMessages: 0,
    sentRate: 0,
    droppedMessages: 0,
    refusedMessages: 0,
    lastError: undefined,
    ...changes.get(id),
  });
  const workers: OutputWorkers = {
    async apply(outputs) {
      wanted = outputs;
      listener();
    },
    reports: () => [wanted.map(reportOf), undefined],
    onReports: (added) => {
      listener = added;
    },
  };
  return {
    workers,
    wanted: () => wanted,
    report(id: string, change: Partial<OutputReport>) {
      changes.set(id, change);
      listener();
    },
  };
}

/** Real outputs and streams over real authentication, on SQLite in memory; the workers only remember. */
export interface OutputsFixture {
  readonly metadata: Metadata;
  readonly outputs: OutputsService;
  readonly streams: StreamsService;
  readonly notifications: Notifications;
  readonly clock: ManualClock;
  readonly workers: ReturnType<typeof obedientOutputWorkers>;
  readonly auth: AuthFixture;
  readonly routes: readonly Route[];
  readonly call: AuthFixture['call'];
  close(): Promise<void>;
}

export async function createOutputsFixture(): Promise<OutputsFixture> {
  const clock = new ManualClock();
  const metadata = await openTestMetadata(clock);
  await createIndexSets(metadata);
  const logger = createLogger({ level: 'silent', stream: { write: () => {} } });
  const settings = { nodeId: FIXTURE_NODE_ID };
  const notifications = createNotifications({ ...metadata.repositories, logger }, settings);
  const systemMessages = createSystemMessages({ ...metadata.repositories, logger }, settings);
  const metrics = createMetrics({ clock });
  const workers = obedientOutputWorkers();
  const created = Promise.withResolvers<{
    outputs: OutputsService;
    streams: StreamsService;
    routes: readonly Route[];
  }>();

  async function create(audit: AuditLog) {
    const streams: StreamsService = createStreamsService(
      {
        metadata,
        audit,
        notifications,
        systemMessages,
        metrics,
        logger,
        outputViews: () => outputs.views(),
      },
      { ...settings, streamTimeoutMs: 2000, maxFaults: 3 },
    );
    const urlAllowlist = createUrlAllowlist({ metadata, audit, logger });
    await urlAllowlist.start();
    const outputs: OutputsService = createOutputsService(
      {
        metadata,
        workers: workers.workers,
        audit,
        notifications,
        metrics,
        clock,
        logger,
        cipher: createSecretCipher(new Secret('the secret of all nodes')),
        streamsChanged: streams.refresh,
        urls: urlAllowlist,
      },
      { ...settings, refreshIntervalMs: undefined },
    );
    await streams.start();
    await outputs.start();
    const deps = { outputs, nodeCalls: aloneInTheCluster };
    const routes = [...outputRoutes(deps), ...streamOutputRoutes(deps)];
    created.resolve({ outputs, streams, routes });
    return [...routes, ...streamRoutesOf(streams), ...urlAllowlistRoutes({ urlAllowlist })];
  }

  const auth = await createAuthFixture({ metadata, clock, moreRoutes: ({ audit }) => create(audit) });
  const { outputs, streams, routes } = await created.promise;
  return {
    metadata,
    outputs,
    streams,
    notifications,
    clock,
    workers,
    auth,
    routes,
    call: auth.call,
    async close() {
      await streams.stop();
      await outputs.stop();
      await auth.close();
    },
  };
}
