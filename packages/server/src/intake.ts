/** Everything between the sockets of the inputs and the journal, joined together for one node. */
import path from 'node:path';
import type { JournalSummary } from '@millrace/contract';
import type { Cluster } from '#cluster/service.ts';
import type { NodeConfig } from '#config/index.ts';
import type { AuditLog, Clock, Component } from '#core/index.ts';
import { createInputsService, type InputsService } from '#inputs/service.ts';
import type { Metadata } from '#metadata/index.ts';
import type { Logger, LogLevels, Metrics } from '#telemetry/index.ts';
import { createIncidentDesk } from './intake-incidents.ts';
import { createNodeJournal } from './intake-journal.ts';
import { createIntakeWorkers, type IntakeWorkers, type IntakeWorkersDeps } from './intake-workers.ts';

export interface Intake {
  readonly inputs: InputsService;
  readonly journalSummary: () => JournalSummary;
  readonly workers: Pick<IntakeWorkers, 'tell'>;
  /** To be started in this order: first the threads with their journals, then the inputs that listen. */
  readonly components: readonly Component[];
}

export interface IntakeDeps extends Pick<IntakeWorkersDeps, 'streamFaulted' | 'fieldsSeen' | 'tailed'> {
  readonly cluster: Pick<Cluster, 'nodeId' | 'status' | 'notifications' | 'systemMessages'>;
  readonly metadata: Metadata;
  readonly audit: AuditLog;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly levels: LogLevels;
}

/** Other nodes change inputs too; what they did is seen within a second. */
const REFRESH_INTERVAL_MS = 1000;
/** The rest of the node wants to stop within the time too. */
const SHARE_OF_SHUTDOWN = 0.6;

export function createIntake(deps: IntakeDeps, config: NodeConfig): Intake {
  const { cluster, metrics, logger } = deps;
  const { nodeId, status } = cluster;
  const desk = createIncidentDesk(
    { ...cluster, logger },
    { nodeId, highUtilization: config.lb_throttle_threshold_percentage / 100 },
  );
  const workers = createIntakeWorkers(
    { ...deps, logLevels: deps.levels, incident: desk.report, threadDied: desk.threadDied },
    {
      threads: config.processing_workers,
      journalDirectory: config.message_journal_dir,
      maxJournalBytes: config.message_journal_max_size,
      journal: {
        flushAgeMs: config.message_journal_flush_age,
        fullPolicy: config.message_journal_full_policy,
        segmentBytes: config.message_journal_segment_size,
        segmentAgeMs: config.message_journal_segment_age,
      },
      logLevel: config.log_level,
      udpReceiveBufferBytes: config.udp_recvbuffer_sizes,
      certificateDirectory: path.join(config.data_dir, 'tls'),
      stopTimeoutMs: config.shutdown_timeout * SHARE_OF_SHUTDOWN,
    },
  );
  const journal = createNodeJournal(
    { partitions: workers.partitions, metrics },
    {
      directory: config.message_journal_dir,
      maxBytes: config.message_journal_max_size,
      maxAgeMs: config.message_journal_max_age,
      segmentBytes: config.message_journal_segment_size,
      segmentAgeMs: config.message_journal_segment_age,
      flushAgeMs: config.message_journal_flush_age,
    },
  );
  workers.onReport(() => {
    const utilization = journal.utilization();
    status.setJournalUtilization(utilization * 100);
    desk.utilization(utilization);
  });
  status.onChange((now, before) => {
    if (now.isProcessing !== before.isProcessing) workers.setPaused(!now.isProcessing);
  });
  workers.setPaused(!status.view().isProcessing);

  const inputs = createInputsService(
    { ...deps, ...cluster, threads: workers },
    {
      nodeId,
      rootUsername: config.root_username,
      defaultInputs: config.default_inputs ? defaultInputsOf(config) : undefined,
      refreshIntervalMs: deps.metadata.kind === 'postgres' ? REFRESH_INTERVAL_MS : undefined,
    },
  );
  return { inputs, workers, journalSummary: journal.summary, components: [workers, inputs] };
}

function defaultInputsOf(config: NodeConfig) {
  return {
    bindAddress: config.default_inputs_bind_address,
    udpPort: config.default_input_udp_port,
    tcpPort: config.default_input_tcp_port,
    httpPort: config.default_input_http_port,
  };
}
