import { type Dispatch, useEffect, useReducer, useRef } from 'react';
import { call, isAborted, messageOf, NetworkError, open } from '../../../lib/api/index.ts';
import { serverEvents } from '../../../lib/events/index.ts';
import { parseJson } from '../../../lib/exact-json.ts';
import { fromFields, type LogMessage } from '../../../lib/messages/index.ts';
import { serverNow } from '../../../lib/time/index.ts';
import { type FollowedMessages, fillGap, type Gap, searchOf } from './gap.ts';
import { NEW_TAIL, nextTailState, type TailEvent, type TailState, type TailStatus } from './tail-state.ts';

export interface TailRequest extends FollowedMessages {
  /** Messages a second that are shown at most. */
  readonly rate: number;
}

export interface Tail {
  readonly state: TailState;
  /** It is paused when the server knows it. */
  readonly pause: () => void;
  readonly resume: () => void;
}

const DRAW_EVERY_MS = 100;
const RECONNECT_AFTER_MS = 3000;

/** Follows messages as they come, for as long as the component is there. */
export function useTail({ query, streams, zone, rate }: TailRequest): Tail {
  const [state, dispatch] = useReducer(nextTailState, NEW_TAIL);
  const [gap, setGap] = useGap({ query, streams, zone }, dispatch);
  const followed = useRef<string>(undefined);
  const isTelling = useRef(false);
  /** Since when messages have been missed for want of a connection, until there is one again. */
  const lostAt = useRef<number>(undefined);
  const streamList = streams.join(',');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list stands for the streams
  useEffect(() => {
    // Another rate shows the same messages: what was seen stays.
    const name = JSON.stringify([query, streamList, zone]);
    const isOther = followed.current !== undefined && followed.current !== name;
    if (isOther) {
      dispatch({ type: 'restarted' });
      setGap(undefined);
      lostAt.current = undefined;
    } else if (state.phase === 'paused') {
      // A new connection is not paused: it ends the pause.
      lostAt.current ??= serverNow();
    }
    followed.current = name;
    const controller = new AbortController();
    const following = { signal: controller.signal, dispatch, setGap, lostAt };
    void keepFollowing({ query, streams, zone, rate }, following);
    return () => controller.abort();
  }, [query, streamList, zone, rate]);
  return {
    state,
    async pause() {
      if (state.id === undefined || isTelling.current) return;
      isTelling.current = true;
      setGap({ from: serverNow() });
      try {
        // Until the server knows, messages keep coming, and it does not count them as new.
        if (await tellServer('pause', state.id, dispatch)) dispatch({ type: 'paused', of: state.id });
      } finally {
        isTelling.current = false;
      }
    },
    async resume() {
      if (state.id === undefined || isTelling.current) return;
      isTelling.current = true;
      dispatch({ type: 'resumed', missed: gap && missedIn(gap, state) });
      try {
        // Until the server knows, it sends nothing.
        await tellServer('resume', state.id, dispatch);
        if (gap !== undefined) setGap(endedGap(gap, state));
      } finally {
        isTelling.current = false;
      }
    },
  };
}

/** Whether it worked. */
async function tellServer(
  action: 'pause' | 'resume',
  tailId: string,
  dispatch: Dispatch<TailEvent>,
): Promise<boolean> {
  try {
    const path = { tailId };
    if (action === 'pause') await call('POST /search/tail/{tailId}/pause', { path });
    else await call('POST /search/tail/{tailId}/resume', { path });
    return true;
  } catch (error) {
    dispatch({ type: 'ended', reason: messageOf(error), of: tailId });
    return false;
  }
}

/** There until it is filled, which begins when it has an end. */
interface OpenGap extends Partial<Gap> {
  readonly from: number;
  /** An earlier one, which was not filled yet, is a part of it, and messages that were shown between them. */
  readonly isJoined?: boolean;
}

type GapAction = OpenGap | { readonly filled: OpenGap } | undefined;

