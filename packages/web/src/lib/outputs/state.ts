import type { OutputStateView } from '@millrace/contract';
import { OUTPUT_STATES_WORST_FIRST, stateWord, worstState } from '@millrace/contract/states';
import type { StateTone } from '../states/index.ts';

export interface CombinedOutputState {
  readonly state: OutputStateView['state'] | undefined;
  readonly tone: StateTone;
  readonly word: string;
  /** Why it does not run as it should. */
  readonly why: string | undefined;
  readonly queued: number;
  readonly bytes: number;
  /** How old the oldest message is that waits; undefined when none does. */
  readonly oldestMs: number | undefined;
  readonly perSecond: number;
  readonly dropped: number;
  readonly refused: number;
  readonly nodes: readonly OutputStateView[];
}

const TONES: Readonly<Record<OutputStateView['state'], StateTone>> = {
  INVALID_CONFIGURATION: 'danger',
  FAILED: 'danger',
  STARTING: 'info',
  PAUSED: 'dim',
  RUNNING: 'ok',
};

/** An output on all nodes, as one. */
export function combinedOutputState(nodes: readonly OutputStateView[]): CombinedOutputState {
  const worst = worstState(nodes, OUTPUT_STATES_WORST_FIRST);
  const sum = (figure: (state: OutputStateView) => number) =>
    nodes.reduce((total, state) => total + figure(state), 0);
  const ages = nodes.flatMap(({ oldest_message_age_ms: age }) => (age === null ? [] : [age]));
  return {
    state: worst?.state,
    tone: worst === undefined ? 'dim' : TONES[worst.state],
    word: stateWord(worst?.state),
    why:
      worst === undefined || worst.state === 'RUNNING' || worst.state === 'PAUSED'
        ? undefined
        : (worst.detailed_message ?? worst.last_error?.message),
    queued: sum((state) => state.queued_messages),
    bytes: sum((state) => state.queued_bytes),
    oldestMs: ages.length === 0 ? undefined : Math.max(...ages),
    perSecond: sum((state) => state.messages_per_second),
    dropped: sum((state) => state.dropped_messages),
    refused: sum((state) => state.refused_messages),
    nodes,
  };
}
