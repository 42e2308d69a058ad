/**
 * `npm run bench -- plugins`: what the guard around a plugin costs each call, in a worker, where another thread watches it,
 * and on the main thread, where it can be broken off. The best of several rounds that take turns with calls without a
 * guard. The last line is JSON.
 */
import os from 'node:os';
import { createFaultLedger } from '../../packages/server/src/core/index.ts';
import { createPluginGuards } from '../../packages/server/src/plugins/guard.ts';

const ROUNDS = 10;
const CALLS = { bare: 1_000_000, worker: 1_000_000, main: 2_000 };
const PLUGIN = 'bench';

export async function run(): Promise<void> {
  let sum = 0;
  const work = () => {
    sum += 1;
  };
  const [inWorker, onMainThread] = [guardOf(0), guardOf(undefined)];
  const best = {
    bare: Number.POSITIVE_INFINITY,
    worker: Number.POSITIVE_INFINITY,
    main: Number.POSITIVE_INFINITY,
  };
  for (let round = 0; round < ROUNDS; round++) {
    best.bare = Math.min(best.bare, microsecondsOf(CALLS.bare, work));
    best.worker = Math.min(
      best.worker,
      microsecondsOf(CALLS.worker, () => inWorker.call('bench', work)),
    );
    best.main = Math.min(
      best.main,
      microsecondsOf(CALLS.main, () => onMainThread.call('bench', work)),
    );
  }
  console.log(
    `µs for a call: ${best.bare.toFixed(3)} without a guard, ${best.worker.toFixed(2)} in a worker, ${best.main.toFixed(0)} on the main thread`,
  );
  console.log(JSON.stringify({ bench: 'plugins', load: os.loadavg()[0], calls: sum, ...best }));
}

function guardOf(worker: number | undefined) {
  const ledger = createFaultLedger();
  const guards = createPluginGuards(() => {}, {
    memory: { faults: ledger.memory, calls: new SharedArrayBuffer(8) },
    slots: new Map([[PLUGIN, ledger.slotOf(PLUGIN)]]),
    worker,
    limitMs: 2000,
    maxFaults: 3,
  });
  return guards.of(PLUGIN);
}

function microsecondsOf(calls: number, work: () => void): number {
  const startedAt = performance.now();
  for (let call = 0; call < calls; call++) work();
  return ((performance.now() - startedAt) * 1000) / calls;
}
