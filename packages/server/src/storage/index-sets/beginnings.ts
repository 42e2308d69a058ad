import { type Clock, monotonicClock } from '#core/index.ts';
import type { StoredIndex } from './stored.ts';

/**
 * When the active index of a set began, by the clock as it is set now.
 *
 * An index that was begun while the clock was ahead lies in the future once the clock is right again, and would not end for
 * as long as the clock was ahead. It counts from when it was first seen there. It is not ended at once: it may as well be the
 * clock of now that is wrong, as on a machine without a battery that has just started.
 */
export function createBeginnings(deps: {
  readonly clock: Clock;
  readonly monotonic?: Clock;
}): (indexSetId: string, index: Pick<StoredIndex, 'number' | 'createdAt'>) => number {
  const { clock, monotonic = monotonicClock } = deps;
  const inTheFuture = new Map<string, { readonly number: number; readonly since: number }>();
  return (indexSetId, { number, createdAt }) => {
    const now = clock.now();
    if (createdAt <= now) {
      inTheFuture.delete(indexSetId);
      return createdAt;
    }
    let seen = inTheFuture.get(indexSetId);
    if (seen?.number !== number) {
      seen = { number, since: monotonic.now() };
      inTheFuture.set(indexSetId, seen);
    }
    return now - (monotonic.now() - seen.since);
  };
}
