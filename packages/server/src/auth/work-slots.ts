import { RetryableError } from '#core/index.ts';

export interface WorkSlots {
  /** Runs `work` when a slot is free. Rejects with RetryableError if too many are already waiting. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

export interface WorkSlotsSettings {
  /** How many run at the same time. */
  readonly concurrency: number;
  /** How many may wait for their turn. */
  readonly maxWaiting: number;
}

/** Limits how much expensive work runs at the same time: first in, first out, with a bounded queue. */
export function createWorkSlots(settings: WorkSlotsSettings): WorkSlots {
  const waiting: (() => void)[] = [];
  let running = 0;

  const acquire = (): Promise<void> | undefined => {
    if (running < settings.concurrency) {
      running += 1;
      return undefined;
    }
    if (waiting.length >= settings.maxWaiting) {
      throw new RetryableError(
        `${waiting.length} logins are already waiting to be checked. Try again in a few seconds.`,
      );
    }
    return new Promise((resolve) => waiting.push(resolve));
  };

  return {
    async run(work) {
      await acquire();
      try {
        return await work();
      } finally {
        // Pass the slot on to the next in line, or free it.
        const next = waiting.shift();
        if (next === undefined) running -= 1;
        else next();
      }
    },
  };
}
