/** Growing pauses between attempts: each is twice the one before, up to a longest one. */
export interface Backoff {
  /** The pause before the next attempt, in milliseconds. */
  next(): number;
  /** After a success: the next pause is the first one again. */
  reset(): void;
}

export interface BackoffSettings {
  readonly firstMs: number;
  readonly maxMs: number;
  /** The first attempt after a success is made at once; `firstMs` is the pause before the second. */
  readonly immediate?: boolean;
  /** Each pause is shortened by a random part of this fraction, so that many callers do not retry in step. */
  readonly jitter?: number;
}

/** The pause after `failures` earlier failures in a row; 0 gives the first pause. */
export function exponentialDelay(
  failures: number,
  { firstMs, maxMs }: Pick<BackoffSettings, 'firstMs' | 'maxMs'>,
): number {
  return Math.min(maxMs, firstMs * 2 ** failures);
}

/** @param random from 0 to 1, excluding 1 */
export function createBackoff(settings: BackoffSettings, random: () => number = Math.random): Backoff {
  const { immediate = false, jitter = 0 } = settings;
  const none = immediate ? -1 : 0;
  let failures = none;
  return {
    next() {
      const delayMs = failures < 0 ? 0 : exponentialDelay(failures, settings);
      failures += 1;
      return delayMs * (1 - jitter * random());
    },
    reset() {
      failures = none;
    },
  };
}
