import type { Clock } from '#core/index.ts';

export interface GuardedWalkDeps {
  /** Runs `work` for at most `timeoutMs`. False: it was interrupted. */
  readonly guard: { run(work: () => void, timeoutMs: number): boolean };
  /** For durations. */
  readonly monotonic: Clock;
}

export interface GuardedWalk {
  /** How many pieces of work there are; may grow while they are done. */
  count(): number;
  /** What one piece may take. */
  readonly timeoutMs: number;
  work(index: number): void;
  /** The piece took too long and was broken off. The walk goes on with the next one. */
  interrupted(index: number): void;
}

/**
 * Does work that may take long, piece by piece. The guard is armed for many pieces at once, and again whenever a
 * twentieth of the limit has passed: each piece has the whole limit and at most a twentieth more.
 */
export function walkGuarded({ guard, monotonic }: GuardedWalkDeps, walk: GuardedWalk): void {
  const slackMs = Math.max(1, walk.timeoutMs / 20);
  let index = 0;
  let isRunning = false;
  const work = () => {
    const armedAt = monotonic.now();
    for (; index < walk.count() && monotonic.now() - armedAt < slackMs; index++) {
      isRunning = true;
      walk.work(index);
      isRunning = false;
    }
  };
  while (index < walk.count()) {
    if (guard.run(work, walk.timeoutMs + slackMs) || !isRunning) continue;
    isRunning = false;
    walk.interrupted(index);
    index += 1;
  }
}
