/**
 * The intake threads as the main thread sees them: starts them, tells them what to do, collects what they
 * report, and starts one that died again. What a dead thread had acknowledged is in its journal partition,
 * which the new one opens.
 */
import { Worker } from 'node:worker_threads';
import { type Component, errorMessage, StartupError } from '#core/index.ts';
import type { InputStateReport, InputThreads, WantedInput } from '#inputs/service.ts';
import { allocateSharedBudget, listPartitions, partitionDirectory } from '#journal/index.ts';
import type { Logger, LogLevel, LogLevels, Metrics } from '#telemetry/index.ts';
import type {
  AssignedPartition,
  FromIntakeThread,
  InputSnapshot,
  IntakeThreadData,
  JournalSettings,
  PartitionReport,
  ReportedIncident,
  ToIntakeThread,
} from './intake-protocol.ts';

export interface IntakeWorkers extends Component, InputThreads {
  /** While it is paused nothing is taken out of the journal. */
  setPaused(paused: boolean): void;
  /** The newest report of every journal partition of this node, by its number. */
  partitions(): readonly PartitionReport[];
  /** Calls `listener` whenever a thread has reported. */
  onReport(listener: () => void): void;
}

export interface IntakeWorkersDeps {
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** So that a level changed through the API holds in the threads too. */
  readonly logLevels?: LogLevels;
  /** Gets what the threads noticed about their journals. Must not throw. */
  readonly incident: (incident: ReportedIncident) => void;
  /** A thread died and is started again. Must not throw. */
  readonly threadDied?: (thread: number, reason: string) => void;
  /** Makes a thread; tests have their own. */
  readonly spawn?: (data: IntakeThreadData) => Worker;
}

export interface IntakeWorkersConfig {
  readonly threads: number;
  readonly journalDirectory: string;
  readonly maxJournalBytes: number;
  readonly journal: JournalSettings;
  readonly logLevel: LogLevel;
  readonly udpReceiveBufferBytes: number;
  readonly certificateDirectory: string;
  /** A thread that has not stopped by then is ended; what it acknowledged is on disk. */
  readonly stopTimeoutMs?: number;
  readonly restartDelayMs?: number;
  readonly maxRestartDelayMs?: number;
}

const DEFAULT_STOP_TIMEOUT_MS = 6000;
const DEFAULT_RESTART_DELAY_MS = 200;
const DEFAULT_MAX_RESTART_DELAY_MS = 15_000;
/** A thread that lived this long did not die of what it was started with. */
const SOUND_AFTER_MS = 60_000;
/** Where several sockets can have one port (`SO_REUSEPORT` with balancing). Elsewhere one thread listens. */
const SHARING_PLATFORMS: readonly NodeJS.Platform[] = ['linux', 'freebsd', 'sunos', 'aix'];

const INTAKE_WORKER = new URL('./intake-worker.ts', import.meta.url);

