/**
 * The workers as the main thread sees them: starts them, sends them snapshots, collects their reports, and restarts one
 * that died. Everything a dead worker had acknowledged is in its journal partition, which the new one opens.
 */
import { Worker as Thread } from 'node:worker_threads';
import { createVersionWaiters, machineMemoryBytes, type Startable } from '#core/index.ts';
import type { InputWorkers, WantedInput } from '#inputs/service.ts';
import {
  allocateSharedBudget,
  listPartitions,
  type PartitionReport,
  partitionDirectory,
} from '#journal/index.ts';
import { queuedPartitions } from '#outputs/index.ts';
import type { OutputWorkers } from '#outputs/service.ts';
import type { PluginAssignment } from '#plugins/index.ts';
import type { Logger, LogLevel, LogLevels, Metrics } from '#telemetry/index.ts';
import { heapFlags, useHeapFlags } from './heap.ts';
import { createPoolOutputs } from './pool-outputs.ts';
import type {
  AssignedPartition,
  InputSnapshot,
  JournalSettings,
  ProcessingMessage,
  ToWorker,
  WorkerAssignment,
} from './protocol.ts';
import {
  type WorkerEvents,
  WorkerSupervisor,
  type WorkerSupervisorDeps,
  type WorkerSupervisorSettings,
} from './supervisor.ts';

export interface WorkerPool extends Startable, InputWorkers {
  readonly outputs: OutputWorkers;
  /** While it is paused, nothing is read from the journal. */
  setPaused(paused: boolean): void;
  /**
   * Sends a message to all workers, including those that start later, which may need another one. Returns how many are
   * up now.
   */
  tell<M extends ProcessingMessage | LookupMessage | FollowMessage | PluginsMessage>(
    message: M,
    later?: M,
  ): number;
  /** Sends a message to the workers that are up now and wanted. */
  post(message: LookupReply, isWanted: (worker: number) => boolean): void;
  /** Ends a worker that can no longer be asked to, and starts it again. */
  restart(worker: number, reason: string): void;
  /** The newest report of every journal partition of this node, by its number. */
  partitions(): readonly PartitionReport[];
  /**
   * Makes `partitions` tell how they are now: reports come once a second. A worker that does not answer within a second
   * is left as it was.
   */
  lookAtPartitions(): Promise<void>;
  /** Calls `listener` whenever a worker has reported. */
  onReport(listener: () => void): void;
}

export type PluginsMessage = Extract<ToWorker, { readonly kind: 'plugins' }>;
export type LookupMessage = Extract<ToWorker, { readonly kind: 'lookup' }>;
export type LookupReply = Extract<ToWorker, { readonly kind: 'lookup-answers' | 'lookup-forget' }>;
export type FollowMessage = Extract<ToWorker, { readonly kind: 'tails' }>;

export interface WorkerPoolDeps {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly events: WorkerEvents;
  /** Levels changed through the API apply to the workers too. */
  readonly logLevels?: LogLevels;
  /** Starts a thread; replaced in tests. */
  readonly spawn?: (assignment: WorkerAssignment) => Thread;
}

export interface WorkerPoolSettings extends WorkerSupervisorSettings {
  readonly workers: number;
  readonly journalDirectory: string;
  readonly maxJournalBytes: number;
  readonly journal: JournalSettings;
  readonly logLevel: LogLevel;
  readonly udpReceiveBufferBytes: number;
  readonly certificateDirectory: string;
  /** Where the queues of outputs are. */
  readonly outputQueueDirectory: string;
  /** Below which outputs may write files. */
  readonly outputFilesDirectory: string;
  /** None unless told otherwise. */
  readonly plugins?: PluginAssignment;
}

/** Where several sockets can share a port (`SO_REUSEPORT` with balancing). Elsewhere only one worker listens. */
const SHARING_PLATFORMS: readonly NodeJS.Platform[] = ['linux', 'freebsd', 'sunos', 'aix'];

const MAX_LOOK_MS = 1000;

const WORKER_ENTRY = new URL('./entry.ts', import.meta.url);
/** The UDP inputs use `node:ffi`, which Node marks as experimental; the version of Node is pinned. */
const WORKER_FLAGS = ['--disable-warning=ExperimentalWarning'];

const spawnWorker = (assignment: WorkerAssignment): Thread =>
  new Thread(WORKER_ENTRY, { workerData: assignment, execArgv: WORKER_FLAGS });

