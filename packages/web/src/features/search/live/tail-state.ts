import type { LogMessage } from '../../../lib/messages/index.ts';
import type { TimeSpan } from '../../../lib/time/index.ts';

/** What the server tells every second about a tail. */
export interface TailStatus {
  readonly dropped: number;
  readonly skipped: number;
  readonly matched_per_second: number;
  readonly rate: number;
  readonly paused: boolean;
  readonly new_messages: number;
  readonly stalled: boolean;
  readonly missing_nodes: readonly string[];
}

/** Messages that came during a pause and were too many to be filled in, or not all found. */
export interface OfferedGap extends TimeSpan {
  /** How many were found; undefined when they could not be searched for. */
  readonly total: number | undefined;
  /** How many came at least; undefined: nobody knows. */
  readonly expected: number | undefined;
}

export interface TailState {
  readonly phase: 'connecting' | 'following' | 'paused' | 'lost' | 'ended';
  readonly id: string | undefined;
  readonly messages: readonly LogMessage[];
  /** All that ever came, also those that are no longer kept. */
  readonly received: number;
  /** The times of all that came: what has to be searched to see them again. */
  readonly seen: TimeSpan | undefined;
  readonly status: TailStatus | undefined;
  /** Why it ended. */
  readonly reason: string | undefined;
  /** Where in the list a gap began: at a pause or when the connection broke. */
  readonly gapAt: number | undefined;
  /** How many came during the last pause; undefined: nobody knows. */
  readonly missed: number | undefined;
  readonly offered: OfferedGap | undefined;
}

export type TailEvent =
  | { readonly type: 'opened'; readonly id: string }
  | { readonly type: 'messages'; readonly messages: readonly LogMessage[] }
  | { readonly type: 'status'; readonly status: TailStatus }
  | { readonly type: 'resumed'; readonly missed?: number | undefined }
  | { readonly type: 'lost' | 'restarted' }
  | { readonly type: 'paused'; readonly of?: string }
  /** All that was found in a gap so far, oldest first. More may be found until the last one. */
  | { readonly type: 'gap'; readonly messages: readonly LogMessage[]; readonly isLast: boolean }
  | { readonly type: 'offered'; readonly gap: OfferedGap }
  /** `of` is the tail that an answer is about: it may be gone when the answer comes. */
  | { readonly type: 'ended'; readonly reason: string; readonly of?: string };

/** Messages that the browser keeps; the oldest go first. */
export const KEPT_MESSAGES = 10_000;

export const NEW_TAIL: TailState = {
  phase: 'connecting',
  id: undefined,
  messages: [],
  received: 0,
  seen: undefined,
  status: undefined,
  reason: undefined,
  gapAt: undefined,
  missed: undefined,
  offered: undefined,
};

export function nextTailState(state: TailState, event: TailEvent): TailState {
  if ('of' in event && event.of !== state.id) return state;
  switch (event.type) {
    case 'restarted':
      return NEW_TAIL;
    case 'opened':
      return { ...state, phase: 'following', id: event.id };
    case 'messages':
      return withMessages(state, [...state.messages, ...event.messages], event.messages, state.gapAt);
    case 'status':
      return { ...state, status: event.status };
    case 'paused':
    case 'lost':
      return {
        ...state,
        phase: event.type,
        gapAt: state.gapAt ?? state.messages.length,
        missed: undefined,
      };
    case 'resumed':
      return { ...state, phase: 'following', missed: event.missed };
    case 'gap':
      return withGap(state, event);
    case 'offered':
      return { ...state, gapAt: nextGapAt(state, state.messages.length), offered: event.gap };
    case 'ended':
      return {
        ...state,
        phase: 'ended',
        reason: event.reason,
        gapAt: state.gapAt ?? state.messages.length,
      };
  }
}

/** What came while nobody followed is being searched for. */
export function isFillingGap({ phase, gapAt }: TailState): boolean {
  return phase === 'following' && gapAt !== undefined;
}

/** What came meanwhile stands where it belongs, each message once. */
function withGap(
  state: TailState,
  { messages: found, isLast }: Extract<TailEvent, { type: 'gap' }>,
): TailState {
  const at = state.gapAt ?? state.messages.length;
  const before = state.messages.slice(0, at);
  const shownBefore = new Set(before.map(({ id }) => id));
  const after = new Map(state.messages.slice(at).map((message) => [message.id, message]));
  // One that is shown stays the same: it may be open or marked.
  const inGap = found
    .filter(({ id }) => !shownBefore.has(id))
    .map((message) => after.get(message.id) ?? message);
  const fresh = inGap.filter(({ id }) => !after.has(id));
  for (const { id } of inGap) after.delete(id);
  const all = [...before, ...inGap, ...after.values()];
  return withMessages(state, all, fresh, isLast ? nextGapAt(state, all.length) : at);
}

/** When a gap is filled while messages are missed again, the next one begins at the end of the list. */
function nextGapAt({ phase }: TailState, end: number): number | undefined {
  return phase === 'following' ? undefined : end;
}

function withMessages(
  state: TailState,
  all: readonly LogMessage[],
  fresh: readonly LogMessage[],
  gapAt: number | undefined,
): TailState {
  const excess = Math.max(0, all.length - KEPT_MESSAGES);
  return {
    ...state,
    messages: excess === 0 ? all : all.slice(excess),
    received: state.received + fresh.length,
    seen: fresh.reduce(widened, state.seen),
    gapAt: gapAt === undefined ? undefined : Math.max(0, gapAt - excess),
  };
}

function widened(span: TimeSpan | undefined, { timestamp }: LogMessage): TimeSpan {
  return {
    from: Math.min(span?.from ?? timestamp, timestamp),
    to: Math.max(span?.to ?? timestamp, timestamp),
  };
}
