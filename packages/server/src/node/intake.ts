/** Joins everything between the sockets of the inputs and the journal. */
import type { JournalSummary, ProcessingStatus } from '@millrace/contract';
import type { NodeStatus } from '#cluster/service.ts';
import type { AuditLog, Clock, SecretCipher, Startable } from '#core/index.ts';
import { INPUT_TYPES } from '#inputs/index.ts';
import { createInputsService, type InputsService, type InputsServiceConfig } from '#inputs/service.ts';
import { createNodeJournal, createStoredUntil } from '#journal/index.ts';
import type { Metadata } from '#metadata/index.ts';
import { OUTPUT_TYPES } from '#outputs/index.ts';
import { createOutputsService, type OutputsService } from '#outputs/service.ts';
import type { Notifications, SystemMessages, UrlAllowlist } from '#system/service.ts';
import type { Logger, LogLevels, Metrics } from '#telemetry/index.ts';
import {
  createIncidentReporter,
  createWorkerPool,
  type WorkerEvents,
  type WorkerPool,
  type WorkerPoolSettings,
} from '#workers/index.ts';

/** The types of inputs and outputs by their ids. */
export const COMPONENT_TYPES = { input: INPUT_TYPES.find, output: OUTPUT_TYPES.find };

export interface Intake {
  readonly inputs: InputsService;
  /** Start it before the workers learn of streams. */
  readonly outputs: OutputsService;
  readonly journalSummary: () => Promise<JournalSummary>;
  readonly processingStatus: () => ProcessingStatus;
  /** Every message that this node received before this time is stored. */
  readonly storedUntil: () => number;
  readonly workers: WorkerPool;
  /** To be started in this order: the workers with their journals, then the inputs. */
  readonly startables: readonly Startable[];
}

export interface IntakeDeps {
  readonly status: NodeStatus;
  readonly notifications: Notifications;
  readonly systemMessages: SystemMessages;
  readonly metadata: Metadata;
  readonly audit: AuditLog;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly levels: LogLevels;
  readonly cipher: SecretCipher;
  readonly urlAllowlist: UrlAllowlist;
  /** Workers must route by the outputs that streams have now. */
  readonly streamsChanged: () => Promise<void>;
  /** What the workers report to other parts of the node. */
  readonly events: Pick<
    WorkerEvents,
    | 'streamFaulted'
    | 'ruleFaulted'
    | 'extractorFaulted'
    | 'pluginFaulted'
    | 'fieldsSeen'
    | 'lookupRequested'
    | 'tailed'
  >;
}

export interface IntakeSettings {
  readonly nodeId: string;
  readonly workers: WorkerPoolSettings;
  readonly maxJournalAgeMs: number;
  /** From this utilization on (0 to 1), operators are told that the journal fills up. */
  readonly highJournalUtilization: number;
  readonly inputs: Omit<InputsServiceConfig, 'nodeId' | 'refreshIntervalMs'>;
}

/** Other nodes change inputs too; their changes are seen within a second. */
const REFRESH_INTERVAL_MS = 1000;

export function createIntake(deps: IntakeDeps, settings: IntakeSettings): Intake {
  const { status, notifications, systemMessages, metadata, audit, metrics, clock, logger, levels } = deps;
  const { nodeId } = settings;
  const incidents = createIncidentReporter(
    { notifications, systemMessages, logger, inputTitle: (id) => inputs.title(id) },
    { nodeId, highUtilization: settings.highJournalUtilization },
  );
  const workers = createWorkerPool(
    {
      logger,
      metrics,
      logLevels: levels,
      events: {
        ...deps.events,
        incident: incidents.report,
        workerDied: incidents.workerDied,
        manyFieldNames: incidents.manyFieldNames,
      },
    },
    settings.workers,
  );
  const journal = createNodeJournal(
    { partitions: workers.partitions, metrics },
    {
      ...settings.workers.journal,
      directory: settings.workers.journalDirectory,
      maxBytes: settings.workers.maxJournalBytes,
      maxAgeMs: settings.maxJournalAgeMs,
    },
  );
  const storedUntil = createStoredUntil({ partitions: workers.partitions, clock });
  workers.onReport(() => {
    storedUntil.reported();
    const utilization = journal.utilization();
    status.setJournalUtilization(utilization * 100);
    incidents.utilization(utilization);
  });
  status.onChange((now, before) => {
    if (now.isProcessing !== before.isProcessing) workers.setPaused(!now.isProcessing);
  });
  workers.setPaused(!status.view().isProcessing);

  const inputs: InputsService = createInputsService(
    { metadata, workers, audit, notifications, systemMessages, metrics, clock, logger, cipher: deps.cipher },
    {
      ...settings.inputs,
      nodeId,
      refreshIntervalMs: metadata.kind === 'postgres' ? REFRESH_INTERVAL_MS : undefined,
    },
  );
  const outputs = createOutputsService(
    {
      metadata,
      workers: workers.outputs,
      audit,
      notifications,
      metrics,
      clock,
      logger,
      cipher: deps.cipher,
      streamsChanged: deps.streamsChanged,
      urls: deps.urlAllowlist,
    },
    { nodeId, refreshIntervalMs: metadata.kind === 'postgres' ? REFRESH_INTERVAL_MS : undefined },
  );
  return {
    inputs,
    outputs,
    workers,
    async journalSummary() {
      // Whoever waits for an empty journal must not be told so by a report of before the last messages.
      await workers.lookAtPartitions();
      return journal.summary();
    },
    processingStatus: () => processingStatus(clock.now(), storedUntil.time()),
    storedUntil: storedUntil.time,
    startables: [workers, inputs],
  };
}

/** What is stored is processed. Of what is not, nobody knows how far its processing is. */
function processingStatus(now: number, storedUntil: number): ProcessingStatus {
  const stored = new Date(Math.min(now, storedUntil)).toISOString();
  return {
    receive_times: { ingest: new Date(now).toISOString(), post_processing: stored, post_indexing: stored },
  };
}
