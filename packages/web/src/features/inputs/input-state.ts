import type { InputLoss, InputState } from '@millrace/contract';
import { INPUT_STATES_WORST_FIRST, isLosing, stateWord, worstState } from '@millrace/contract/states';
import type { StateTone } from '../../lib/states/index.ts';

export type NodeStates = Readonly<Record<string, readonly InputState[] | null>>;

/** One input on one node. */
export interface OnNode extends InputState {
  readonly nodeId: string;
}

export interface CombinedState {
  readonly state: InputState['state'] | undefined;
  readonly tone: StateTone;
  readonly word: string;
  /** Why it does not run, or what is wrong while it does. */
  readonly why: string | undefined;
  readonly listening: InputState['listening'];
  readonly nodes: readonly OnNode[];
  /** Of all nodes, by reason, the most first. */
  readonly losses: readonly InputLoss[];
  readonly lost: number;
}

const TONES: Readonly<Record<InputState['state'], StateTone>> = {
  INVALID_CONFIGURATION: 'danger',
  FAILED: 'danger',
  TERMINATED: 'danger',
  STARTING: 'info',
  INITIALIZED: 'info',
  CREATED: 'info',
  STOPPING: 'dim',
  STOPPED: 'dim',
  RUNNING: 'ok',
};

const ON_THE_WAY: readonly (InputState['state'] | undefined)[] = [
  'STARTING',
  'INITIALIZED',
  'CREATED',
  undefined,
];

/** Whether a sender would reach it, on any node; undefined while that is not known yet. */
export function isListening({
  state,
  nodes,
}: Pick<CombinedState, 'state'> & { readonly nodes: readonly Pick<OnNode, 'state'>[] }): boolean | undefined {
  if (nodes.some((node) => node.state === 'RUNNING')) return true;
  return ON_THE_WAY.includes(state) ? undefined : false;
}

/** Every input by its id, as all nodes together have it. */
export function statesById(nodes: NodeStates): Map<string, OnNode[]> {
  const all = Object.entries(nodes).flatMap(([nodeId, states]) =>
    (states ?? []).map((state): OnNode => ({ ...state, nodeId })),
  );
  return Map.groupBy(all, ({ id }) => id);
}

export function combinedState(nodes: readonly OnNode[] = []): CombinedState {
  const worst = worstState(nodes, INPUT_STATES_WORST_FIRST);
  const alike = nodes.filter(({ state, detailed_message: why }) => state === worst?.state && why !== null);
  // One node that loses messages is not hidden by others that have something else to say.
  const losing = alike.find(isLosing);
  const why = losing ?? alike[0];
  const losses = sumOfLosses(nodes);
  return {
    state: worst?.state,
    tone: worst === undefined ? 'dim' : losing !== undefined ? 'warn' : TONES[worst.state],
    word: stateWord(worst?.state),
    why: why?.detailed_message ?? undefined,
    listening: nodes.find(({ listening }) => listening !== null)?.listening ?? null,
    nodes,
    losses,
    // Messages that lost fields are stored.
    lost: losses.reduce((sum, { count, unit }) => sum + (unit === 'events' ? count : 0), 0),
  };
}

function sumOfLosses(nodes: readonly OnNode[]): InputLoss[] {
  const byReason = Map.groupBy(
    nodes.flatMap(({ losses }) => losses),
    ({ reason }) => reason,
  );
  return [...byReason.values()]
    .flatMap(([first, ...others]) =>
      first === undefined
        ? []
        : [{ ...first, count: others.reduce((sum, { count }) => sum + count, first.count) }],
    )
    .sort((a, b) => b.count - a.count);
}

/** Whether [Change port] could help. */
export function isFailed({ state }: Pick<CombinedState, 'state'>): boolean {
  return state === 'FAILED' || state === 'INVALID_CONFIGURATION' || state === 'TERMINATED';
}

/** Whether it should run, as far as its nodes say. */
export function isWanted({ state }: Pick<CombinedState, 'state'>): boolean {
  return state !== undefined && state !== 'STOPPED' && state !== 'STOPPING';
}
