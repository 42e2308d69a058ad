import type { LogMessage } from '../../lib/messages/index.ts';

/** What the server tells every second about a tail. */
export interface TailStatus {
  readonly dropped: number;
  readonly skipped: number;
  readonly matched_per_second: number;
  readonly rate: number;
  readonly new_messages: number;
  readonly stalled: boolean;
  readonly missing_nodes: readonly string[];
}

export interface TailState {
  readonly phase: 'connecting' | 'following' | 'paused' | 'lost' | 'ended';
  readonly id: string | undefined;
  readonly messages: readonly LogMessage[];
  readonly status: TailStatus | undefined;
  /** Why it ended. */
  readonly reason: string | undefined;
  /** Where in the list a gap began: at a pause or when the connection broke. */
  readonly gapAt: number | undefined;
  /** Messages of the gap that are not shown, since there were too many. */
  readonly missed: number;
}

export type TailEvent =
  | { readonly type: 'opened'; readonly id: string }
  | { readonly type: 'messages'; readonly messages: readonly LogMessage[] }
  | { readonly type: 'status'; readonly status: TailStatus }
  | { readonly type: 'paused' | 'resumed' | 'lost' | 'restarted' }
  | { readonly type: 'gap'; readonly messages: readonly LogMessage[]; readonly total: number }
  | { readonly type: 'ended'; readonly reason: string };

/** Messages that the browser keeps; the oldest go first. */
export const KEPT_MESSAGES = 10_000;

export const NEW_TAIL: TailState = {
  phase: 'connecting',
  id: undefined,
  messages: [],
  status: undefined,
  reason: undefined,
  gapAt: undefined,
  missed: 0,
};

export function nextTailState(state: TailState, event: TailEvent): TailState {
  switch (event.type) {
    case 'restarted':
      return NEW_TAIL;
    case 'opened':
      return { ...state, phase: 'following', id: event.id };
    case 'messages':
      return { ...state, ...kept([...state.messages, ...event.messages], state.gapAt) };
    case 'status':
      return { ...state, status: event.status };
    case 'paused':
    case 'lost':
      return { ...state, phase: event.type, gapAt: state.gapAt ?? state.messages.length };
    case 'resumed':
      return { ...state, phase: 'following' };
    case 'gap':
      return withGap(state, event.messages, event.total);
    case 'ended':
      return { ...state, phase: 'ended', reason: event.reason };
  }
}

/** What came meanwhile stands where it belongs, each message once. */
function withGap(state: TailState, found: readonly LogMessage[], total: number): TailState {
  const known = new Set(state.messages.map(({ id }) => id));
  const fresh = found.filter(({ id }) => !known.has(id));
  const at = state.gapAt ?? state.messages.length;
  const messages = state.messages.toSpliced(at, 0, ...fresh);
  return { ...state, ...kept(messages, undefined), missed: state.missed + Math.max(0, total - found.length) };
}

function kept(messages: readonly LogMessage[], gapAt: number | undefined) {
  const excess = messages.length - KEPT_MESSAGES;
  if (excess <= 0) return { messages, gapAt };
  return {
    messages: messages.slice(excess),
    gapAt: gapAt === undefined ? undefined : Math.max(0, gapAt - excess),
  };
}
