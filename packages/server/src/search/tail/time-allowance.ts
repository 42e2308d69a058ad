import type { Clock } from '#core/index.ts';

/**
 * How much of a worker's time something may take that must not slow the worker down: a share of all the time that
 * passes, and a larger share of the time in which the worker had nothing to do. Several work with it. Each gets the
 * same part; what one does not need goes to those who need more; and who has taken too much pays it back out of its
 * own part before it gets more.
 */
export interface TimeAllowance {
  /** Divides the time since the last call. */
  grant(accounts: readonly TimeAccount[]): void;
  /** Milliseconds; not above 0: nothing now. */
  allowed(account: TimeAccount): number;
  spend(account: TimeAccount, milliseconds: number): void;
  /** Time that was spent for all of them. */
  spendForAll(milliseconds: number): void;
}

/** What one of them may spend, in milliseconds; its debt when below 0. Starts with 0. */
export interface TimeAccount {
  saved: number;
}

export interface TimeAllowanceDeps {
  readonly monotonic: Clock;
  /** From 0 to 1: how busy the worker was since the last call. */
  readonly utilization: () => number;
}

export interface TimeAllowanceConfig {
  readonly share?: number;
  readonly shareOfIdle?: number;
}

const DEFAULTS = { share: 0.03, shareOfIdle: 0.05 } as const;
/** What is not spent is not saved up beyond this: a quiet hour must not become a busy second. */
const MAX_SAVED_MS = 10;
/** Times are of the clock on the wall: a pause of the whole worker is no debt of ours. */
const MAX_DEBT_MS = 50;

export function createTimeAllowance(
  deps: TimeAllowanceDeps,
  config: TimeAllowanceConfig = {},
): TimeAllowance {
  const { share, shareOfIdle } = { ...DEFAULTS, ...config };
  /** What those with a full account have left to the others. */
  let common = MAX_SAVED_MS;
  let last = deps.monotonic.now();

  function payDebt(account: TimeAccount): void {
    if (account.saved >= 0 || common <= 0) return;
    const paid = Math.min(-account.saved, common);
    common -= paid;
    account.saved += paid;
  }

  return {
    grant(accounts) {
      const now = deps.monotonic.now();
      const idle = Math.min(1, Math.max(0, 1 - deps.utilization()));
      const each = ((now - last) * (share + shareOfIdle * idle)) / accounts.length;
      const full = MAX_SAVED_MS / accounts.length;
      last = now;
      for (const account of accounts) {
        account.saved += each;
        if (account.saved <= full) continue;
        common += account.saved - full;
        account.saved = full;
      }
      for (const account of accounts) payDebt(account);
      common = Math.min(common, MAX_SAVED_MS);
    },
    allowed: (account) => account.saved + common,
    spend(account, milliseconds) {
      account.saved -= milliseconds;
      payDebt(account);
      account.saved = Math.max(-MAX_DEBT_MS, account.saved);
    },
    spendForAll(milliseconds) {
      common = Math.max(-MAX_DEBT_MS, common - milliseconds);
    },
  };
}

/** How busy the calling thread was since the last call. */
export function workerUtilization(): () => number {
  let last = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    return utilization;
  };
}
