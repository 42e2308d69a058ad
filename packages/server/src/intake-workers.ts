/**
 * The intake threads as the main thread sees them: starts them, tells them what to do, collects what they
 * report, and starts one that died again. What a dead thread had acknowledged is in its journal partition,
 * which the new one opens.
 */
import { Worker } from 'node:worker_threads';
import type { Component } from '#core/index.ts';
import type { InputThreads, WantedInput } from '#inputs/service.ts';
import { allocateSharedBudget, listPartitions, partitionDirectory } from '#journal/index.ts';
import type { LogLevel, LogLevels } from '#telemetry/index.ts';
import type {
  AssignedPartition,
  InputSnapshot,
  IntakeThreadData,
  JournalSettings,
  PartitionReport,
  ProcessingMessage,
  ToIntakeThread,
} from './intake-protocol.ts';
import {
  IntakeThreadHandle,
  type IntakeThreadHandleConfig,
  type IntakeThreadHandleDeps,
} from './intake-thread-handle.ts';

export interface IntakeWorkers extends Component, InputThreads {
  /** While it is paused nothing is taken out of the journal. */
  setPaused(paused: boolean): void;
  /** Tells all threads, also those that are started later. Returns how many are there now. */
  tell(message: ProcessingMessage | FollowMessage): number;
  /** The newest report of every journal partition of this node, by its number. */
  partitions(): readonly PartitionReport[];
  /** Calls `listener` whenever a thread has reported. */
  onReport(listener: () => void): void;
}

export type FollowMessage = Extract<ToIntakeThread, { readonly kind: 'tails' }>;

export interface IntakeWorkersDeps
  extends Pick<
    IntakeThreadHandleDeps,
    'logger' | 'metrics' | 'incident' | 'threadDied' | 'streamFaulted' | 'fieldsSeen' | 'tailed'
  > {
  /** So that a level changed through the API holds in the threads too. */
  readonly logLevels?: LogLevels;
  /** Makes a thread; tests have their own. */
  readonly spawn?: (data: IntakeThreadData) => Worker;
}

export interface IntakeWorkersConfig extends IntakeThreadHandleConfig {
  readonly threads: number;
  readonly journalDirectory: string;
  readonly maxJournalBytes: number;
  readonly journal: JournalSettings;
  readonly logLevel: LogLevel;
  readonly udpReceiveBufferBytes: number;
  readonly certificateDirectory: string;
}

/** Where several sockets can have one port (`SO_REUSEPORT` with balancing). Elsewhere one thread listens. */
const SHARING_PLATFORMS: readonly NodeJS.Platform[] = ['linux', 'freebsd', 'sunos', 'aix'];

const INTAKE_WORKER = new URL('./intake-worker.ts', import.meta.url);
/** The UDP inputs use `node:ffi`, which says of itself that it may change; the version of Node is pinned. */
const THREAD_FLAGS = ['--disable-warning=ExperimentalWarning'];