export function createWorkerPool(deps: WorkerPoolDeps, settings: WorkerPoolSettings): WorkerPool {
  const logger = deps.logger.child({ component: 'workers' });
  const listening = SHARING_PLATFORMS.includes(process.platform) ? settings.workers : 1;
  const statusListeners: (() => void)[] = [];
  const reportListeners: (() => void)[] = [];
  let workers: WorkerSupervisor[] = [];
  let snapshot: InputSnapshot = { version: 0, inputs: [] };
  const outputs = createPoolOutputs(() => workers, tell);
  const waiters = createVersionWaiters((version) => haveApplied(workers, version));
  const looks = createLooks(() => workers);
  /** The newest message of each kind, for workers that start later. */
  const told = new Map<ToWorker['kind'], ToWorker>();
  let isStopped = false;

  function statusesChanged(): void {
    waiters.check();
    callAll(statusListeners);
  }

  function tell(message: ToWorker, later = message): number {
    told.set(message.kind, later);
    postTo(workers, message, () => true);
    return workers.filter(({ isUp }) => isUp).length;
  }

  const inputsFor = (worker: number): ToWorker => ({
    kind: 'inputs',
    snapshot: worker < listening ? snapshot : { ...snapshot, inputs: [] },
  });

  const supervisorDeps = (worker: number): WorkerSupervisorDeps => ({
    ...deps,
    logger,
    nodeLogger: deps.logger,
    spawn: deps.spawn ?? spawnWorker,
    initialMessages: () => [...levelsOf(deps.logLevels), ...told.values(), inputsFor(worker)],
    statusesChanged,
    outputsReported: outputs.reported,
    reported: () => callAll(reportListeners),
    partitionsSeen: looks.answered,
  });

  deps.logLevels?.onChange((...change) => postTo(workers, levelMessage(...change), () => true));

  return {
    name: 'workers',
    outputs,
    async start() {
      const assignments = await assignPartitions(settings, listening);
      if (isStopped) return;
      useHeapFlags(heapFlags(machineMemoryBytes(), settings.workers));
      workers = assignments.map(
        (assignment) => new WorkerSupervisor(supervisorDeps(assignment.worker), settings, assignment),
      );
      await Promise.all(workers.map((worker) => worker.start()));
      logLeftovers(logger, assignments);
    },
    async stop() {
      isStopped = true;
      await Promise.all(workers.map((worker) => worker.stop()));
      statusesChanged();
    },
    async apply(inputs: readonly WantedInput[]) {
      snapshot = { version: snapshot.version + 1, inputs };
      const done = waiters.until(snapshot.version);
      for (const worker of workers) worker.post(inputsFor(worker.assignment.worker));
      statusesChanged();
      await done;
    },
    statuses: () => workers.slice(0, listening).map((worker) => worker.states),
    onStatuses: (listener) => void statusListeners.push(listener),
    setPaused: (paused) => void tell({ kind: 'processing', paused }),
    tell,
    post: (...posted) => postTo(workers, ...posted),
    restart: (number, reason) => workers[number]?.restart(reason),
    partitions: () => partitionsOf(workers),
    lookAtPartitions: looks.look,
    onReport: (listener) => void reportListeners.push(listener),
  };
}

function callAll(listeners: readonly (() => void)[]): void {
  for (const listener of listeners) listener();
}

function partitionsOf(workers: readonly WorkerSupervisor[]): readonly PartitionReport[] {
  return workers.flatMap(({ partitions }) => partitions).sort((a, b) => a.number - b.number);
}

function postTo(
  workers: readonly WorkerSupervisor[],
  message: ToWorker,
  isWanted: (worker: number) => boolean,
): void {
  for (const worker of workers) if (isWanted(worker.assignment.worker)) worker.post(message);
}

function logLeftovers(logger: Logger, assignments: readonly WorkerAssignment[]): void {
  const partitions = assignments.flatMap(({ leftovers }) => leftovers.map(({ number }) => number));
  if (partitions.length > 0) logger.info({ partitions }, 'draining journal partitions of earlier workers');
}

/** A worker that is down does not count: it gets the newest snapshot when it is back. */
function haveApplied(workers: readonly WorkerSupervisor[], version: number): boolean {
  return workers.every((worker) => !worker.isUp || worker.appliedVersion >= version);
}

/** Asks the workers that are up how their partitions are now. */
function createLooks(workers: () => readonly WorkerSupervisor[]) {
  let request = 0;
  const waiters = createVersionWaiters((wanted) =>
    workers().every((worker) => !worker.isUp || worker.answeredRequest >= wanted),
  );
  return {
    answered: waiters.check,
    look(): Promise<void> {
      request += 1;
      postTo(workers(), { kind: 'look-at-partitions', request }, () => true);
      return waiters.until(request, MAX_LOOK_MS);
    },
  };
}

function levelMessage(component: string | undefined, level: LogLevel): ToWorker {
  return { kind: 'log-level', component, level };
}

/** The log levels as they are now. */
function levelsOf(levels: LogLevels | undefined): ToWorker[] {
  return (levels?.changes() ?? []).map(({ component, level }) => levelMessage(component, level));
}

/** Every partition on disk gets a worker: its own or, when there are fewer workers than before, one that drains it. */
async function assignPartitions(
  settings: WorkerPoolSettings,
  listening: number,
): Promise<WorkerAssignment[]> {
  const { workers, journalDirectory, outputQueueDirectory } = settings;
  const leftovers = (await listPartitions(journalDirectory)).filter(({ number }) => number >= workers);
  const budget = allocateSharedBudget(settings.maxJournalBytes, workers + leftovers.length);
  const inherited = leftovers.map(
    ({ number, directory }, index): AssignedPartition => ({ number, directory, holder: workers + index }),
  );
  const drained = new Set(leftovers.map(({ number }) => number));
  const orphans = (await queuedPartitions(outputQueueDirectory)).filter(
    (number) => number >= workers && !drained.has(number),
  );
  return Array.from({ length: workers }, (_, worker) => ({
    worker,
    logLevel: settings.logLevel,
    sharesPorts: listening > 1,
    partition: { number: worker, directory: partitionDirectory(journalDirectory, worker), holder: worker },
    leftovers: inherited.filter((_, index) => index % workers === worker),
    budget,
    journal: settings.journal,
    udpReceiveBufferBytes: settings.udpReceiveBufferBytes,
    certificateDirectory: settings.certificateDirectory,
    outputs: {
      directory: outputQueueDirectory,
      filesDirectory: settings.outputFilesDirectory,
      shares: workers,
      orphans: orphans.filter((_, index) => index % workers === worker),
    },
    plugins: settings.plugins,
  }));
}
