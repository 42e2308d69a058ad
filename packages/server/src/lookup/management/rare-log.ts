import type { Clock } from '#core/index.ts';

const INTERVAL_MS = 60_000;

/** For what may fail for every message: says it at once, and then at most once a minute with how often it happened. */
export function createRareLog(
  clock: Clock,
  say: (reason: string, times: number) => void,
): (reason: string) => void {
  let saidAt: number | undefined;
  let times = 0;
  return (reason) => {
    times += 1;
    // The clock may have been set back.
    if (saidAt !== undefined && Math.abs(clock.now() - saidAt) < INTERVAL_MS) return;
    say(reason, times);
    saidAt = clock.now();
    times = 0;
  };
}