function nextGap(before: OpenGap | undefined, next: GapAction): OpenGap | undefined {
  if (next !== undefined && 'filled' in next) return before === next.filled ? undefined : before;
  if (before === undefined || next === undefined) return next;
  const isJoined = before.isJoined || before.to !== undefined;
  return { ...next, from: Math.min(before.from, next.from), isJoined };
}

/** How many came during the pause; undefined when the server did not count all of them. */
function missedIn({ isJoined }: OpenGap, { status }: TailState): number | undefined {
  return isJoined || !status?.paused ? undefined : status.new_messages;
}

function endedGap(gap: OpenGap, state: TailState): OpenGap {
  return {
    from: gap.from,
    to: serverNow(),
    expected: missedIn(gap, state),
    known: new Set(state.messages.map(({ id }) => id)),
  };
}

function useGap(followed: FollowedMessages, dispatch: Dispatch<TailEvent>) {
  const [gap, setGap] = useReducer(nextGap, undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each gap is filled once
  useEffect(() => {
    if (gap?.to === undefined) return;
    const { from, to, expected, known = new Set() } = gap;
    const controller = new AbortController();
    const { signal } = controller;
    void fillGap(searchOf(followed), { from, to, expected, known }, signal, dispatch).then(() => {
      if (!signal.aborted) setGap({ filled: gap });
    });
    return () => controller.abort();
  }, [gap]);
  return [gap, setGap] as const;
}

interface Following {
  readonly signal: AbortSignal;
  readonly dispatch: Dispatch<TailEvent>;
  readonly setGap: Dispatch<GapAction>;
  readonly lostAt: { current: number | undefined };
}

/** Connects again when the connection breaks, until the server ends the tail or nobody looks any more. */
async function keepFollowing(
  request: TailRequest,
  { signal, dispatch, setGap, lostAt }: Following,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const hasEnded = await follow(request, signal, dispatch, () => {
        if (lostAt.current !== undefined) setGap({ from: lostAt.current, to: serverNow() });
        lostAt.current = undefined;
      });
      if (hasEnded) {
        lostAt.current ??= serverNow();
        return;
      }
    } catch (error) {
      if (signal.aborted || isAborted(error)) return;
      if (!(error instanceof NetworkError) && !(error instanceof TypeError)) {
        lostAt.current ??= serverNow();
        dispatch({ type: 'ended', reason: messageOf(error) });
        return;
      }
    }
    if (signal.aborted) return;
    lostAt.current ??= serverNow();
    dispatch({ type: 'lost' });
    await new Promise((resolve) => setTimeout(resolve, RECONNECT_AFTER_MS));
  }
}

/** True when the server said that this is the end. */
async function follow(
  { query, streams, zone, rate }: TailRequest,
  signal: AbortSignal,
  dispatch: Dispatch<TailEvent>,
  onOpen: () => void,
): Promise<boolean> {
  const response = await open('GET /search/tail', {
    query: {
      query,
      timezone: zone,
      rate,
      ...(streams.length === 0 ? {} : { streams: streams.join(',') }),
    },
    accept: 'text/event-stream',
    isBackground: true,
    signal,
  });
  if (response.body === null) return false;
  let waiting: LogMessage[] = [];
  const draw = () => {
    if (waiting.length > 0) dispatch({ type: 'messages', messages: waiting });
    waiting = [];
  };
  const timer = setInterval(draw, DRAW_EVERY_MS);
  try {
    for await (const { event, data } of serverEvents(response.body)) {
      if (event === 'open') {
        dispatch({ type: 'opened', id: (JSON.parse(data) as { id: string }).id });
        onOpen();
      } else if (event === 'message') {
        waiting.push(...(parseJson(data) as Record<string, unknown>[]).map(fromFields));
      } else if (event === 'status') {
        dispatch({ type: 'status', status: JSON.parse(data) as TailStatus });
      } else if (event === 'end') {
        dispatch({ type: 'ended', reason: (JSON.parse(data) as { reason: string }).reason });
        return true;
      }
    }
    return false;
  } finally {
    clearInterval(timer);
    draw();
  }
}
