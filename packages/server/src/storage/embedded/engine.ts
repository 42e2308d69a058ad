import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type Backoff,
  type BackoffSettings,
  type Clock,
  createBackoff,
  errorMessage,
  RetryableError,
  type Startable,
  StartupError,
} from '#core/index.ts';
import type { Logger } from '#telemetry/index.ts';
import {
  ENGINE_USER,
  type EngineDirectory,
  engineDirectory,
  enginePassword,
  freeLoopbackPort,
  LOOPBACK,
  prepareDirectory,
  writeConfiguration,
} from './configuration.ts';
import { createDefinitions, type Definitions } from './definitions.ts';
import {
  askToEnd,
  type EngineChild,
  type EngineEndpoint,
  type EngineHealth,
  healthOf,
  prepareScript,
  spawnEngine,
  waitUntilReady,
} from './engine-child.ts';
import { type EngineLog, openEngineLog } from './engine-log.ts';
import { currentEngineHost, type EngineHost, type EngineLibrary, findEngineLibrary } from './library.ts';
import { settlePreviousEngine, writeEngineRecord } from './previous-engine.ts';

/**
 * - `stopped`: not started yet, or stopped.
 * - `starting`: the first start is under way.
 * - `running`: the engine answers.
 * - `restarting`: it died and is being restarted, for as long as it takes.
 * - `stopping`: it is being stopped.
 * - `failed`: the first start failed; `start` was rejected with the reason.
 */
export type EngineState = 'stopped' | 'starting' | 'running' | 'restarting' | 'stopping' | 'failed';

export interface EmbeddedEngine extends Startable {
  readonly state: EngineState;
  /** The process id of the engine while it runs. */
  readonly pid: number | undefined;
  /** Whether the engine runs under an emulator. Known once `start` was called. */
  readonly emulated: boolean;
  /**
   * How to reach the server. Throws before the first start. The port stays the same across restarts unless another
   * program has taken it in the meantime, so ask again after a restart.
   */
  endpoint(): EngineEndpoint;
  /** Calls the listener after every change, in order. Returns a function that removes it. */
  onStateChange(listener: (state: EngineState) => void): () => void;
  /** Copies the definitions of tables that are new or have changed. Rejects with a `RetryableError` if it cannot. */
  saveDefinitions(): Promise<void>;
  /** Resolves when the engine is running. Rejects when it is stopped, has failed, or the signal aborts. */
  ready(signal?: AbortSignal): Promise<void>;
}

export interface EmbeddedEngineDeps {
  readonly logger: Logger;
  readonly clock: Clock;
  /** Where to look for the engine's library; by default this machine. */
  readonly host?: EngineHost;
}

export interface EmbeddedEngineSettings {
  readonly dataDir: string;
  /** The server's memory limit; a query that exceeds it fails, the server keeps running. */
  readonly maxMemoryBytes: number;
  /** Where it may write and read backups; nowhere unless given. */
  readonly backupDir?: string | undefined;
  /** Where old messages go; it has no second disk unless given. */
  readonly coldDir?: string | undefined;
  /** Whether other servers may read from this one, and this one from others: it then has a second port. */
  readonly isShard?: boolean;
  /** Used if they are free: those that the engine had before, which others know. */
  readonly ports?: { readonly http: number; readonly native?: number | undefined };
  /** An engine that ran this long counts as healthy: when it dies, it is restarted at once. */
  readonly healthyAfterMs?: number;
  /** One that takes longer to stop is killed. */
  readonly cleanStopMs?: number;
  readonly probes?: ProbeSettings;
}

/** How a running engine is watched: one that does not answer several times in a row is killed and restarted. */
export interface ProbeSettings {
  readonly intervalMs: number;
  readonly timeoutMs: number;
  readonly maxFailures: number;
}

/** A stopped engine is noticed within half a minute; one that is only slow under load is left alone. */
const DEFAULT_PROBES: ProbeSettings = { intervalMs: 3000, timeoutMs: 7000, maxFailures: 3 };
/** How much slower everything is under an emulator. */
const EMULATION_FACTOR = 8;

/** Attempts of the first start: another program can take the port between choosing and opening it. */
const START_ATTEMPTS = 3;
/** Pauses between consecutive restarts. */
export const RESTART_PAUSES: BackoffSettings = { firstMs: 200, maxMs: 5000, immediate: true };
const HEALTHY_AFTER_MS = 2000;
/** Time for a clean stop, and then for the kernel to end the process. Together well below 10 s. */
const CLEAN_STOP_MS = 4000;
const ASK_AGAIN_MS = 500;
const KILLED_STOP_MS = 3000;
/** To load the parts of large tables takes minutes on a slow disk. */
const STILL_STARTING_MS = 60_000;

