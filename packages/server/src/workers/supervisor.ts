import type { Worker as Thread } from 'node:worker_threads';
import { type Backoff, createBackoff, errorMessage, StartupError } from '#core/index.ts';
import type { InputStateReport } from '#inputs/index.ts';
import type { PartitionReport } from '#journal/index.ts';
import type { LookupRequests } from '#lookup/index.ts';
import type { OutputReport } from '#outputs/index.ts';
import type { PluginFault } from '#plugins/index.ts';
import type { TailDelivery } from '#search/index.ts';
import type { ManyFieldNames, SeenField } from '#storage/index.ts';
import type { ExtractorFault, RuleFault, StreamFault } from '#streams/index.ts';
import type { Logger, LogLevel, Metrics } from '#telemetry/index.ts';
import type { FromWorker, ReportedIncident, ToWorker, WorkerAssignment } from './protocol.ts';

/** Reports of a worker that other parts of the node handle. Implementations must not throw. */
export interface WorkerEvents {
  /** The worker noticed something about its journals. */
  incident(incident: ReportedIncident): void;
  /** The worker died and is restarted. */
  workerDied(worker: number, reason: string): void;
  /** A stream exceeded its time limit. */
  streamFaulted(fault: StreamFault): void;
  /** A plugin had a fault in the worker. */
  pluginFaulted(fault: PluginFault): void;
  ruleFaulted(fault: RuleFault): void;
  extractorFaulted(fault: ExtractorFault): void;
  /** The worker stored fields it had not stored before. */
  fieldsSeen(fields: readonly SeenField[]): void;
  /** An input sends messages whose field names contain ids. */
  manyFieldNames(found: ManyFieldNames): void;
  /** Rules of the worker want to know keys of remote lookup tables. */
  lookupRequested(worker: number, requests: LookupRequests): void;
  /** Messages for live tails. */
  tailed(worker: number, delivery: TailDelivery): void;
}

export interface WorkerSupervisorDeps {
  readonly logger: Logger;
  /** For the log lines of the worker, which carry component names of their own. */
  readonly nodeLogger: Logger;
  readonly metrics: Metrics;
  readonly events: WorkerEvents;
  readonly spawn: (assignment: WorkerAssignment) => Thread;
  /** The first messages for a new worker. */
  readonly initialMessages: () => readonly ToWorker[];
  readonly statusesChanged: () => void;
  readonly reported: () => void;
  /** A request for a look at its partitions was answered. */
  readonly partitionsSeen: () => void;
  readonly outputsReported: () => void;
}

export interface WorkerSupervisorSettings {
  /** A worker that has not stopped by then is ended; what it acknowledged is on disk. */
  readonly stopTimeoutMs?: number;
  readonly restartDelayMs?: number;
  readonly maxRestartDelayMs?: number;
}

const DEFAULT_STOP_TIMEOUT_MS = 6000;
const DEFAULT_RESTART_DELAY_MS = 200;
const DEFAULT_MAX_RESTART_DELAY_MS = 15_000;
/** The death of a worker that ran this long is not blamed on its start: the restart delay begins from the shortest. */
const STABLE_AFTER_MS = 60_000;

/** Starts one worker, and starts it again whenever its thread ends. */
export class WorkerSupervisor {
  readonly assignment: WorkerAssignment;
  readonly #deps: WorkerSupervisorDeps;
  readonly #settings: WorkerSupervisorSettings;
  readonly #loggers = new Map<string, Logger>();
  readonly #source: string;
  #thread: Thread | undefined;
  #exited: Promise<void> = Promise.resolve();
  #isReady = false;
  #stopping = false;
  #states = new Map<string, InputStateReport>();
  #appliedVersion = 0;
  #partitions: readonly PartitionReport[] = [];
  #answeredRequest = 0;
  #outputs: readonly OutputReport[] = [];
  #appliedOutputs = 0;
  #fault: string | undefined;
  #restartTimer: NodeJS.Timeout | undefined;
  readonly #restartDelay: Backoff;

