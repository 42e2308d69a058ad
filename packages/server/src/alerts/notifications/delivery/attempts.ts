import {
  type Clock,
  type ComponentSecrets,
  errorMessage,
  exponentialDelay,
  systemTimers,
  type Timers,
} from '#core/index.ts';
import type { AttemptResult, ClaimedDelivery, Metadata } from '#metadata/index.ts';
import type { Logger, Metrics } from '#telemetry/index.ts';
import type { AlertNotice } from '../notice.ts';
import type { NotificationContext } from '../notification-type.ts';
import { givesUp, isRetryable, SendFailure, type SendReport } from '../sending.ts';
import type { DeliveryProblems } from './problems.ts';
import { createSender } from './senders.ts';

export interface AttemptDeps {
  readonly metadata: Metadata;
  readonly context: NotificationContext;
  readonly secrets: ComponentSecrets;
  readonly problems: DeliveryProblems;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly timers?: Timers;
}

export interface AttemptSettings {
  /** How long a claim lasts without being renewed. */
  readonly claimMs: number;
  /** How long attempts are made. */
  readonly maxAgeMs: number;
}

/** Sends claimed deliveries and stores how that went. */
export interface Attempts {
  /** Never rejects. */
  make(claimed: ClaimedDelivery, signal: AbortSignal): Promise<void>;
}

const RETRY = { firstMs: 10_000, maxMs: 600_000 };

export function createAttempts(deps: AttemptDeps, { claimMs, maxAgeMs }: AttemptSettings): Attempts {
  const { metadata, logger, problems } = deps;
  const { renewing, finish } = createClaimKeeping(deps, claimMs);
  const { alertDeliveries, alertNotifications } = metadata.repositories;
  const counted = (outcome: string) =>
    deps.metrics.counter(`millrace.notifications.${outcome}`, {
      help: `Deliveries of notices: ${outcome}.`,
    });
  const sent = counted('delivered');
  const failedCount = counted('failed');

  async function send(claimed: ClaimedDelivery, signal: AbortSignal): Promise<SendReport> {
    const notification = await alertNotifications.find(claimed.notificationId);
    if (notification === undefined) throw givesUp('the notification was removed');
    if (claimed.content === undefined) throw givesUp('the notice is gone');
    const done = new Set(claimed.doneParts);
    const stopRenewing = renewing(claimed.id, done);
    try {
      const report = await createSender(deps, notification).send(claimed.content as unknown as AlertNotice, {
        done,
        signal,
        async markDone(part) {
          done.add(part);
          await alertDeliveries.markDone(claimed.id, [...done], claimMs);
        },
      });
      await problems.arrived(notification);
      return report;
    } catch (error) {
      if (!signal.aborted) await problems.failed(notification, error, !mayRetry(claimed, error));
      throw error;
    } finally {
      stopRenewing();
    }
  }

  function mayRetry(claimed: ClaimedDelivery, error: unknown): boolean {
    // An error nobody thought of says nothing about the next attempt.
    const isKnown = error instanceof SendFailure;
    return (!isKnown || isRetryable(error)) && deps.clock.now() - claimed.createdAt < maxAgeMs;
  }

  function resultOf(claimed: ClaimedDelivery, error: unknown): AttemptResult {
    const after = error instanceof SendFailure ? error.retryAfterMs : undefined;
    const retryAfterMs = Math.max(after ?? 0, exponentialDelay(claimed.attempts - 1, RETRY));
    return {
      outcome: 'failure',
      error: errorMessage(error),
      retryAfterMs: mayRetry(claimed, error) ? retryAfterMs : undefined,
    };
  }

  return {
    async make(claimed: ClaimedDelivery, signal: AbortSignal): Promise<void> {
      const names = { delivery: claimed.id, notification: claimed.notificationId, notice: claimed.noticeId };
      try {
        const { warning = null } = await send(claimed, signal);
        sent.increment();
        if (warning !== null) logger.warn({ ...names, reason: warning }, 'a notice did not reach everybody');
        await finish(claimed, { outcome: 'success', error: warning });
      } catch (error) {
        failedCount.increment();
        const result = resultOf(claimed, error);
        const level = error instanceof SendFailure ? 'warn' : 'error';
        logger[level]({ ...names, reason: errorMessage(error) }, 'a notice could not be delivered');
        await finish(claimed, result);
      }
    },
  };
}

function createClaimKeeping({ metadata, logger, timers = systemTimers }: AttemptDeps, claimMs: number) {
  const { alertDeliveries } = metadata.repositories;

  /** While it is being sent, nobody else takes it. */
  function renewing(id: string, done: ReadonlySet<string>): () => void {
    let cancel = (): void => {};
    const schedule = () => {
      cancel = timers.schedule(claimMs / 3, () => {
        alertDeliveries.markDone(id, [...done], claimMs).catch((error: unknown) => {
          logger.warn({ delivery: id, reason: errorMessage(error) }, 'a delivery could not be kept');
        });
        schedule();
      });
    };
    schedule();
    return () => cancel();
  }

  /** What was sent must not be sent again only because the database was busy for a moment. */
  async function finish(claimed: ClaimedDelivery, result: AttemptResult): Promise<void> {
    for (let failures = 0; ; failures += 1) {
      try {
        return await alertDeliveries.finish(claimed.id, claimed.attemptId, result);
      } catch (error) {
        const level = failures < 5 ? 'debug' : 'error';
        logger[level](
          { delivery: claimed.id, reason: errorMessage(error) },
          'an attempt could not be stored',
        );
        if (failures >= 5) return;
        await pause(timers, exponentialDelay(failures, { firstMs: 100, maxMs: 5000 }));
      }
    }
  }

  return { renewing, finish };
}

export function pause(timers: Timers, milliseconds: number): Promise<void> {
  return new Promise((resolve) => void timers.schedule(milliseconds, resolve));
}
