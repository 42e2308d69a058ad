import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createLease, type LeaseDeps } from './lease.ts';

/**
 * Runs work that one node of the cluster may do at a time; callers wait for their turn, those of the same node, too. Work
 * that has several steps asks before each of them whether it is still its turn: a node that stood still may have lost it.
 */
export type TakeTurn = <T>(work: (isMyTurn: () => boolean) => Promise<T>) => Promise<T>;

export interface TurnSettings {
  readonly name: string;
  readonly nodeId: string;
  /** How long the others wait for a node that died or stands still. */
  readonly durationMs?: number;
  readonly retryMs?: number;
}

const RENEWALS_A_DURATION = 3;

export function createTurn(deps: LeaseDeps, settings: TurnSettings): TakeTurn {
  const { name, nodeId, durationMs = 10_000, retryMs = 250 } = settings;
  return async (work) => {
    const holder = `${nodeId} ${randomUUID()}`;
    const lease = createLease(deps, { name, holder, durationMs });
    while (!(await lease.renew())) await delay(retryMs);
    let isLost = false;
    // Once lost it stays lost, even if the lease could be had again: others may have had their turn meanwhile.
    const isMyTurn = () => {
      isLost ||= !lease.isHeld();
      return !isLost;
    };
    const renew = () => {
      // If that fails, the turn ends by itself.
      if (isMyTurn()) lease.renew().catch(() => {});
    };
    const renewing = setInterval(renew, durationMs / RENEWALS_A_DURATION);
    try {
      return await work(isMyTurn);
    } finally {
      clearInterval(renewing);
      // Otherwise it expires.
      await lease.release().catch(() => {});
    }
  };
}
