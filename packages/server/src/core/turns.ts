import { UnavailableError } from './service-errors.ts';

/** Limits how many of something run at the same time; a few more may wait. */
export interface Turns {
  /** Rejects with `UnavailableError` when too many wait already. */
  take(): Promise<void>;
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
  return {
    async take() {
      if (running < max) {
        running += 1;
        return;
      }
      if (waiting.length >= maxWaiting) throw new UnavailableError(refusal);
      await new Promise<void>((resolve) => waiting.push(resolve));
    },
    end() {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    },
  };
}
