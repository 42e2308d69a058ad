/** Callers that wait until every worker has a version of something: of the inputs, of the tails. */
export interface VersionWaiters {
  /** Resolves when the version has been reached, at the latest after `maxWaitMs`. */
  until(version: number, maxWaitMs?: number): Promise<void>;
  /** To be called whenever a version may have been reached. */
  check(): void;
}

interface Waiter {
  readonly version: number;
  readonly resolve: () => void;
}

/** @param isReached whether every worker has the version; the caller decides which workers count */
export function createVersionWaiters(isReached: (version: number) => boolean): VersionWaiters {
  const waiting = new Set<Waiter>();
  return {
    until(version, maxWaitMs) {
      if (isReached(version)) return Promise.resolve();
      const { promise, resolve } = Promise.withResolvers<void>();
      const waiter = { version, resolve };
      waiting.add(waiter);
      if (maxWaitMs === undefined) return promise;
      const timer = setTimeout(resolve, maxWaitMs);
      return promise.finally(() => {
        clearTimeout(timer);
        waiting.delete(waiter);
      });
    },
    check() {
      for (const waiter of waiting) {
        if (!isReached(waiter.version)) continue;
        waiting.delete(waiter);
        waiter.resolve();
      }
    },
  };
}