  constructor(deps: WorkerSupervisorDeps, settings: WorkerSupervisorSettings, assignment: WorkerAssignment) {
    this.#deps = deps;
    this.#settings = settings;
    this.assignment = assignment;
    this.#source = `worker-${assignment.worker}`;
    this.#restartDelay = createBackoff({
      firstMs: settings.restartDelayMs ?? DEFAULT_RESTART_DELAY_MS,
      maxMs: settings.maxRestartDelayMs ?? DEFAULT_MAX_RESTART_DELAY_MS,
    });
  }

  get isUp(): boolean {
    return this.#isReady;
  }

  get appliedVersion(): number {
    return this.#appliedVersion;
  }

  /** Undefined while the worker is down. */
  get states(): ReadonlyMap<string, InputStateReport> | undefined {
    return this.#isReady ? this.#states : undefined;
  }

  get appliedOutputs(): number {
    return this.#appliedOutputs;
  }

  /** Undefined while the worker is down. */
  get outputs(): readonly OutputReport[] | undefined {
    return this.#isReady ? this.#outputs : undefined;
  }

  /** The last known ones: files remain when the worker dies. */
  get partitions(): readonly PartitionReport[] {
    return this.#partitions;
  }

  /** The last request for a look at the partitions that was answered. */
  get answeredRequest(): number {
    return this.#answeredRequest;
  }

  /** Rejects with a `StartupError` when the worker cannot open its journal. */
  start(): Promise<void> {
    const started = Promise.withResolvers<void>();
    this.#spawn(started);
    return started.promise;
  }

  post(message: ToWorker): void {
    if (this.#isReady) this.#thread?.postMessage(message);
  }

  /** Ends the thread at once, as if it had died. What it acknowledged is on disk. */
  restart(reason: string): void {
    this.#fault = reason;
    void this.#thread?.terminate();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#restartTimer);
    const thread = this.#thread;
    if (thread === undefined) return;
    thread.postMessage({ kind: 'stop' } satisfies ToWorker);
    const timer = setTimeout(() => {
      this.#deps.logger.error(
        { worker: this.assignment.worker },
        'worker did not stop in time and was terminated',
      );
      void thread.terminate();
    }, this.#settings.stopTimeoutMs ?? DEFAULT_STOP_TIMEOUT_MS);
    await this.#exited;
    clearTimeout(timer);
  }

  #spawn(started?: PromiseWithResolvers<void>): void {
    const thread = this.#deps.spawn(this.assignment);
    const startedAt = performance.now();
    const exited = Promise.withResolvers<void>();
    this.#thread = thread;
    this.#exited = exited.promise;
    this.#fault = undefined;
    thread.on('message', (message: FromWorker) => this.#receive(message, started));
    thread.on('error', (error) => {
      this.#fault = errorMessage(error);
      this.#deps.logger.error({ worker: this.assignment.worker, err: error }, 'worker failed');
    });
    thread.on('exit', (code) => {
      const wasReady = this.#isReady;
      this.#thread = undefined;
      this.#isReady = false;
      this.#states = new Map();
      this.#appliedVersion = 0;
      this.#appliedOutputs = 0;
      this.#outputs = [];
      this.#deps.metrics.retireSource(this.#source);
      const reason = this.#fault ?? `it ended with code ${code}`;
      exited.resolve();
      this.#deps.statusesChanged();
      if (performance.now() - startedAt > STABLE_AFTER_MS) this.#restartDelay.reset();
      // The caller of `start` handles a failed first start; later ones are retried here.
      if (started !== undefined && !wasReady) {
        started.reject(new Error(`worker ${this.assignment.worker} could not start: ${reason}`));
      } else if (!this.#stopping) {
        this.#restart(reason);
      }
    });
  }

  #restart(reason: string): void {
    const { worker } = this.assignment;
    const delayMs = this.#restartDelay.next();
    this.#deps.logger.error({ worker, reason, delayMs }, 'worker ended; restarting it');
    this.#deps.events.workerDied(worker, reason);
    this.#restartTimer = setTimeout(() => this.#spawn(), delayMs);
  }

  #receive(message: FromWorker, started: PromiseWithResolvers<void> | undefined): void {
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
        this.#appliedVersion = message.version;
        this.#deps.statusesChanged();
        break;
      case 'report':
        this.#partitions = message.partitions;
        this.#deps.metrics.importData(this.#source, message.metrics);
        this.#deps.reported();
        break;
      case 'partitions':
        this.#partitions = message.partitions;
        this.#answeredRequest = message.request;
        this.#deps.partitionsSeen();
        break;
      case 'outputs':
        this.#outputs = message.reports;
        this.#appliedOutputs = message.version;
        this.#deps.outputsReported();
        break;
      case 'incident':
        this.#deps.events.incident(message.incident);
        break;
      case 'stream-fault':
        this.#deps.events.streamFaulted(message.fault);
        break;
      case 'plugin-fault':
        this.#deps.events.pluginFaulted(message.fault);
        break;
      case 'rule-fault':
        this.#deps.events.ruleFaulted(message.fault);
        break;
      case 'extractor-fault':
        this.#deps.events.extractorFaulted(message.fault);
        break;
      case 'new-fields':
        this.#deps.events.fieldsSeen(message.fields);
        break;
      case 'many-field-names':
        this.#deps.events.manyFieldNames(message.found);
        break;
      case 'lookup-requests':
        this.#deps.events.lookupRequested(this.assignment.worker, message.requests);
        break;
      case 'tail':
        this.#deps.events.tailed(this.assignment.worker, message.delivery);
        this.post({ kind: 'tail-taken' });
        break;
      case 'log':
        this.#log(message.line);
    }
  }

  /** The worker's log lines become lines of the node's log, under the component they come from. */
  #log(line: string): void {
    const { level, time: _, component, msg, ...fields } = JSON.parse(line) as Record<string, unknown>;
    const name = typeof component === 'string' ? component : 'workers';
    let logger = this.#loggers.get(name);
    if (logger === undefined) {
      logger = this.#deps.nodeLogger.child({ component: name });
      this.#loggers.set(name, logger);
    }
    const write = logger[level as Exclude<LogLevel, 'silent'>];
    write.call(logger, { ...fields, worker: this.assignment.worker }, String(msg));
  }
}
