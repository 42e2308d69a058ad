/** What happens to the node of a soak: kills, restarts, rotations and a full disk, in the order a seed decides. */
import { setTimeout as delay } from 'node:timers/promises';
import type { SmallDisk } from '../../../packages/server/src/testing/small-disk.ts';
import { DEFAULT_INDEX_SET, type KillableNode } from '../../../tests/support/killable-node.ts';
import { callApi } from '../../../tests/support/node-api.ts';

export const DISTURBANCES = ['worker', 'engine', 'node', 'restart', 'disk', 'rotation'] as const;
export type Disturbance = (typeof DISTURBANCES)[number];

export interface DisturbedNode {
  readonly node: KillableNode;
  /** Undefined: there is no small disk here that could be filled. */
  readonly disk: SmallDisk | undefined;
  readonly secondSet: string;
  /** Told right before node or worker are killed. */
  beforeKill(): void;
  /** Resolves when messages are accepted again. */
  accepting(): Promise<void>;
  random(): number;
}

/** In the first half everything happens; in the second nothing ends node and engine, so that growth would show. */
const OFTEN: Readonly<Record<'first' | 'second', readonly Disturbance[]>> = {
  first: ['worker', 'worker', 'engine', 'engine', 'node', 'restart', 'disk', 'rotation'],
  second: ['worker', 'disk', 'rotation', 'rotation'],
};
const PAUSE_MS = { first: { min: 3000, max: 20_000 }, second: { min: 15_000, max: 60_000 } };
const FULL_MS = { min: 3000, max: 20_000 };

/** Goes on until `signal` is aborted, and ends with an empty disk and a node that accepts messages. */
export async function disturb(
  what: DisturbedNode,
  half: () => 'first' | 'second',
  signal: AbortSignal,
  happened: (disturbance: Disturbance) => void,
): Promise<void> {
  const between = ({ min, max }: { min: number; max: number }) => min + what.random() * (max - min);
  const pause = (ms: number) => delay(ms, undefined, { signal }).catch(() => {});
  while (!signal.aborted) {
    await pause(between(PAUSE_MS[half()]));
    const choices = OFTEN[half()].filter((each) => each !== 'disk' || what.disk !== undefined);
    const disturbance = choices[Math.floor(what.random() * choices.length)] ?? 'rotation';
    if (signal.aborted) return;
    happened(disturbance);
    if (disturbance === 'rotation') await rotate(what);
    else if (disturbance === 'disk') {
      what.disk?.fill(0);
      await pause(between(FULL_MS));
      what.disk?.repair();
    } else if (disturbance === 'restart') {
      what.beforeKill();
      await what.node.restart();
    } else {
      if (disturbance !== 'engine') what.beforeKill();
      await what.node.kill(disturbance);
    }
    await what.accepting();
  }
}

/** A node that is starting may refuse; the next rotation is not far away. */
async function rotate({ node, secondSet, random }: DisturbedNode): Promise<void> {
  const set = random() < 0.5 ? DEFAULT_INDEX_SET : secondSet;
  await callApi(node.address, 'POST', `/system/deflector/${set}/cycle`).catch(() => {});
}
