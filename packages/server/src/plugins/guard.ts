/**
 * Stands between a thread and its plugins. Every call into a plugin goes through the guard of that plugin, which counts
 * what it throws and what takes too long, and calls nothing of a plugin that had too many faults.
 *
 * While a call runs, memory shared with the main thread says which plugin it is and counts up for every call. So
 * `call-watch.ts` sees a call that does not return, although the thread itself can no longer say anything.
 */
import { createFaultCounter, createTimeGuard, monotonicClock, type TimeGuard } from '#core/index.ts';
import { describeError, isMistake, PluginError, type PluginFault, type PluginFaultKind } from './fault.ts';

export interface PluginGuard {
  readonly plugin: string;
  isOff(): boolean;
  /** Says that the plugin is switched off and what to do. */
  readonly offText: string;
  /** Calls into the plugin. What it throws is a fault, and a `PluginError` for the caller. */
  call<Result>(what: string, work: () => Result, options?: CallOptions): Result;
  /**
   * The same for work that may fail for reasons outside of the plugin: a rejection passes unchanged, and is a fault only
   * if it is a mistake of the program.
   */
  run<Result>(what: string, work: () => Promise<Result>): Promise<Result>;
  /** Calls `listener` when the plugin is switched off. Returns a function that ends that. */
  onOff(listener: (reason: string) => void): () => void;
}

export interface CallOptions {
  /** For calls that only look at a configuration: people must be able to change it in any case. */
  readonly evenWhenOff?: boolean;
  /** Something else limits its time. */
  readonly isUnwatched?: boolean;
  /** The same, but on the main thread nothing else does. */
  readonly isUnwatchedInWorkers?: boolean;
  /** What it may throw without a fault: that is thrown as it is. */
  readonly isExpected?: (error: unknown) => boolean;
}

/** What all threads of the node share. */
export interface PluginMemory {
  /** The ledger of faults. */
  readonly faults: SharedArrayBuffer;
  /** For each worker the plugin that it calls now, and how many calls it has made. */
  readonly calls: SharedArrayBuffer;
}

export interface GuardSettings {
  readonly memory: PluginMemory;
  /** The place of each plugin in the memory, by its name. */
  readonly slots: ReadonlyMap<string, number>;
  /** The number of the worker; undefined on the main thread, where a call that takes too long is interrupted. */
  readonly worker: number | undefined;
  /** How long one call may take. */
  readonly limitMs: number;
  /** One fault more switches a plugin off. */
  readonly maxFaults: number;
}

export interface PluginGuards {
  of(plugin: string): PluginGuard;
  /** Counts and reports a fault that was found elsewhere. */
  record(plugin: string, kind: PluginFaultKind, message: string): void;
  /** These plugins are switched off now: components that run by themselves are told. */
  switchedOff(plugins: readonly string[]): void;
}

export const CALL_FIELDS = { plugin: 0, count: 1, size: 2 } as const;

export function createPluginGuards(
  report: (fault: PluginFault) => void,
  settings: GuardSettings,
): PluginGuards {
  const guards = new Map<string, Guard>();
  const calls = settings.worker === undefined ? undefined : new Int32Array(settings.memory.calls);
  const base = (settings.worker ?? 0) * CALL_FIELDS.size;
  // A worker that was ended during a call has left it there.
  if (calls !== undefined) Atomics.store(calls, base + CALL_FIELDS.plugin, 0);
  let current: { readonly kind: PluginFaultKind; readonly message: string } = { kind: 'call', message: '' };
  const counter = createFaultCounter(
    { memory: settings.memory.faults, slots: settings.slots, maxFaults: settings.maxFaults },
    (plugin, count) => report({ plugin, ...current, count }),
  );

  function record(plugin: string, kind: PluginFaultKind, message: string): void {
    current = { kind, message };
    if (counter.record(plugin)) guards.get(plugin)?.tellOff();
  }

  /** Says which plugin runs; returns what ran before, since calls may be nested. */
  function enter(slot: number): number {
    if (calls === undefined) return 0;
    Atomics.add(calls, base + CALL_FIELDS.count, 1);
    return Atomics.exchange(calls, base + CALL_FIELDS.plugin, slot);
  }

  const context: GuardContext = {
    limitMs: settings.limitMs,
    interrupter: settings.worker === undefined ? createTimeGuard() : undefined,
    isOff: counter.isExceeded,
    record,
    enter,
    slotOf: (plugin) => (settings.slots.get(plugin) ?? -1) + 1,
  };
  return {
    of: (plugin) => guards.getOrInsertComputed(plugin, () => new Guard(plugin, context)),
    record,
    switchedOff(plugins) {
      for (const plugin of plugins) guards.get(plugin)?.tellOff();
    },
  };
}

