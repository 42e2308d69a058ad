import { setTimeout as delay } from 'node:timers/promises';
import { createBackoff, errorMessage, RetryableError } from '#core/index.ts';
import type { Logger } from '#telemetry/index.ts';
import type { ClickHouse } from '../clickhouse/index.ts';

export interface RetryingDeps {
  /** Undefined while the engine has not started yet. */
  readonly clickhouse: () => ClickHouse | undefined;
  readonly logger: Logger;
  /** Called at every failed attempt with the reason, and with undefined when it works again. */
  readonly trouble: (reason: string | undefined, error?: unknown) => void;
}

export interface RetryingConfig {
  readonly firstRetryMs: number;
  readonly maxRetryMs: number;
}

/**
 * Repeats work that needs the servers until it succeeds, with growing pauses; meanwhile messages wait in the journal.
 * Rejects with the signal's reason, or with an error for which `isFinal` is true.
 */
export type UntilItWorks = <T>(
  signal: AbortSignal,
  work: (clickhouse: ClickHouse) => Promise<T>,
  isFinal?: (error: unknown) => Promise<boolean>,
) => Promise<T>;

/** For callers with their own loop: each call reports the reason and waits longer than the one before. */
export type CreatePause = (signal: AbortSignal) => (reason: string) => Promise<void>;

export function createPauses(deps: Pick<RetryingDeps, 'trouble'>, config: RetryingConfig): CreatePause {
  return (signal) => {
    const backoff = createBackoff({ firstMs: config.firstRetryMs, maxMs: config.maxRetryMs });
    return async (reason) => {
      deps.trouble(reason);
      await delay(backoff.next(), undefined, { signal });
    };
  };
}

export function createRetrying(deps: RetryingDeps, config: RetryingConfig): UntilItWorks {
  return async function untilItWorks(signal, work, isFinal) {
    let hasFailed = false;
    const backoff = createBackoff({ firstMs: config.firstRetryMs, maxMs: config.maxRetryMs });
    for (;;) {
      signal.throwIfAborted();
      try {
        const clickhouse = deps.clickhouse();
        if (clickhouse === undefined) throw new RetryableError('ClickHouse has not started yet');
        const result = await work(clickhouse);
        if (hasFailed) deps.trouble(undefined);
        return result;
      } catch (error) {
        signal.throwIfAborted();
        if (await isFinal?.(error)) throw error;
        hasFailed = true;
        deps.trouble(errorMessage(error), error);
        if (!(error instanceof RetryableError)) {
          deps.logger.error(
            { err: error },
            'ClickHouse refuses messages; trying again until it accepts them',
          );
        }
        await delay(backoff.next(), undefined, { signal });
      }
    }
  };
}
