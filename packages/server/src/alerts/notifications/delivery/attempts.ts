import {
  type Clock,
  type ComponentSecrets,
  errorMessage,
  exponentialDelay,
  monotonicClock,
  systemTimers,
  type Timers,
} from '#core/index.ts';
import type { AttemptResult, ClaimedDelivery, Metadata } from '#metadata/index.ts';
import type { Logger, Metrics } from '#telemetry/index.ts';
import type { AlertNotice } from '../notice.ts';
import type { NotificationContext } from '../notification-type.ts';
import { givesUp, isRetryable, SendFailure, type SendReport, triesAgain } from '../sending.ts';
import type { DeliveryProblems } from './problems.ts';
import { createSender } from './senders.ts';

export interface AttemptDeps {
  readonly metadata: Metadata;
  readonly context: NotificationContext;
  readonly secrets: ComponentSecrets;
  readonly problems: DeliveryProblems;
  readonly clock: Clock;
  /** Measures how long claims are held. */
  readonly monotonic?: Clock;
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

export interface MadeClaim {
  readonly claimed: ClaimedDelivery;
  /** By the monotonic clock, before the database was asked. */
  readonly requestedAt: number;
}

/** Sends claimed deliveries and stores how that went. */
export interface Attempts {
  /** Never rejects. */
  make(made: MadeClaim, signal: AbortSignal): Promise<void>;
}

const RETRY = { firstMs: 10_000, maxMs: 600_000 };
const MARK_RETRY = { firstMs: 100, maxMs: 1000 };

export function createAttempts(deps: AttemptDeps, { claimMs, maxAgeMs }: AttemptSettings): Attempts {
  const { metadata, logger, problems } = deps;
  const keep = createKeep(deps, claimMs);
  const finish = createFinish(deps, claimMs);
  const { alertNotifications } = metadata.repositories;
  const counted = (outcome: string) =>
    deps.metrics.counter(`millrace.notifications.${outcome}`, {
      help: `Deliveries of notices: ${outcome}.`,
    });
  const sent = counted('delivered');
  const failedCount = counted('failed');

  async function send(made: MadeClaim, done: Set<string>, stopping: AbortSignal): Promise<SendReport> {
    const { claimed } = made;
    const notification = await alertNotifications.find(claimed.notificationId);
    if (notification === undefined) throw givesUp('the notification was removed');
    if (claimed.content === undefined) throw givesUp('the notice is gone');
    const kept = keep(made, done, stopping);
    const { signal, markDone } = kept;
    try {
      const sender = createSender(deps, notification);
      kept.requireHeld();
      const report = await sender.send(claimed.content as unknown as AlertNotice, { done, signal, markDone });
      await problems.arrived(notification);
      return report;
    } catch (error) {
      if (!signal.aborted) await problems.failed(notification, error, !mayRetry(claimed, error));
      throw error;
    } finally {
      kept.stop();
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
    async make(made, signal) {
      const { claimed } = made;
      const done = new Set(claimed.doneParts);
      const names = { delivery: claimed.id, notification: claimed.notificationId, notice: claimed.noticeId };
      try {
        const { warning = null } = await send(made, done, signal);
        sent.increment();
        if (warning !== null) logger.warn({ ...names, reason: warning }, 'a notice did not reach everybody');
        await finish(claimed, done, { outcome: 'success', error: warning });
      } catch (error) {
        failedCount.increment();
        const result = resultOf(claimed, error);
        const level = error instanceof SendFailure ? 'warn' : 'error';
        logger[level]({ ...names, reason: errorMessage(error) }, 'a notice could not be delivered');
        await finish(claimed, done, result);
      }
    },
  };
}

/** A claim that this node keeps while it sends. */
interface KeptClaim {
  /** Aborted when the claim is lost, or with the signal it was given. */
  readonly signal: AbortSignal;
  /** Throws if the claim may be another node's by now: because this one was held up, or the database was away. */
  requireHeld(): void;
  /** Resolves when that is stored. Throws if the database is away for so long that the claim is lost. */
  markDone(part: string): Promise<void>;
  stop(): void;
}

const lostClaim = () =>
  triesAgain('this node was held up for so long that another one may have taken the delivery over');

function createKeep(deps: AttemptDeps, claimMs: number) {
  const { metadata, logger, monotonic = monotonicClock, timers = systemTimers } = deps;
  const { alertDeliveries } = metadata.repositories;

  /** While it is being sent, nobody else takes it. */
  return function keep(
    { claimed, requestedAt }: MadeClaim,
    done: Set<string>,
    stopping: AbortSignal,
  ): KeptClaim {
    const lost = new AbortController();
    let heldUntil = requestedAt + claimMs;
    let cancel = (): void => {};

    async function extend(): Promise<void> {
      // Taken before the request: the database starts counting some time after it.
      const extendedAt = monotonic.now();
      if (await alertDeliveries.markDone(claimed, [...done], claimMs)) heldUntil = extendedAt + claimMs;
      else lost.abort(lostClaim());
    }

    /** False if the database is away: then the claim lasts no longer than before. */
    async function tryToExtend(): Promise<boolean> {
      try {
        await extend();
        return true;
      } catch (error) {
        logger.warn({ delivery: claimed.id, reason: errorMessage(error) }, 'a delivery could not be kept');
        return false;
      }
    }

    function schedule(): void {
      cancel = timers.schedule(claimMs / 3, () => {
        void tryToExtend();
        schedule();
      });
    }

    function requireHeld(): void {
      if (monotonic.now() >= heldUntil) lost.abort(lostClaim());
      lost.signal.throwIfAborted();
    }

    schedule();
    return {
      signal: AbortSignal.any([stopping, lost.signal]),
      requireHeld,
      async markDone(part) {
        done.add(part);
        // The next part waits for this: whatever happens, at most one part is sent without anybody knowing of it.
        for (let failures = 0; !(await tryToExtend()); failures += 1) {
          requireHeld();
          stopping.throwIfAborted();
          await pause(timers, exponentialDelay(failures, MARK_RETRY));
        }
        requireHeld();
      },
      stop: () => cancel(),
    };
  };
}

function createFinish({ metadata, logger, timers = systemTimers }: AttemptDeps, claimMs: number) {
  const { alertDeliveries } = metadata.repositories;

  /** What was sent must not be sent again only because the database was busy for a moment. */
  return async function finish(
    claimed: ClaimedDelivery,
    done: ReadonlySet<string>,
    result: AttemptResult,
  ): Promise<void> {
    const mayHaveUnmarked = result.outcome === 'failure' && done.size > claimed.doneParts.length;
    for (let failures = 0; ; failures += 1) {
      try {
        if (mayHaveUnmarked) await alertDeliveries.markDone(claimed, [...done], claimMs);
        return await alertDeliveries.finish(claimed, result);
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
  };
}

export function pause(timers: Timers, milliseconds: number): Promise<void> {
  return new Promise((resolve) => void timers.schedule(milliseconds, resolve));
}
