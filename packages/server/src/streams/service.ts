/** Streams on the main thread: how people manage them, and the snapshot by which workers route. */
import type { StreamRuleTypeView } from '@millrace/contract';
import {
  type AuditLog,
  createFaultLedger,
  createPeriodicJob,
  DEFAULT_INDEX_SET_ID,
  DEFAULT_STREAM_ID,
  EVENT_INDEX_SET_ID,
  EVENT_STREAM_ID,
  FAILURE_INDEX_SET_ID,
  FAILURE_STREAM_ID,
  type Startable,
} from '#core/index.ts';
import type { Metadata } from '#metadata/index.ts';
import type { Notifications, SystemMessages } from '#system/service.ts';
import type { Logger, Metrics } from '#telemetry/index.ts';
import type { ExtractorFault, RuleFault, StreamFault } from './index.ts';
import type { OutputViews } from './management/access.ts';
import { NO_ATTACHMENTS, type StreamAttachments } from './management/attachments.ts';
import { createStreamChanges, type StreamChanges } from './management/changes.ts';
import { createStreamFaults } from './management/faults.ts';
import { createMatchThreads } from './management/match-threads.ts';
import { createStreamPreview, type StreamPreview } from './management/preview.ts';
import { createStreamReads, type StreamReads } from './management/reads.ts';
import type { ReadSample } from './management/sampled-message.ts';
import { createSnapshotPublisher } from './management/snapshot-publisher.ts';
import { createTestMatcher } from './management/test-match.ts';
import { ruleTypeViews, type StreamAlerts } from './management/view.ts';
import type { ProcessingSnapshot } from './snapshot.ts';

export type { ExtractorFault, RuleFault, StreamFault } from './index.ts';
export type { StreamAttachments } from './management/attachments.ts';
export { MESSAGE_PROCESSORS_KEY, readProcessorOrder } from './management/pipeline-settings.ts';
export type { StreamPreview } from './management/preview.ts';
export type { ReadSample, SampledMessage } from './management/sampled-message.ts';
export type { StreamAlerts } from './management/view.ts';
export type { ProcessingSnapshot } from './snapshot.ts';

/** Streams and their rules, in the shapes of the API. */
export interface Streams extends StreamReads, StreamChanges {
  ruleTypes(): StreamRuleTypeView[];
}

/**
 * Start it after the built-in index sets exist; from then on there is a snapshot. While it runs, it follows changes of
 * streams, inputs and index sets in the database, whichever node made them.
 */
export interface StreamsService extends Startable {
  readonly streams: Streams;
  createPreview(readSample: ReadSample): StreamPreview;
  /** Called at once with the current snapshot, if there is one, and with every newer one. */
  onSnapshot(listener: (snapshot: ProcessingSnapshot) => void): () => void;
  /** Undefined until the service has started. */
  snapshot(): ProcessingSnapshot | undefined;
  /** Picks up a change of inputs or index sets at once; without it the change is noticed within a second. */
  refresh(): Promise<void>;
  /** Called with the faults that workers report. Never throws. */
  faultReported(fault: StreamFault): void;
  ruleFaultReported(fault: RuleFault): void;
  extractorFaultReported(fault: ExtractorFault): void;
}

export interface StreamsServiceDeps {
  readonly metadata: Metadata;
  readonly audit: AuditLog;
  readonly notifications: Notifications;
  readonly systemMessages: SystemMessages;
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** What the record of each stream says of its alerts; nothing without. */
  readonly alerts?: () => Promise<ReadonlyMap<string, StreamAlerts>>;
  /** For the outputs in stream records; without it they are empty. */
  readonly outputViews?: OutputViews;
  /** Asked when a stream is copied or deleted. */
  readonly attachments?: () => StreamAttachments;
}

export interface StreamsServiceSettings {
  readonly nodeId: string;
  /** `stream_processing_timeout` */
  readonly streamTimeoutMs: number;
  /** `stream_processing_max_faults` */
  readonly maxFaults: number;
  /** How often to look for changes by other nodes and for streams that could not be disabled before. */
  readonly refreshIntervalMs?: number;
}

const DEFAULT_REFRESH_INTERVAL_MS = 500;

export function createStreamsService(
  deps: StreamsServiceDeps,
  settings: StreamsServiceSettings,
): StreamsService {
  const { metadata, audit, notifications, systemMessages, metrics } = deps;
  const { nodeId, streamTimeoutMs, maxFaults, refreshIntervalMs = DEFAULT_REFRESH_INTERVAL_MS } = settings;
  const logger = deps.logger.child({ component: 'streams' });
  const operators = { notifications, systemMessages };
  const ledger = createFaultLedger();
  const publisher = createSnapshotPublisher(
    { metadata, ledger, logger },
    { nodeId, streamTimeoutMs, maxFaults },
  );
  const faults = createStreamFaults(
    { metadata, operators, ledger, publisher, metrics, logger },
    { streamTimeoutMs, maxFaults },
  );
  const outputViews = deps.outputViews ?? (async () => new Map());
  const alerts = deps.alerts ?? noAlerts;
  const attachments = deps.attachments ?? (() => NO_ATTACHMENTS);
  const context = { metadata, publisher, audit, operators, alerts, outputViews, attachments };
  const threads = createMatchThreads();
  const testMatcher = createTestMatcher(threads, { timeoutMs: streamTimeoutMs });
  const refreshing = createPeriodicJob(
    {
      async run() {
        await faults.disableExceeded();
        await publisher.refreshIfChanged();
      },
      logger,
    },
    { name: 'refreshing streams', intervalMs: refreshIntervalMs },
  );

  return {
    name: 'streams',
    streams: {
      ...createStreamReads(context, testMatcher),
      ...createStreamChanges(context),
      ruleTypes: ruleTypeViews,
    },
    createPreview: (readSample) =>
      createStreamPreview({ readSample, threads, testMatcher }, { streamTimeoutMs, maxFaults }),
    onSnapshot: publisher.onSnapshot,
    snapshot: publisher.current,
    refresh: publisher.refresh,
    faultReported: faults.reported,
    ruleFaultReported: faults.ruleReported,
    extractorFaultReported: faults.extractorReported,
    async start() {
      await createBuiltInStreams(metadata);
      await publisher.refresh();
      refreshing.start();
    },
    async stop() {
      await refreshing.stop();
      await faults.disableExceeded();
    },
  };
}

async function noAlerts(): Promise<ReadonlyMap<string, StreamAlerts>> {
  return new Map();
}

const BUILT_IN_STREAM = {
  creator: 'local:admin',
  matchingType: 'AND',
  removeMatches: false,
  state: 'running',
  contentPack: null,
} as const;

async function createBuiltInStreams({ repositories }: Metadata): Promise<void> {
  const { streams } = repositories;
  await streams.ensure(DEFAULT_STREAM_ID, {
    ...BUILT_IN_STREAM,
    title: 'All messages',
    description: 'Contains every message that no other stream has taken out of it',
    indexSetId: DEFAULT_INDEX_SET_ID,
  });
  await streams.ensure(EVENT_STREAM_ID, {
    ...BUILT_IN_STREAM,
    title: 'All events',
    description: 'Contains what alert rules have found',
    indexSetId: EVENT_INDEX_SET_ID,
  });
  await streams.ensure(FAILURE_STREAM_ID, {
    ...BUILT_IN_STREAM,
    title: 'Processing failures',
    description: 'Contains what could not be decoded or stored, with the reason',
    indexSetId: FAILURE_INDEX_SET_ID,
  });
}
