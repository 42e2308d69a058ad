import { createVersionWaiters } from '#core/index.ts';
import type { OutputWorkers, WantedOutput } from '#outputs/service.ts';
import type { ToWorker } from './protocol.ts';
import type { WorkerSupervisor } from './supervisor.ts';

export interface PoolOutputs extends OutputWorkers {
  /** A worker has reported, or is down. */
  reported(): void;
}

/** The outputs of all workers. */
export function createPoolOutputs(
  workers: () => readonly WorkerSupervisor[],
  tell: (message: ToWorker) => unknown,
): PoolOutputs {
  const listeners: (() => void)[] = [];
  let version = 0;
  const waiters = createVersionWaiters((wanted) =>
    workers().every((worker) => !worker.isUp || worker.appliedOutputs >= wanted),
  );
  return {
    async apply(outputs: readonly WantedOutput[]) {
      version += 1;
      const done = waiters.until(version);
      tell({ kind: 'outputs', snapshot: { version, outputs } });
      waiters.check();
      await done;
    },
    reports: () => workers().map((worker) => worker.outputs),
    onReports: (listener) => void listeners.push(listener),
    reported() {
      waiters.check();
      for (const listener of listeners) listener();
    },
  };
}
