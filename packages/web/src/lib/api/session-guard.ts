/**
 * What happens when a session ends in the middle of something: the calls that were refused wait here, the page
 * stays as it is with everything typed into it, and a log-in form stands over it. Once somebody is logged in
 * again, the calls are repeated, so that a form that was just sent is saved after all.
 */
export interface SessionGuard {
  /** Whether the session has ended and nobody has logged in again. */
  readonly hasEnded: () => boolean;
  /** Resolves when there is a session again; rejects when the caller gives up first. */
  readonly untilRestored: (signal?: AbortSignal) => Promise<void>;
  readonly restored: () => void;
  /** How often a session was restored: a call that began before the last time was refused for the old one. */
  readonly restorations: () => number;
  /** For `useSyncExternalStore`. */
  readonly subscribe: (listener: () => void) => () => void;
}

export function createSessionGuard(): SessionGuard {
  let waiting: (() => void)[] | undefined;
  let restorations = 0;
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of listeners) listener();
  };

  return {
    hasEnded: () => waiting !== undefined,
    restorations: () => restorations,
    async untilRestored(signal) {
      // An event that has been does not come again.
      signal?.throwIfAborted();
      const isFirst = waiting === undefined;
      waiting ??= [];
      const queue = waiting;
      const promise = new Promise<void>((resolve, reject) => {
        queue.push(resolve);
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
      if (isFirst) tell();
      await promise;
    },
    restored() {
      const queue = waiting ?? [];
      waiting = undefined;
      restorations += 1;
      for (const resume of queue) resume();
      tell();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
