import type { Clock } from '#core/index.ts';
import type { LeasesRepository } from '#metadata/index.ts';

/**
 * The right to do something that only one node may do at a time.
 *
 * Contract: `isHeld` is synchronous and never true on two nodes at once, as long as their clocks run at the same
 * speed: a holder considers its lease expired before the database gives it to another node. That holds for a process
 * that was stopped and goes on, whatever it was waiting for, and for a machine that was suspended.
 *
 * A check and the act that follows are two moments. Work that has several steps checks again before each of them, and
 * each step is safe by itself when it comes too late: it names the state in which it found things, and does nothing if
 * that has changed. `rotate` names the active index, an evaluation the end of the last one, a delivery its claim.
 */
export interface Lease {
  isHeld(): boolean;
  /** Acquires or extends it; call it several times per lease duration. Rejects when the database is unavailable. */
  renew(): Promise<boolean>;
  /** Gives it up, so that another node need not wait until it expires. */
  release(): Promise<void>;
}

export interface LeaseDeps {
  readonly leases: LeasesRepository;
  /** Measures durations, so it must not jump. It may stand still while the machine is suspended. */
  readonly monotonic: Clock;
  /** The time of day, which goes on while the machine is suspended. */
  readonly clock: Clock;
}

export interface LeaseSettings {
  readonly name: string;
  readonly holder: string;
  readonly durationMs: number;
}

/** The share of the duration after which a holder considers the lease expired; the database waits for all of it. */
const SAFE_SHARE = 0.9;

export function createLease(deps: LeaseDeps, settings: LeaseSettings): Lease {
  const safeMs = settings.durationMs * SAFE_SHARE;
  let requested: { readonly monotonic: number; readonly clock: number } | undefined;
  let isReleased = false;

  return {
    isHeld: () =>
      !isReleased &&
      requested !== undefined &&
      deps.monotonic.now() - requested.monotonic < safeMs &&
      // Somebody who sets the time forward takes the lease away until the next renewal, which does no harm.
      deps.clock.now() - requested.clock < safeMs,
    async renew() {
      if (isReleased) return false;
      // Taken before the request: the database starts counting some time after it.
      const now = { monotonic: deps.monotonic.now(), clock: deps.clock.now() };
      const acquired = await deps.leases.acquire(settings.name, settings.holder, settings.durationMs);
      requested = acquired ? now : undefined;
      return acquired && !isReleased;
    },
    async release() {
      isReleased = true;
      await deps.leases.release(settings.name, settings.holder);
    },
  };
}
