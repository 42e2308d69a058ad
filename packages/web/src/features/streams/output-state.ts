import type { OutputStateView } from '@millrace/contract';
import type { StateTone } from '../../components/state-badge.tsx';
import { outputTexts as texts } from './alert-texts.ts';

interface CombinedState {
  readonly tone: StateTone;
  readonly word: string;
  /** Why it does not run as it should. */
  readonly why: string | undefined;
  readonly queued: number;
  readonly bytes: number;
  readonly perSecond: number;
  readonly dropped: number;
  readonly refused: number;
}

/** The worst first: one node that fails is what people need to know. */
const WORST_FIRST = ['INVALID_CONFIGURATION', 'FAILED', 'STARTING', 'PAUSED', 'RUNNING'] as const;
const TONES: Readonly<Record<OutputStateView['state'], StateTone>> = {
  INVALID_CONFIGURATION: 'danger',
  FAILED: 'danger',
  STARTING: 'info',
  PAUSED: 'dim',
  RUNNING: 'ok',
};

/** An output on all nodes, as one. */
export function combinedState(states: readonly OutputStateView[]): CombinedState {
  const worst = WORST_FIRST.map((name) => states.find(({ state }) => state === name)).find(Boolean);
  const sum = (figure: (state: OutputStateView) => number) =>
    states.reduce((total, state) => total + figure(state), 0);
  return {
    tone: worst === undefined ? 'dim' : TONES[worst.state],
    word: worst === undefined ? texts.unknown : worst.state.toLowerCase().replaceAll('_', ' '),
    why:
      worst === undefined || worst.state === 'RUNNING' || worst.state === 'PAUSED'
        ? undefined
        : (worst.detailed_message ?? worst.last_error?.message),
    queued: sum((state) => state.queued_messages),
    bytes: sum((state) => state.queued_bytes),
    perSecond: sum((state) => state.messages_per_second),
    dropped: sum((state) => state.dropped_messages),
    refused: sum((state) => state.refused_messages),
  };
}