/** The ClickHouse server that ships with Millrace, in a child process that is watched and restarted. */
export function createEmbeddedEngine(
  deps: EmbeddedEngineDeps,
  settings: EmbeddedEngineSettings,
): EmbeddedEngine {
  return new EngineSupervisor(deps, settings);
}

class EngineSupervisor implements EmbeddedEngine {
  readonly name = 'embedded ClickHouse';
  readonly #logger: Logger;
  readonly #clock: Clock;
  readonly #host: EngineHost;
  readonly #maxMemoryBytes: number;
  readonly #backupDir: string | undefined;
  readonly #coldDir: string | undefined;
  readonly #isShard: boolean;
  readonly #healthyAfterMs: number;
  readonly #cleanStopMs: number;
  readonly #probes: ProbeSettings;
  readonly #directory: EngineDirectory;
  readonly #definitions: Definitions;
  readonly #log: EngineLog;
  readonly #listeners = new Set<(state: EngineState) => void>();
  readonly #stopRequested = new AbortController();
  #state: EngineState = 'stopped';
  #library: EngineLibrary | undefined;
  #script = '';
  #endpoint: EngineEndpoint | undefined;
  #port: number;
  #nativePort: number | undefined;
  #child: EngineChild | undefined;
  #starting: Promise<void> | undefined;
  #watching: Promise<void> | undefined;
  #stopped: Promise<void> | undefined;

  constructor(deps: EmbeddedEngineDeps, settings: EmbeddedEngineSettings) {
    this.#logger = deps.logger;
    this.#clock = deps.clock;
    this.#host = deps.host ?? currentEngineHost();
    this.#maxMemoryBytes = settings.maxMemoryBytes;
    this.#backupDir = settings.backupDir;
    this.#coldDir = settings.coldDir;
    this.#isShard = settings.isShard ?? false;
    this.#port = settings.ports?.http ?? 0;
    this.#nativePort = settings.ports?.native;
    this.#healthyAfterMs = settings.healthyAfterMs ?? HEALTHY_AFTER_MS;
    this.#cleanStopMs = settings.cleanStopMs ?? CLEAN_STOP_MS;
    this.#probes = settings.probes ?? DEFAULT_PROBES;
    this.#directory = engineDirectory(settings.dataDir);
    this.#definitions = createDefinitions(this.#directory);
    this.#log = openEngineLog(this.#directory.log);
  }

  get state(): EngineState {
    return this.#state;
  }

  get pid(): number | undefined {
    return this.#child?.isAlive() === true ? this.#child.pid : undefined;
  }

  get emulated(): boolean {
    return this.#library?.kind === 'emulated';
  }

