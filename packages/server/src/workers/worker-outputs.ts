import { encodeOutputFailure, isOutputFailure, OUTPUT_FAILURE_CODEC } from '#codecs/index.ts';
import type { Clock, JournalWriter, OutputSink } from '#core/index.ts';
import { createOutputHost, type RefusedMessage, type WantedOutput } from '#outputs/index.ts';
import type { Logger, Metrics } from '#telemetry/index.ts';
import type { FromWorker, OutputSnapshot, WorkerAssignment } from './protocol.ts';

/** The outputs that send from one worker, and what the main thread is told about them. */
export interface WorkerOutputs {
  apply(snapshot: OutputSnapshot): void;
  ofPartition(partition: number, journalEnd: () => number): PartitionOutputs;
  /** The partition is drained and gone. What outputs have queued for it is still sent. */
  partitionRemoved(partition: number): Promise<void>;
  /** Where messages that a destination refuses are kept. */
  useJournal(journal: JournalWriter): void;
  report(): void;
  stop(): Promise<void>;
}

export interface WorkerOutputsDeps {
  readonly clock: Clock;
  readonly post: (message: FromWorker) => void;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/** The outputs, as the processing of one partition sees them. */
export interface PartitionOutputs {
  /** Calls `use` with the sinks of all outputs, now and whenever they change. Resolves after the first time. */
  open(use: (sinks: ReadonlyMap<string, OutputSink>) => void): Promise<void>;
  /** Resolves when the outputs that the main thread has sent so far have their sinks. */
  settled(): Promise<void>;
}

/** How long queues are sent when the worker stops. What remains is sent after the next start. */
const STOP_GRACE_MS = 2000;

export function createWorkerOutputs(deps: WorkerOutputsDeps, assignment: WorkerAssignment): WorkerOutputs {
  const { clock, metrics, post } = deps;
  const logger = deps.logger.child({ component: 'outputs' });
  let journal: JournalWriter | undefined;
  let newestVersion = 0;
  let appliedVersion = 0;
  let settled: Promise<void> = Promise.resolve();
  const lostFailures = metrics.counter('millrace.outputs.unrecorded_refusals', {
    help: 'Messages that a destination refused while the journal could not keep them as failures',
  });

  /** It goes the way of every message, so that it is stored exactly once. */
  function keepRefused({ payload, origin, reason, outputId }: RefusedMessage, { title }: WantedOutput): void {
    if (isOutputFailure(payload)) return;
    const detail = `the destination of the output "${title}" (${outputId}) refused it: ${reason}`;
    const bytes = encodeOutputFailure(detail, payload);
    const accepted = journal?.append({
      source: { ...origin, codecId: OUTPUT_FAILURE_CODEC },
      receivedAt: clock.now(),
      bytes,
      starts: [0],
      ends: [bytes.length],
      count: 1,
    });
    // Waiting could go on for ever: the journal may be full because this very output blocks.
    if (!accepted) lostFailures.increment();
  }

  const host = createOutputHost({
    clock,
    metrics,
    logger,
    refused: keepRefused,
    directory: assignment.outputs.directory,
    filesDirectory: assignment.outputs.filesDirectory,
    shares: assignment.outputs.shares,
    orphans: assignment.outputs.orphans,
  });

  function report(): void {
    post({ kind: 'outputs', version: appliedVersion, reports: host.reports() });
  }

  async function follow({ version, outputs }: OutputSnapshot): Promise<void> {
    await host.apply(outputs);
    appliedVersion = Math.max(appliedVersion, version);
    report();
  }

  return {
    report,
    apply(snapshot) {
      if (snapshot.version <= newestVersion) return;
      newestVersion = snapshot.version;
      const done = follow(snapshot);
      settled = Promise.all([settled, done]).then(() => {});
    },
    ofPartition: (partition, journalEnd) => ({
      open: (useOutputs) => host.openPartition({ partition, journalEnd, useOutputs }),
      settled: () => settled,
    }),
    partitionRemoved: (partition) => host.closePartition(partition),
    useJournal(writer) {
      journal = writer;
    },
    stop: () => host.stop(STOP_GRACE_MS),
  };
}