interface GuardContext {
  readonly limitMs: number;
  readonly interrupter: TimeGuard | undefined;
  isOff(plugin: string): boolean;
  record(plugin: string, kind: PluginFaultKind, message: string): void;
  enter(slot: number): number;
  /** From 1. */
  slotOf(plugin: string): number;
}

class Guard implements PluginGuard {
  readonly plugin: string;
  readonly #context: GuardContext;
  readonly #slot: number;
  readonly #listeners = new Set<(reason: string) => void>();

  constructor(plugin: string, context: GuardContext) {
    this.plugin = plugin;
    this.#context = context;
    this.#slot = context.slotOf(plugin);
  }

  get offText(): string {
    return `the plugin ${this.plugin} is switched off; see /system/plugins for the reason and to enable it again`;
  }

  isOff(): boolean {
    return this.#context.isOff(this.plugin);
  }

  call<Result>(what: string, work: () => Result, options: CallOptions = {}): Result {
    if (!options.evenWhenOff && this.isOff()) throw new PluginError(this.offText);
    try {
      return this.#isUnwatched(options) ? work() : this.#timed(what, work);
    } catch (error) {
      // A call inside of this one has counted it.
      if (error instanceof PluginError || options.isExpected?.(error)) throw error;
      throw this.#failed(what, error);
    }
  }

  #isUnwatched({ isUnwatched = false, isUnwatchedInWorkers = false }: CallOptions): boolean {
    return isUnwatched || (isUnwatchedInWorkers && this.#context.interrupter === undefined);
  }

  async run<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
    if (this.isOff()) throw new PluginError(this.offText);
    try {
      return await this.#timed(what, work);
    } catch (error) {
      throw isMistake(error) ? this.#failed(what, error) : error;
    }
  }

  onOff(listener: (reason: string) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  tellOff(): void {
    for (const listener of [...this.#listeners]) listener(this.offText);
  }

  #failed(what: string, error: unknown): PluginError {
    const message = `${what}: ${describeError(error)}`;
    this.#context.record(this.plugin, 'call', message);
    return new PluginError(`the plugin ${this.plugin} failed: ${message}`, undefined, {
      cause: error,
    });
  }

  /** Only the time in which the thread could do nothing else counts, not that of a promise. */
  #timed<Result>(what: string, work: () => Result): Result {
    if (this.#context.interrupter !== undefined)
      return this.#interruptible(what, work, this.#context.interrupter);
    const startedAt = monotonicClock.now();
    const before = this.#context.enter(this.#slot);
    try {
      return work();
    } finally {
      this.#context.enter(before);
      const took = monotonicClock.now() - startedAt;
      if (took > this.#context.limitMs) {
        this.#blocked(`${what} blocked its thread for ${Math.round(took)} ms`);
      }
    }
  }

  /** The main thread cannot be ended and started again as a worker is: what does not return is broken off. */
  #interruptible<Result>(what: string, work: () => Result, interrupter: TimeGuard): Result {
    let result: { readonly value: Result } | undefined;
    const run = () => {
      result = { value: work() };
    };
    if (interrupter.run(run, this.#context.limitMs) && result !== undefined) return result.value;
    const problem = `${what} did not return and was broken off`;
    this.#blocked(problem);
    throw new PluginError(`the plugin ${this.plugin} failed: ${problem}`);
  }

  #blocked(problem: string): void {
    const message = `${problem}; the limit is ${this.#context.limitMs} ms`;
    this.#context.record(this.plugin, 'blocked', message);
  }
}
