import { RetryableError } from '#core/index.ts';

export interface WorkSlots {
  /** Runs `work` when a slot is free. Rejects with RetryableError when too many are waiting already. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

export interface WorkSlotsSettings {
  /** How many run at the same time. */
  readonly concurrency: number;
  /** How many may wait for their turn. */
  readonly maxWaiting: number;
}

/** Lets expensive work run only a few at a time, in the order of arrival, with a bounded queue. */
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
        `${waiting.length} logins are waiting to be checked already. Try again in a few seconds.`,
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
        // The slot is handed to the next in line, or given back.
        const next = waiting.shift();
        if (next === undefined) running -= 1;
        else next();
      }
    },
  };
}
