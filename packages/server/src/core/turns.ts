import { UnavailableError } from './service-errors.ts';

/** Limits how many of something run at the same time; a few more may wait. */
export interface Turns {
  /** Rejects with `UnavailableError` when too many wait already, and with the signal's reason when it is aborted. */
  take(signal?: AbortSignal): Promise<void>;
  /** A turn passes directly to the next one that waits. */
  end(): void;
}

export interface TurnsSettings {
  readonly max: number;
  readonly maxWaiting: number;
  /** The message of the `UnavailableError`. */
  readonly refusal: string;
}

export function createTurns({ max, maxWaiting, refusal }: TurnsSettings): Turns {
  let running = 0;
  const waiting: (() => void)[] = [];

  function wait(signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = () => {
      waiting.splice(waiting.indexOf(begin), 1);
      reject(signal?.reason);
    };
    const begin = () => {
      signal?.removeEventListener('abort', leave);
      resolve();
    };
    waiting.push(begin);
    signal?.addEventListener('abort', leave, { once: true });
    return promise;
  }

  return {
    async take(signal) {
      signal?.throwIfAborted();
      if (running < max) {
        running += 1;
        return;
      }
      if (waiting.length >= maxWaiting) throw new UnavailableError(refusal);
      await wait(signal);
    },
    end() {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    },
  };
}
