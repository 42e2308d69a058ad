import type { Clock } from '#core/index.ts';

/**
 * Limits the time that a background task takes from a worker: a share of all time, and a larger share of the time in
 * which the worker was idle. Several accounts divide the time evenly. Unused time goes to accounts that need more, and an
 * account that spent too much pays it back from its own share.
 */
export interface TimeAllowance {
  /** Distributes the time since the last call. */
  grant(accounts: readonly TimeAccount[]): void;
  /** Milliseconds left; 0 or less means no time now. */
  remaining(account: TimeAccount): number;
  spend(account: TimeAccount, milliseconds: number): void;
  /** Time that was spent for all accounts together. */
  spendForAll(milliseconds: number): void;
}

/** The milliseconds an account may spend; a debt when below 0. Starts at 0. */
export interface TimeAccount {
  balanceMs: number;
}

export interface TimeAllowanceDeps {
  readonly monotonic: Clock;
  /** From 0 to 1: how busy the worker was since the last call. */
  readonly utilization: () => number;
}

export interface TimeAllowanceSettings {
  readonly share?: number;
  readonly shareOfIdle?: number;
}

const DEFAULTS = { share: 0.03, shareOfIdle: 0.05 } as const;
/** Unspent time does not accumulate beyond this: a quiet hour must not become a busy second. */
const MAX_BALANCE_MS = 10;
/** Spent time is wall-clock time, so it includes pauses of the worker; this bounds their effect. */
const MAX_DEBT_MS = 50;

export function createTimeAllowance(
  deps: TimeAllowanceDeps,
  config: TimeAllowanceSettings = {},
): TimeAllowance {
  const { share, shareOfIdle } = { ...DEFAULTS, ...config };
  /** Unused time of full accounts, for the others. */
  let sharedMs = MAX_BALANCE_MS;
  let last = deps.monotonic.now();

  function payDebt(account: TimeAccount): void {
    if (account.balanceMs >= 0 || sharedMs <= 0) return;
    const paid = Math.min(-account.balanceMs, sharedMs);
    sharedMs -= paid;
    account.balanceMs += paid;
  }

  return {
    grant(accounts) {
      const now = deps.monotonic.now();
      const idle = Math.min(1, Math.max(0, 1 - deps.utilization()));
      const each = ((now - last) * (share + shareOfIdle * idle)) / accounts.length;
      const full = MAX_BALANCE_MS / accounts.length;
      last = now;
      for (const account of accounts) {
        account.balanceMs += each;
        if (account.balanceMs <= full) continue;
        sharedMs += account.balanceMs - full;
        account.balanceMs = full;
      }
      for (const account of accounts) payDebt(account);
      sharedMs = Math.min(sharedMs, MAX_BALANCE_MS);
    },
    remaining: (account) => account.balanceMs + sharedMs,
    spend(account, milliseconds) {
      account.balanceMs -= milliseconds;
      payDebt(account);
      account.balanceMs = Math.max(-MAX_DEBT_MS, account.balanceMs);
    },
    spendForAll(milliseconds) {
      sharedMs = Math.max(-MAX_DEBT_MS, sharedMs - milliseconds);
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