  endpoint(): EngineEndpoint {
    if (this.#endpoint === undefined) throw new Error('the embedded ClickHouse has not been started');
    return this.#endpoint;
  }

  onStateChange(listener: (state: EngineState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async saveDefinitions(): Promise<void> {
    try {
      await this.#definitions.save();
    } catch (error) {
      throw new RetryableError(`the definitions of tables could not be copied: ${errorMessage(error)}`, {
        cause: error,
      });
    }
  }

  async ready(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const settle = (state: EngineState) => {
        if (state === 'starting' || state === 'restarting') return;
        unsubscribe();
        signal?.removeEventListener('abort', abort);
        if (state === 'running') resolve();
        else reject(new Error(`the embedded ClickHouse is ${state}`));
      };
      const abort = () => {
        unsubscribe();
        reject(signal?.reason);
      };
      const unsubscribe = this.onStateChange(settle);
      signal?.addEventListener('abort', abort, { once: true });
      settle(this.#state);
    });
  }

  start(): Promise<void> {
    this.#starting = this.#start();
    return this.#starting;
  }

  async #start(): Promise<void> {
    this.#stopRequested.signal.throwIfAborted();
    this.#setState('starting');
    const begin = this.#clock.now();
    try {
      this.#library = this.#findLibrary();
      prepareDirectory(this.#directory);
      this.#script = prepareScript(this.#library, this.#directory);
      await settlePreviousEngine(this.#directory.pid, this.#stopRequested.signal);
      await this.#startFirst(this.#library);
    } catch (error) {
      this.#child?.kill();
      await this.#child?.exited;
      if (!this.#stopRequested.signal.aborted) this.#setState('failed');
      throw error;
    }
    this.#setState('running');
    this.#logger.debug(
      { pid: this.pid, startMs: this.#clock.now() - begin },
      'embedded ClickHouse is running',
    );
    this.#watching = this.#watch();
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  #findLibrary(): EngineLibrary {
    const library = findEngineLibrary(this.#host);
    if (library.kind === 'emulated') {
      this.#logger.warn(
        {},
        'ClickHouse runs under an x64 emulator because there is no library for this platform: it is slow and' +
          ' takes long to start. That is good enough to try Millrace; for real load, set clickhouse_uri to a' +
          ' ClickHouse server or use a platform with a native @chdb/lib-* package',
      );
    }
    return library;
  }

  async #startFirst(library: EngineLibrary): Promise<void> {
    let reason: string | undefined;
    for (let attempt = 1; attempt <= START_ATTEMPTS; attempt++) {
      reason = await this.#launch(library);
      if (reason === undefined) return;
      this.#logger.debug({ attempt, reason }, 'embedded ClickHouse did not start');
    }
    throw new StartupError(
      `the embedded ClickHouse did not start: ${reason}. The last lines of ${this.#directory.log}:\n${this.#log.tail()}`,
      `see also ${this.#directory.clickhouseLog}; or set clickhouse_uri to a ClickHouse server of your own`,
    );
  }

  /** One attempt. Resolves with nothing when the engine is ready, or with the reason why it will not be. */
  async #launch(library: EngineLibrary): Promise<string | undefined> {
    for (const { file, outcome } of await this.#definitions.restore()) {
      this.#logger.error(
        { file, outcome },
        'embedded ClickHouse had left an incomplete definition of a table',
      );
    }
    this.#port = await freeLoopbackPort(this.#port);
    if (this.#isShard) this.#nativePort = await freeLoopbackPort(this.#nativePort);
    const password = enginePassword(this.#directory.password);
    const endpoint: EngineEndpoint = {
      url: `http://${LOOPBACK}:${this.#port}`,
      username: ENGINE_USER,
      password,
      instance: randomUUID(),
      ...(this.#nativePort !== undefined && { nativePort: this.#nativePort }),
    };
    writeConfiguration({
      directory: this.#directory,
      port: this.#port,
      nativePort: this.#nativePort,
      password,
      maxMemoryBytes: this.#maxMemoryBytes,
      backupDir: this.#backupDir,
      coldDir: this.#coldDir,
      emulated: this.emulated,
      instance: endpoint.instance,
    });
    this.#stopRequested.signal.throwIfAborted();
    this.#log.mark();
    const child = spawnEngine(library, this.#script, this.#directory, this.#log, endpoint);
    this.#child = child;
    this.#endpoint = endpoint;
    await this.#record(child, endpoint);
    return await this.#waitUntilReady(child, endpoint);
  }

  async #waitUntilReady(child: EngineChild, endpoint: EngineEndpoint): Promise<string | undefined> {
    const begin = this.#clock.now();
    const reminder = setInterval(() => {
      const seconds = Math.round((this.#clock.now() - begin) / 1000);
      this.#logger.warn({ pid: child.pid, seconds }, 'embedded ClickHouse is still starting');
    }, STILL_STARTING_MS).unref();
    try {
      const { signal } = this.#stopRequested;
      const timeoutMs = this.#patienceMs() * this.#probes.maxFailures;
      const outcome = await waitUntilReady(child, endpoint, { signal, timeoutMs });
      if (outcome === 'ready') {
        child.hasStarted();
        return undefined;
      }
      if (outcome === 'ended') return await child.exited;
      child.kill();
      await child.exited;
      return `its port was open for ${timeoutMs} ms without an answer`;
    } finally {
      clearInterval(reminder);
    }
  }

  /** How long it may take to answer a question that costs nothing. */
  #patienceMs(): number {
    const { timeoutMs } = this.#probes;
    return this.emulated ? timeoutMs * EMULATION_FACTOR : timeoutMs;
  }

  /** A later start of this program finds the engine by its record. One without a record must not keep the directory. */
  async #record(child: EngineChild, { instance }: EngineEndpoint): Promise<void> {
    if (!child.isAlive() || child.pid === 0) return;
    try {
      writeEngineRecord(this.#directory.pid, { pid: child.pid, parentPid: process.pid, instance });
    } catch (error) {
      child.kill();
      await child.exited;
      throw error;
    }
  }

  /** Restarts the engine whenever it dies, until stopped. */
  async #watch(): Promise<void> {
    const { signal } = this.#stopRequested;
    const backoff = createBackoff(RESTART_PAUSES);
    while (!signal.aborted) {
      const runningSince = this.#clock.now();
      const ended = new AbortController();
      void this.#killWhenUnhealthy(AbortSignal.any([signal, ended.signal]));
      const reason = await this.#child?.exited;
      ended.abort();
      if (signal.aborted) return;
      this.#setState('restarting');
      this.#logger.error({ reason, lastLines: this.#log.tail() }, 'embedded ClickHouse died, restarting it');
      if (this.#clock.now() - runningSince >= this.#healthyAfterMs) backoff.reset();
      try {
        await this.#restart(backoff);
      } catch (error) {
        if (signal.aborted) return;
        throw error;
      }
      this.#setState('running');
      this.#logger.info({ pid: this.pid }, 'embedded ClickHouse is running again');
    }
  }

  /** Kills the running engine when it does not answer any more or could not write, so that `#watch` restarts it. */
  async #killWhenUnhealthy(signal: AbortSignal): Promise<void> {
    const child = this.#child;
    const { intervalMs, maxFailures } = this.#probes;
    const patienceMs = this.#patienceMs();
    let health: EngineHealth = 'healthy';
    try {
      for (let silent = 0; silent < maxFailures && health !== 'cannot-write'; ) {
        await delay(intervalMs, undefined, { signal, ref: false });
        health = await healthOf(this.endpoint(), signal, patienceMs);
        // Others may have changed them, or a copy could not be written.
        if (health === 'healthy') await this.saveDefinitions().catch(() => {});
        silent = health === 'silent' ? silent + 1 : 0;
      }
    } catch (error) {
      if (signal.aborted) return;
      throw error;
    }
    this.#logger.error(
      { pid: child?.pid, attempts: maxFailures, timeoutMs: patienceMs },
      health === 'cannot-write'
        ? 'embedded ClickHouse could not write to its disk; killing it, so that it sets incomplete files aside'
        : 'embedded ClickHouse does not answer; killing it',
    );
    child?.kill();
  }

  /** Tries until the engine runs. */
  async #restart(backoff: Backoff): Promise<void> {
    const { signal } = this.#stopRequested;
    for (;;) {
      await delay(backoff.next(), undefined, { signal });
      let reason: string | undefined;
      try {
        if (this.#library) reason = await this.#launch(this.#library);
        if (reason === undefined) return;
      } catch (error) {
        // A full disk or a missing port can recover; until then messages wait in the journal.
        signal.throwIfAborted();
        reason = errorMessage(error);
      }
      this.#logger.error(
        { reason, lastLines: this.#log.tail() },
        'embedded ClickHouse could not be restarted, trying again',
      );
    }
  }

  async #stop(): Promise<void> {
    this.#setState('stopping');
    this.#stopRequested.abort(new Error('the embedded ClickHouse is being stopped'));
    const child = this.#child;
    if (child?.isAlive()) await this.#endChild(child);
    await Promise.allSettled([this.#starting, this.#watching]);
    // If the process survives SIGKILL (stuck in the kernel), keep its record: the next start waits for it.
    if (child !== undefined && !child.isAlive()) fs.rmSync(this.#directory.pid, { force: true });
    this.#log.close();
    this.#setState('stopped');
  }

  async #endChild(child: EngineChild): Promise<void> {
    const timeout = AbortSignal.timeout(this.#cleanStopMs);
    // More than once: the statement that keeps it open may not have begun when it is asked first, right after its start.
    while (child.isListening() && this.#endpoint && !timeout.aborted) {
      try {
        await askToEnd(this.#endpoint, timeout);
      } catch (error) {
        // This also happens when the process ends before its answer arrives.
        this.#logger.debug({ reason: errorMessage(error) }, 'embedded ClickHouse did not confirm its stop');
      }
      await Promise.race([child.exited, delay(ASK_AGAIN_MS, undefined, { ref: false })]);
    }
    if (!child.isAlive()) return;
    child.kill();
    await Promise.race([child.exited, delay(KILLED_STOP_MS, undefined, { ref: false })]);
  }

  #setState(state: EngineState): void {
    if (this.#state === state) return;
    this.#state = state;
    for (const listener of [...this.#listeners]) listener(state);
  }
}
