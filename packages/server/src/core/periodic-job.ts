import { errorMessage } from './errors.ts';
import { UnavailableError } from './service-errors.ts';
import { systemTimers, type Timers } from './timers.ts';

/**
 * Work that a node repeats: heartbeats, clean-up, looking for changes.
 *
 * Contract: turns never overlap; the pause before a turn begins when the previous one has ended. A failing turn never
 * rejects anything: the first failure in a row is logged as a warning under the job's name, the following ones at debug
 * level, and so is every `UnavailableError`, which only says that another part is still starting.
 */
export interface PeriodicJob {
  /** The first turn begins after one pause. Does nothing once the job was stopped. */
  start(): void;
  /** Runs a turn now, after the one in progress, and resolves when it has ended, even if it failed. */
  runNow(): Promise<void>;
  /** Starts no further turns and resolves when the one in progress has ended. */
  stop(): Promise<void>;
}

/** What a job needs of a logger. */
export interface JobLogger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export interface PeriodicJobDeps {
  readonly run: () => void | Promise<void>;
  readonly logger: JobLogger;
  /** Given: only the leader of the cluster runs the job. Left out: every node does. */
  readonly isLeader?: () => boolean;
  readonly timers?: Timers;
  /** From 0 to 1, excluding 1. */
  readonly random?: () => number;
}

export interface PeriodicJobSettings {
  /** For the log, such as `index rotation`. */
  readonly name: string;
  readonly intervalMs: number;
  /**
   * Each pause is shortened by a random part of this fraction of the interval, so that the nodes of a cluster do not
   * work in step.
   */
  readonly jitter?: number;
}

const DEFAULT_JITTER = 0.1;

export function createPeriodicJob(deps: PeriodicJobDeps, settings: PeriodicJobSettings): PeriodicJob {
  const { logger, isLeader, timers = systemTimers, random = Math.random } = deps;
  const { name, intervalMs, jitter = DEFAULT_JITTER } = settings;
  let state: 'new' | 'started' | 'stopped' = 'new';
  let cancel: (() => void) | undefined;
  let lastTurn: Promise<void> = Promise.resolve();
  let isFailing = false;

  async function turn(): Promise<void> {
    if (isLeader?.() === false) return;
    try {
      await deps.run();
      if (isFailing) logger.info({ job: name }, `${name} works again`);
      isFailing = false;
    } catch (error) {
      const isStarting = error instanceof UnavailableError;
      const level = isStarting || isFailing ? 'debug' : 'warn';
      logger[level]({ job: name, reason: errorMessage(error) }, `${name} failed; it will be tried again`);
      isFailing ||= !isStarting;
    }
  }

  function runNow(): Promise<void> {
    lastTurn = lastTurn.then(turn);
    return lastTurn;
  }

  function scheduleNext(): void {
    if (state !== 'started') return;
    cancel = timers.schedule(intervalMs * (1 - jitter * random()), () => void runNow().then(scheduleNext));
  }

  return {
    start() {
      if (state !== 'new') return;
      state = 'started';
      scheduleNext();
    },
    runNow,
    stop() {
      state = 'stopped';
      cancel?.();
      return lastTurn;
    },
  };
}
