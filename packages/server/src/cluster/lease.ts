import type { Clock } from '#core/index.ts';
import type { LeasesRepository } from '#metadata/index.ts';

/**
 * The right to do something that only one node may do at a time.
 *
 * Contract: `isHeld` is synchronous and never true on two nodes at once, as long as their clocks run at the same
 * speed: a holder stops believing in its lease before the database lets anybody else have it. Work that takes
 * longer than the lease must look again in between.
 */
export interface Lease {
  isHeld(): boolean;
  /** Takes or prolongs it; call it several times per duration. Rejects when the database is away. */
  renew(): Promise<boolean>;
  /** Gives it back, so that another node need not wait for its end. */
  release(): Promise<void>;
}

export interface LeaseDeps {
  readonly leases: LeasesRepository;
  /** Measures durations, so it must not jump. */
  readonly monotonic: Clock;
}

export interface LeaseConfig {
  readonly name: string;
  readonly holder: string;
  readonly durationMs: number;
}

/** How much earlier a holder gives up than the database would take the lease away. */
const SAFETY = 0.9;

export function createLease(deps: LeaseDeps, config: LeaseConfig): Lease {
  let heldUntil = Number.NEGATIVE_INFINITY;
  let isReleased = false;

  return {
    isHeld: () => !isReleased && deps.monotonic.now() < heldUntil,
    async renew() {
      if (isReleased) return false;
      // Measured from before the question: the database counts from some moment after it.
      const asked = deps.monotonic.now();
      const acquired = await deps.leases.acquire(config.name, config.holder, config.durationMs);
      heldUntil = acquired ? asked + config.durationMs * SAFETY : Number.NEGATIVE_INFINITY;
      return acquired && !isReleased;
    },
    async release() {
      isReleased = true;
      await deps.leases.release(config.name, config.holder);
    },
  };
}
