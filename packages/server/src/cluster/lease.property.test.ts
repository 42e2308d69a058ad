import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LeasesRepository, Metadata } from '#metadata/index.ts';
import { ManualClock } from '#testing/manual-clock.ts';
import { openTestMetadata } from '#testing/metadata.ts';
import { createLease, type Lease } from './lease.ts';

const NAME = 'leader';
const DURATION_MS = 4000;
const HEARTBEAT_MS = 1000;
const NODES = ['a', 'b', 'c'] as const;
type NodeId = (typeof NODES)[number];

/**
 * A node of the simulation. What it asks the database takes effect at once; the answer arrives when the simulation says
 * so, which may be after a pause of any length. While the machine is suspended, the monotonic clock stands still.
 */
class SimulatedNode {
  readonly id: NodeId;
  readonly lease: Lease;
  isPaused = false;
  suspendedMs = 0;
  #waiting: (() => void)[] = [];
  #renewing: Promise<void> | undefined;

  constructor(id: NodeId, clock: ManualClock, leases: LeasesRepository) {
    this.id = id;
    const late: LeasesRepository = {
      ...leases,
      acquire: async (...args) => {
        const acquired = await leases.acquire(...args);
        const { promise, resolve } = Promise.withResolvers<void>();
        this.#waiting.push(resolve);
        await promise;
        return acquired;
      },
    };
    const monotonic = { now: () => clock.now() - this.suspendedMs };
    this.lease = createLease(
      { leases: late, monotonic, clock },
      { name: NAME, holder: id, durationMs: DURATION_MS },
    );
  }

  /** As the heartbeat does: one renewal at a time. */
  async renew(): Promise<void> {
    if (this.isPaused || this.#renewing !== undefined) return;
    const renewing = this.lease.renew().then(() => {
      this.#renewing = undefined;
    });
    this.#renewing = renewing;
    while (this.#waiting.length === 0) await new Promise(setImmediate);
  }

  async hear(): Promise<void> {
    if (this.isPaused) return;
    for (const answer of this.#waiting.splice(0)) answer();
    await this.#renewing;
  }
}

type Event =
  | { readonly kind: 'time'; readonly ms: number }
  | { readonly kind: 'renew' | 'hear' | 'stop' | 'go on' | 'suspend'; readonly node: NodeId };

const anEvent: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('time' as const), ms: fc.integer({ min: 1, max: 5000 }) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        'renew' as const,
        'hear' as const,
        'stop' as const,
        'go on' as const,
        'suspend' as const,
      ),
      node: fc.constantFrom(...NODES),
    }),
  },
);

async function simulate(run: (metadata: Metadata, clock: ManualClock) => Promise<void>): Promise<void> {
  const clock = new ManualClock();
  const metadata = await openTestMetadata(clock);
  try {
    await run(metadata, clock);
  } finally {
    await metadata.close();
  }
}

async function happen(
  event: Event,
  nodes: ReadonlyMap<NodeId, SimulatedNode>,
  clock: ManualClock,
): Promise<void> {
  if (event.kind === 'time') return clock.advance(event.ms);
  const node = nodes.get(event.node);
  if (node === undefined) return;
  if (event.kind === 'renew') await node.renew();
  else if (event.kind === 'hear') await node.hear();
  else if (event.kind === 'suspend') {
    node.suspendedMs += 30_000;
    clock.advance(30_000);
  } else node.isPaused = event.kind === 'stop';
}

test('whoever is stopped, suspended or answered late, a lease is held by one node at most: by the one that the database names', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anEvent, { minLength: 5, maxLength: 60 }), async (events) => {
      await simulate(async (metadata, clock) => {
        const { leases } = metadata.repositories;
        const nodes = new Map(NODES.map((id) => [id, new SimulatedNode(id, clock, leases)]));
        for (const event of events) {
          await happen(event, nodes, clock);
          // Also those that stand still: this is what they would find if they went on now.
          const holders = [...nodes.values()].filter(({ lease }) => lease.isHeld()).map(({ id }) => id);
          expect(holders.length).toBeLessThanOrEqual(1);
          for (const holder of holders) expect(await leases.holder(NAME)).toBe(holder);
        }
      });
    }),
    { numRuns: 100 },
  );
}, 120_000);

test('as long as one node runs, one leads within ten seconds of the last pause of another', async () => {
  const pause = fc.record({
    node: fc.constantFrom('a' as const, 'b' as const),
    fromBeat: fc.nat(40),
    beats: fc.integer({ min: 1, max: 30 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(pause, { maxLength: 6 }), async (pauses) => {
      await simulate(async (metadata, clock) => {
        const { leases } = metadata.repositories;
        const nodes = NODES.map((id) => new SimulatedNode(id, clock, leases));
        let leaderless = 0;
        for (let beat = 0; beat < 80; beat++) {
          for (const node of nodes) {
            node.isPaused = pauses.some(
              (each) => each.node === node.id && beat >= each.fromBeat && beat < each.fromBeat + each.beats,
            );
            await node.renew();
            await node.hear();
          }
          const isLed = nodes.some(({ isPaused, lease }) => !isPaused && lease.isHeld());
          leaderless = isLed ? 0 : leaderless + HEARTBEAT_MS;
          expect(leaderless).toBeLessThanOrEqual(10_000);
          clock.advance(HEARTBEAT_MS);
        }
      });
    }),
    { numRuns: 30 },
  );
}, 120_000);
