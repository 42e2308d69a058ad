import type { Clock } from '#core/index.ts';
import type { LeasesRepository } from '#metadata/index.ts';

/**
 * The right to do something that only one node may do at a time.
 *
 * Contract: `isHeld` is synchronous and never true on two nodes at once, as long as their clocks run at the same
 * speed: a holder considers its lease expired before the database gives it to another node. Work that takes longer
 * than the lease must check `isHeld` again in between.
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
  /** Measures durations, so it must not jump. */
  readonly monotonic: Clock;
}

export interface LeaseSettings {
  readonly name: string;
  readonly holder: string;
  readonly durationMs: number;
}

/** The share of the duration after which a holder considers the lease expired; the database waits for all of it. */
const SAFE_SHARE = 0.9;

export function createLease(deps: LeaseDeps, settings: LeaseSettings): Lease {
  let heldUntil = Number.NEGATIVE_INFINITY;
  let isReleased = false;

  return {
    isHeld: () => !isReleased && deps.monotonic.now() < heldUntil,
    async renew() {
      if (isReleased) return false;
      // Taken before the request: the database starts counting some time after it.
      const requestedAt = deps.monotonic.now();
      const acquired = await deps.leases.acquire(settings.name, settings.holder, settings.durationMs);
      heldUntil = acquired ? requestedAt + settings.durationMs * SAFE_SHARE : Number.NEGATIVE_INFINITY;
      return acquired && !isReleased;
    },
    async release() {
      isReleased = true;
      await deps.leases.release(settings.name, settings.holder);
    },
  };
}
