import type { Worker } from 'node:worker_threads';
import { errorMessage, StartupError } from '#core/index.ts';
import type { InputStateReport } from '#inputs/index.ts';
import type { StreamFault } from '#processing/index.ts';
import type { TailDelivery } from '#search/tail/index.ts';
import type { SeenField } from '#storage/index.ts';
import type { Logger, LogLevel, Metrics } from '#telemetry/index.ts';
import type {
  FromIntakeThread,
  IntakeThreadData,
  PartitionReport,
  ReportedIncident,
  ToIntakeThread,
} from './intake-protocol.ts';

export interface IntakeThreadHandleDeps {
  readonly logger: Logger;
  /** What the threads log is not of this part but of their own. */
  readonly nodeLogger: Logger;
  readonly metrics: Metrics;
  /** Gets what the thread noticed about its journals. Must not throw. */
  readonly incident: (incident: ReportedIncident) => void;
  /** The thread died and is started again. Must not throw. */
  readonly threadDied?: ((thread: number, reason: string) => void) | undefined;
  readonly spawn: (data: IntakeThreadData) => Worker;
  /** What a new thread has to know before anything else. */
  readonly initialMessages: () => readonly ToIntakeThread[];
  readonly statusesChanged: () => void;
  readonly reported: () => void;
  /** Get what processing noticed. Must not throw. */
  readonly streamFaulted?: ((fault: StreamFault) => void) | undefined;
  readonly fieldsSeen?: ((fields: readonly SeenField[]) => void) | undefined;
  /** Gets what is followed live. Must not throw. */
  readonly tailed?: ((thread: number, delivery: TailDelivery) => void) | undefined;
}

export interface IntakeThreadHandleConfig {
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

/** One thread through all its lives. */
export class IntakeThreadHandle {
  readonly data: IntakeThreadData;
  readonly #deps: IntakeThreadHandleDeps;
  readonly #config: IntakeThreadHandleConfig;
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

  constructor(deps: IntakeThreadHandleDeps, config: IntakeThreadHandleConfig, data: IntakeThreadData) {
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
      case 'stream-fault':
        this.#deps.streamFaulted?.(message.fault);
        break;
      case 'new-fields':
        this.#deps.fieldsSeen?.(message.fields);
        break;
      case 'tail':
        this.#deps.tailed?.(this.data.thread, message.delivery);
        this.post({ kind: 'tail-taken' });
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