export function createIntakeWorkers(deps: IntakeWorkersDeps, config: IntakeWorkersConfig): IntakeWorkers {
  const logger = deps.logger.child({ component: 'intake' });
  const listening = SHARING_PLATFORMS.includes(process.platform) ? config.threads : 1;
  const statusListeners: (() => void)[] = [];
  const reportListeners: (() => void)[] = [];
  let threads: IntakeThreadHandle[] = [];
  let snapshot: InputSnapshot = { version: 0, inputs: [] };
  let waiting: { readonly version: number; readonly done: () => void }[] = [];
  let paused = false;
  let isStopped = false;

  /** A thread that is down cannot be waited for: it gets the newest snapshot when it is back. */
  const hasDone = (thread: IntakeThreadHandle, version: number): boolean =>
    !thread.isUp || thread.doneVersion >= version;

  function statusesChanged(): void {
    const ready = waiting.filter(({ version }) => threads.every((thread) => hasDone(thread, version)));
    waiting = waiting.filter((waiter) => !ready.includes(waiter));
    for (const listener of statusListeners) listener();
    for (const { done } of ready) done();
  }

  function createThreads(assignments: readonly IntakeThreadData[]): IntakeThreadHandle[] {
    return assignments.map(
      (data) =>
        new IntakeThreadHandle(
          {
            ...deps,
            logger,
            nodeLogger: deps.logger,
            spawn: deps.spawn ?? ((threadData) => new Worker(INTAKE_WORKER, { workerData: threadData })),
            initialMessages: () => [
              { kind: 'processing', paused },
              { kind: 'inputs', snapshot: data.thread < listening ? snapshot : { ...snapshot, inputs: [] } },
            ],
            statusesChanged,
            reported: () => {
              for (const listener of reportListeners) listener();
            },
          },
          config,
          data,
        ),
    );
  }

  deps.logLevels?.onChange((component, level) => {
    for (const thread of threads) thread.post({ kind: 'log-level', component, level });
  });

  return {
    name: 'intake',
    async start() {
      const assignments = await assignPartitions(config, listening);
      if (isStopped) return;
      threads = createThreads(assignments);
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
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push({ version, done: resolve });
      for (const thread of threads) thread.postInputs(snapshot, thread.data.thread < listening);
      statusesChanged();
      await promise;
    },
    statuses: () => threads.slice(0, listening).map((thread) => thread.states),
    onStatuses: (listener) => void statusListeners.push(listener),
    setPaused(value) {
      paused = value;
      for (const thread of threads) thread.post({ kind: 'processing', paused });
    },
    partitions: () => threads.flatMap((thread) => thread.partitions).sort((a, b) => a.number - b.number),
    onReport: (listener) => void reportListeners.push(listener),
  };
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

interface HandleDeps extends IntakeWorkersDeps {
  /** What the threads log is not of this part but of their own. */
  readonly nodeLogger: Logger;
  readonly spawn: (data: IntakeThreadData) => Worker;
  /** What a new thread has to know before anything else. */
  readonly initialMessages: () => readonly ToIntakeThread[];
  readonly statusesChanged: () => void;
  readonly reported: () => void;
}

/** One thread through all its lives. */
class IntakeThreadHandle {
  readonly data: IntakeThreadData;
  readonly #deps: HandleDeps;
  readonly #config: IntakeWorkersConfig;
  readonly #loggers = new Map<string, Logger>();
  readonly #source: string;
  #worker: Worker | undefined;
  #exited: Promise<void> = Promise.resolve();
  #isReady = false;
  #stopping = false;
  #states = new Map<string, InputStateReport>();
  #doneVersion = 0;
  #partitions: readonly PartitionReport[] = [];
  #fault: string | undefined;
  #restartTimer: NodeJS.Timeout | undefined;
  #restartDelayMs: number;

  constructor(deps: HandleDeps, config: IntakeWorkersConfig, data: IntakeThreadData) {
    this.#deps = deps;
    this.#config = config;
    this.data = data;
    this.#source = `worker-${data.thread}`;
    this.#restartDelayMs = config.restartDelayMs ?? DEFAULT_RESTART_DELAY_MS;
  }

  get isUp(): boolean {
    return this.#isReady;
  }

  get doneVersion(): number {
    return this.#doneVersion;
  }

  /** Undefined while the thread is down. */
  get states(): ReadonlyMap<string, InputStateReport> | undefined {
    return this.#isReady ? this.#states : undefined;
  }

  /** The last ones known: files do not go away with the thread. */
  get partitions(): readonly PartitionReport[] {
    return this.#partitions;
  }

  /** Rejects with a `StartupError` when the thread cannot open its journal. */
  start(): Promise<void> {
    const started = Promise.withResolvers<void>();
    this.#spawn(started);
    return started.promise;
  }

  post(message: ToIntakeThread): void {
    if (this.#isReady) this.#worker?.postMessage(message);
  }

  postInputs(snapshot: InputSnapshot, listens: boolean): void {
    this.post({ kind: 'inputs', snapshot: listens ? snapshot : { ...snapshot, inputs: [] } });
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#restartTimer);
    const worker = this.#worker;
    if (worker === undefined) return;
    worker.postMessage({ kind: 'stop' } satisfies ToIntakeThread);
    const timer = setTimeout(() => {
      this.#deps.logger.error(
        { thread: this.data.thread },
        'an intake thread did not stop in time and was ended',
      );
      void worker.terminate();
    }, this.#config.stopTimeoutMs ?? DEFAULT_STOP_TIMEOUT_MS);
    await this.#exited;
    clearTimeout(timer);
  }

  #spawn(started?: PromiseWithResolvers<void>): void {
    const worker = this.#deps.spawn(this.data);
    const bornAt = performance.now();
    const exited = Promise.withResolvers<void>();
    this.#worker = worker;
    this.#exited = exited.promise;
    this.#fault = undefined;
    worker.on('message', (message: FromIntakeThread) => this.#receive(message, started));
    worker.on('error', (error) => {
      this.#fault = errorMessage(error);
      this.#deps.logger.error({ thread: this.data.thread, err: error }, 'an intake thread failed');
    });
    worker.on('exit', (code) => {
      const wasReady = this.#isReady;
      this.#worker = undefined;
      this.#isReady = false;
      this.#states = new Map();
      this.#doneVersion = 0;
      this.#deps.metrics.retireSource(this.#source);
      const reason = this.#fault ?? `it ended with code ${code}`;
      exited.resolve();
      this.#deps.statusesChanged();
      if (performance.now() - bornAt > SOUND_AFTER_MS) {
        this.#restartDelayMs = this.#config.restartDelayMs ?? DEFAULT_RESTART_DELAY_MS;
      }
      // The first start is somebody's to fail; every later life is for us to bring about.
      if (started !== undefined && !wasReady) {
        started.reject(new Error(`an intake thread could not start: ${reason}`));
      } else if (!this.#stopping) {
        this.#restart(reason);
      }
    });
  }

  #restart(reason: string): void {
    const { thread } = this.data;
    const delayMs = this.#restartDelayMs;
    this.#restartDelayMs = Math.min(
      delayMs * 2,
      this.#config.maxRestartDelayMs ?? DEFAULT_MAX_RESTART_DELAY_MS,
    );
    this.#deps.logger.error({ thread, reason, delayMs }, 'an intake thread ended, starting it again');
    this.#deps.threadDied?.(thread, reason);
    this.#restartTimer = setTimeout(() => this.#spawn(), delayMs);
  }

  #receive(message: FromIntakeThread, started: PromiseWithResolvers<void> | undefined): void {
    switch (message.kind) {
      case 'ready':
        this.#isReady = true;
        for (const initial of this.#deps.initialMessages()) this.post(initial);
        started?.resolve();
        this.#deps.statusesChanged();
        break;
      case 'failed':
        this.#fault = message.message;
        started?.reject(new StartupError(message.message, message.whatToDo));
        break;
      case 'states':
        this.#states = new Map(message.states.map((state) => [state.id, state]));
        this.#doneVersion = message.version;
        this.#deps.statusesChanged();
        break;
      case 'report':
        this.#partitions = message.partitions;
        this.#deps.metrics.importData(this.#source, message.metrics);
        this.#deps.reported();
        break;
      case 'incident':
        this.#deps.incident(message.incident);
        break;
      case 'log':
        this.#log(message.line);
    }
  }

  /** Lines of the threads are lines of the node, under the part they come from. */
  #log(line: string): void {
    const { level, time: _, component, msg, ...fields } = JSON.parse(line) as Record<string, unknown>;
    const name = typeof component === 'string' ? component : 'intake';
    let logger = this.#loggers.get(name);
    if (logger === undefined) {
      logger = this.#deps.nodeLogger.child({ component: name });
      this.#loggers.set(name, logger);
    }
    const write = logger[level as Exclude<LogLevel, 'silent'>];
    write.call(logger, { ...fields, thread: this.data.thread }, String(msg));
  }
}
