import {
  type Clock,
  type DroppedFields,
  errorMessage,
  type JournalReader,
  type ObserverSink,
} from '#core/index.ts';
import {
  countedReader,
  createPartitionMetrics,
  type JournalIncident,
  type JournalPartition,
  openPartition,
  type PartitionMetrics,
  type PartitionReport,
  removeDrainedPartition,
  sharedByteBudget,
} from '#journal/index.ts';
import type { WorkerLookups } from '#lookup/index.ts';
import type { Logger, Metrics } from '#telemetry/index.ts';
import type { AssignedPartition, FromWorker, ProcessingMessage, WorkerAssignment } from './protocol.ts';
import type { PartitionOutputs, WorkerOutputs } from './worker-outputs.ts';

/** Reads messages from a partition, processes them and hands them to the sinks. */
export interface Processing {
  /** While it is paused, nothing new is read; what was read is finished. */
  setPaused(paused: boolean): void;
  receive(message: ProcessingMessage): void;
  /** Finishes or gives up what was read; what is not committed is read again after the next start. */
  stop(): Promise<void>;
}

export interface ProcessingContext {
  /** The number of the journal partition. */
  readonly partition: number;
  readonly paused: boolean;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly clock: Clock;
  /** The live tail. All partitions of a worker share one. */
  readonly observer: ObserverSink | undefined;
  /** Without it messages for outputs are only counted. */
  readonly outputs: PartitionOutputs | undefined;
  readonly lookups: Pick<WorkerLookups, 'lookup' | 'change'>;
  readonly droppedFields: DroppedFields;
}

/** Called once for every partition the worker has open. */
export type CreateProcessing = (reader: JournalReader, context: ProcessingContext) => Processing;

/** The journal partitions one worker has open: its own, and those it drains for workers that no longer exist. */
export interface WorkerPartitions {
  /** Opens all of them and returns the partition to append to. */
  open(): Promise<JournalPartition>;
  setPaused(paused: boolean): void;
  receive(message: ProcessingMessage): void;
  report(): PartitionReport[];
  /** Deletes drained leftovers. Calls run one at a time, so that nothing is closed twice. */
  removeDrained(): Promise<void>;
  /** `processed` is awaited when nothing is processed any more and the journals are still open. */
  close(processed?: () => Promise<void> | undefined): Promise<void>;
}

export interface WorkerPartitionsDeps {
  readonly clock: Clock;
  readonly post: (message: FromWorker) => void;
  readonly createProcessing: CreateProcessing | undefined;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly observer: ObserverSink | undefined;
  readonly outputs: WorkerOutputs | undefined;
  readonly lookups: Pick<WorkerLookups, 'lookup' | 'change'>;
  readonly droppedFields: DroppedFields;
}

interface OpenPartition {
  readonly assigned: AssignedPartition;
  readonly journal: JournalPartition;
  readonly metrics: PartitionMetrics;
  readonly processing: Processing | undefined;
}

export function createWorkerPartitions(
  deps: WorkerPartitionsDeps,
  assignment: WorkerAssignment,
): WorkerPartitions {
  const { clock, logger, metrics, observer } = deps;
  let open: OpenPartition[] = [];
  let paused = false;
  let removing: Promise<void> = Promise.resolve();

  async function openOne(assigned: AssignedPartition): Promise<OpenPartition> {
    const budget = sharedByteBudget(assignment.budget, assigned.holder);
    const journal = await openPartition(
      { clock, budget, report: (incident) => deps.post(incidentMessage(incident)) },
      { directory: assigned.directory, ...assignment.journal },
    );
    const processing = deps.createProcessing?.(countedReader(journal.reader, metrics), {
      partition: assigned.number,
      paused,
      metrics,
      logger: logger.child({ component: 'processing' }),
      clock,
      observer,
      lookups: deps.lookups,
      droppedFields: deps.droppedFields,
      outputs: deps.outputs?.ofPartition(assigned.number, () => journal.writer.nextOffset),
    });
    const partition = {
      assigned,
      journal,
      processing,
      metrics: createPartitionMetrics(metrics, assigned.number),
    };
    open.push(partition);
    return partition;
  }

  async function removeDrained(): Promise<void> {
    const drained = open.filter(
      ({ assigned, journal }) =>
        assigned !== assignment.partition && journal.stats().uncommittedRecords === 0,
    );
    for (const partition of drained) {
      open = open.filter((candidate) => candidate !== partition);
      await closeOne(partition);
      await removeLeftover(deps, partition.assigned);
    }
  }

  return {
    async open() {
      const own = await openOne(assignment.partition);
      for (const leftover of assignment.leftovers) await openOne(leftover);
      return own.journal;
    },
    setPaused(value) {
      paused = value;
      for (const { processing } of open) processing?.setPaused(value);
    },
    receive(message) {
      for (const { processing } of open) processing?.receive(message);
    },
    report: () =>
      open.map(({ assigned, journal, metrics }) => {
        const stats = journal.stats();
        metrics.update(stats);
        return { number: assigned.number, stats };
      }),
    removeDrained() {
      removing = removing.then(removeDrained, removeDrained);
      return removing;
    },
    async close(processed) {
      await removing.catch(() => {});
      for (const { processing } of open) await processing?.stop();
      await processed?.();
      for (const { journal } of open) await journal.close();
    },
  };
}

async function removeLeftover(
  { outputs, logger }: WorkerPartitionsDeps,
  { directory, number }: AssignedPartition,
): Promise<void> {
  await outputs?.partitionRemoved(number);
  const removed = await removeDrainedPartition(directory);
  logger.info({ component: 'journal', partition: number, removed }, 'leftover journal partition is empty');
}

async function closeOne({ journal, processing }: OpenPartition): Promise<void> {
  await processing?.stop();
  await journal.close();
}

function incidentMessage({ cause, ...incident }: JournalIncident): FromWorker {
  return {
    kind: 'incident',
    incident: cause === undefined ? incident : { ...incident, cause: errorMessage(cause) },
  };
}