export function createIntakeWorkers(deps: IntakeWorkersDeps, config: IntakeWorkersConfig): IntakeWorkers {
  const logger = deps.logger.child({ component: 'intake' });
  const listening = SHARING_PLATFORMS.includes(process.platform) ? config.threads : 1;
  const statusListeners: (() => void)[] = [];
  const reportListeners: (() => void)[] = [];
  let threads: IntakeThreadHandle[] = [];
  let snapshot: InputSnapshot = { version: 0, inputs: [] };
  const waiters = createWaiters(() => threads);
  /** What every thread must know, the newest of each kind. */
  const told = new Map<ToIntakeThread['kind'], ToIntakeThread>();
  let isStopped = false;

  function statusesChanged(): void {
    const ready = waiters.takeReady();
    for (const listener of statusListeners) listener();
    for (const done of ready) done();
  }

  function tell(message: ToIntakeThread): number {
    told.set(message.kind, message);
    for (const thread of threads) thread.post(message);
    return threads.filter(({ isUp }) => isUp).length;
  }

  const inputsFor = (thread: number): ToIntakeThread => ({
    kind: 'inputs',
    snapshot: thread < listening ? snapshot : { ...snapshot, inputs: [] },
  });

  const handleDeps = (thread: number): IntakeThreadHandleDeps => ({
    ...deps,
    logger,
    nodeLogger: deps.logger,
    spawn: deps.spawn ?? ((data) => new Worker(INTAKE_WORKER, { workerData: data, execArgv: THREAD_FLAGS })),
    initialMessages: () => [...levelsOf(deps.logLevels), ...told.values(), inputsFor(thread)],
    statusesChanged,
    reported: () => {
      for (const listener of reportListeners) listener();
    },
  });

  deps.logLevels?.onChange((component, level) => {
    for (const thread of threads) thread.post({ kind: 'log-level', component, level });
  });

  return {
    name: 'intake',
    async start() {
      const assignments = await assignPartitions(config, listening);
      if (isStopped) return;
      threads = assignments.map((data) => new IntakeThreadHandle(handleDeps(data.thread), config, data));
      await Promise.all(threads.map((thread) => thread.start()));
      const leftovers = threads.flatMap(({ data }) => data.leftovers.map(({ number }) => number));
      if (leftovers.length > 0)
        logger.info({ partitions: leftovers }, 'draining journal partitions of earlier threads');
    },
    async stop() {
      isStopped = true;
      await Promise.all(threads.map((thread) => thread.stop()));
      statusesChanged();
    },
    async apply(inputs: readonly WantedInput[]) {
      const version = snapshot.version + 1;
      snapshot = { version, inputs };
      const done = waiters.untilDone(version);
      for (const thread of threads) thread.post(inputsFor(thread.data.thread));
      statusesChanged();
      await done;
    },
    statuses: () => threads.slice(0, listening).map((thread) => thread.states),
    onStatuses: (listener) => void statusListeners.push(listener),
    setPaused: (paused) => void tell({ kind: 'processing', paused }),
    tell,
    partitions: () => threads.flatMap((thread) => thread.partitions).sort((a, b) => a.number - b.number),
    onReport: (listener) => void reportListeners.push(listener),
  };
}

/** Those who wait until every thread has done with a snapshot of the inputs. */
function createWaiters(threads: () => readonly IntakeThreadHandle[]) {
  let waiting: { readonly version: number; readonly done: () => void }[] = [];
  /** A thread that is down cannot be waited for: it gets the newest snapshot when it is back. */
  const isDone = (version: number): boolean =>
    threads().every((thread) => !thread.isUp || thread.doneVersion >= version);
  return {
    untilDone(version: number): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push({ version, done: resolve });
      return promise;
    },
    takeReady(): (() => void)[] {
      const ready = waiting.filter(({ version }) => isDone(version));
      waiting = waiting.filter((waiter) => !ready.includes(waiter));
      return ready.map(({ done }) => done);
    },
  };
}

/** Levels that were changed since the configuration was read. */
function levelsOf(levels: LogLevels | undefined): ToIntakeThread[] {
  return [...(levels?.list() ?? [])].map(([component, level]) => ({ kind: 'log-level', component, level }));
}

/** Every partition on disk gets a thread: its own, or one that drains it when there are fewer threads now. */
async function assignPartitions(config: IntakeWorkersConfig, listening: number): Promise<IntakeThreadData[]> {
  const { threads, journalDirectory } = config;
  const leftovers = (await listPartitions(journalDirectory)).filter(({ number }) => number >= threads);
  const budget = allocateSharedBudget(config.maxJournalBytes, threads + leftovers.length);
  const inherited = leftovers.map(
    ({ number, directory }, index): AssignedPartition => ({ number, directory, holder: threads + index }),
  );
  return Array.from({ length: threads }, (_, thread) => ({
    thread,
    logLevel: config.logLevel,
    sharesPorts: listening > 1,
    partition: { number: thread, directory: partitionDirectory(journalDirectory, thread), holder: thread },
    leftovers: inherited.filter((_, index) => index % threads === thread),
    budget,
    journal: config.journal,
    udpReceiveBufferBytes: config.udpReceiveBufferBytes,
    certificateDirectory: config.certificateDirectory,
  }));
}
