import { type Clock, createPeriodicJob, type PeriodicJob } from '#core/index.ts';
import type { Logger } from '#telemetry/index.ts';
import { CALL_FIELDS, type PluginMemory } from './guard.ts';

export interface CallWatchDeps {
  readonly monotonic: Clock;
  readonly logger: Logger;
  /** A call in this worker has not returned within the limit. `slot` is the place of the plugin. */
  readonly blocked: (worker: number, slot: number) => void;
}

export interface CallWatchSettings {
  readonly memory: PluginMemory;
  readonly workers: number;
  readonly limitMs: number;
}

interface SeenCall {
  readonly count: number;
  readonly since: number;
}

/** Watches from the main thread for calls into plugins that do not return. */
export function createCallWatch(deps: CallWatchDeps, settings: CallWatchSettings): PeriodicJob {
  const calls = new Int32Array(settings.memory.calls);
  const seen = new Map<number, SeenCall>();

  function check(worker: number): void {
    const base = worker * CALL_FIELDS.size;
    const plugin = Atomics.load(calls, base + CALL_FIELDS.plugin);
    const count = Atomics.load(calls, base + CALL_FIELDS.count);
    const now = deps.monotonic.now();
    const before = seen.get(worker);
    if (plugin === 0 || before?.count !== count) {
      seen.set(worker, { count, since: now });
      return;
    }
    if (now - before.since <= settings.limitMs) return;
    // The worker is ended for it, and not reported again until it is.
    Atomics.store(calls, base + CALL_FIELDS.plugin, 0);
    seen.delete(worker);
    deps.blocked(worker, plugin - 1);
  }

  return createPeriodicJob(
    {
      logger: deps.logger,
      run() {
        for (let worker = 0; worker < settings.workers; worker++) check(worker);
      },
    },
    {
      name: 'watching calls into plugins',
      intervalMs: Math.max(50, Math.min(500, settings.limitMs / 4)),
      jitter: 0,
    },
  );
}
