import { afterEach, expect, test, vi } from 'vitest';
import { ManualClock } from '#testing/manual-clock.ts';
import { openTestMetadata } from '#testing/metadata.ts';
import { createTurn, type TakeTurn } from './turn.ts';

const DURATION_MS = 10_000;

afterEach(() => {
  vi.useRealTimers();
});

async function nodes(clock: ManualClock) {
  const { leases } = (await openTestMetadata(clock)).repositories;
  const acquire = vi.spyOn(leases, 'acquire');
  const deps = { leases, clock, monotonic: clock };
  return {
    turnOf: (nodeId: string): TakeTurn =>
      createTurn(deps, { name: 'work', nodeId, durationMs: DURATION_MS, retryMs: 5 }),
    renewed: async () => void (await acquire.mock.results.at(-1)?.value),
  };
}

test('a node that stood still does not get its turn back when the others have had theirs', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const clock = new ManualClock();
  const { turnOf } = await nodes(clock);
  await turnOf('slow')(async (isMyTurn) => {
    expect(isMyTurn()).toBe(true);
    clock.advance(3 * DURATION_MS);
    await turnOf('other')(async () => {});
    vi.advanceTimersByTime(DURATION_MS);
    // It would wait for ever if the first one had taken the lease again.
    await turnOf('third')(async (isTurnOfThird) => expect(isTurnOfThird()).toBe(true));
    expect(isMyTurn()).toBe(false);
  });
});

test('a turn is kept for as long as the work takes', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const clock = new ManualClock();
  const { turnOf, renewed } = await nodes(clock);
  await turnOf('slow')(async (isMyTurn) => {
    for (let step = 0; step < 10; step++) {
      clock.advance(DURATION_MS / 3);
      vi.advanceTimersByTime(DURATION_MS / 3);
      await renewed();
      expect(isMyTurn()).toBe(true);
    }
  });
});
