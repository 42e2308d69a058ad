import { expect, test } from 'vitest';
import { fromFields } from '../../../lib/messages/index.ts';
import {
  isFillingGap,
  KEPT_MESSAGES,
  NEW_TAIL,
  nextTailState,
  type TailEvent,
  type TailState,
} from './tail-state.ts';

const message = (id: string) => fromFields({ _id: id, timestamp: '2026-11-15T10:00:00.000Z' });
const messages = (...ids: string[]): TailEvent => ({ type: 'messages', messages: ids.map(message) });
const after = (...events: TailEvent[]): TailState => events.reduce(nextTailState, NEW_TAIL);
const idsOf = (state: TailState) => state.messages.map(({ id }) => id);

test('messages are added at the end', () => {
  const state = after({ type: 'opened', id: 't' }, messages('a'), messages('b', 'c'));
  expect(state).toMatchObject({ phase: 'following', received: 3 });
  expect(idsOf(state)).toEqual(['a', 'b', 'c']);
});

test('a gap is filled where it was, each message once', () => {
  const state = after(
    { type: 'opened', id: 't' },
    messages('a', 'b'),
    { type: 'paused' },
    { type: 'resumed' },
    messages('e'),
    { type: 'gap', messages: ['b', 'c', 'd', 'e'].map(message), isLast: true },
  );
  expect(idsOf(state)).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(state).toMatchObject({ phase: 'following', gapAt: undefined, received: 5 });
});

test('what is found in a gap later stands in order, too, and is counted once', () => {
  const found = (isLast: boolean, ...ids: string[]): TailEvent => ({
    type: 'gap',
    messages: ids.map(message),
    isLast,
  });
  const events = [messages('a'), { type: 'paused' }, { type: 'resumed' }, messages('e')] as const;
  const half = after(...events, found(false, 'a', 'c'));
  expect(idsOf(half)).toEqual(['a', 'c', 'e']);
  expect(half).toMatchObject({ gapAt: 1, received: 3 });
  const whole = after(...events, found(false, 'a', 'c'), messages('f'), found(true, 'a', 'b', 'c', 'd', 'e'));
  expect(idsOf(whole)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  expect(whole).toMatchObject({ gapAt: undefined, received: 6 });
});

test('a message that is shown stays the same when it is found, too: it may be open or marked', () => {
  const state = after(messages('a'), { type: 'paused' }, { type: 'resumed' }, messages('b'));
  const next = nextTailState(state, { type: 'gap', messages: [message('a'), message('b')], isLast: true });
  expect(next.messages[0]).toBe(state.messages[0]);
  expect(next.messages[1]).toBe(state.messages[1]);
});

test('what is missed while a gap is filled stands behind it', () => {
  const state = after(
    { type: 'opened', id: 't' },
    messages('a'),
    { type: 'paused' },
    { type: 'resumed' },
    messages('c'),
    { type: 'lost' },
    { type: 'gap', messages: [message('b')], isLast: true },
    { type: 'opened', id: 'u' },
    messages('e'),
    { type: 'gap', messages: [message('d')], isLast: true },
  );
  expect(idsOf(state)).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('what came meanwhile is being fetched until the last of it is there, also after the connection broke', () => {
  const opened: TailEvent = { type: 'opened', id: 't' };
  const paused = after(opened, messages('a'), { type: 'paused' });
  expect(isFillingGap(paused)).toBe(false);
  const resumed = nextTailState(paused, { type: 'resumed', missed: 4 });
  expect(resumed.missed).toBe(4);
  expect(isFillingGap(resumed)).toBe(true);
  const half = nextTailState(resumed, { type: 'gap', messages: [message('b')], isLast: false });
  expect(isFillingGap(half)).toBe(true);
  expect(isFillingGap(nextTailState(half, { type: 'gap', messages: [], isLast: true }))).toBe(false);
  const lost = nextTailState(half, { type: 'lost' });
  expect(lost.missed).toBeUndefined();
  expect(isFillingGap(lost)).toBe(false);
  expect(isFillingGap(nextTailState(lost, opened))).toBe(true);
});

test('a gap that is too large is offered, and no longer waits to be filled', () => {
  const gap = { from: 1, to: 2, total: 3412, expected: undefined };
  const state = after(messages('a'), { type: 'paused' }, { type: 'resumed' }, { type: 'offered', gap });
  expect(state).toMatchObject({ offered: gap, gapAt: undefined });
  expect(idsOf(state)).toEqual(['a']);
});

test('a connection that breaks while it is paused leaves one gap', () => {
  const state = after(messages('a'), { type: 'paused' }, messages('b'), { type: 'lost' });
  expect(state).toMatchObject({ phase: 'lost', gapAt: 1 });
});

test('the oldest are forgotten, the gap moves with them, and all times are remembered', () => {
  const many = Array.from({ length: KEPT_MESSAGES }, (_, at) => String(at));
  const early = fromFields({ _id: 'early', timestamp: '2026-11-15T09:00:00.000Z' });
  const state = after({ type: 'messages', messages: [early] }, { type: 'paused' }, messages(...many));
  expect(state.messages).toHaveLength(KEPT_MESSAGES);
  expect(state).toMatchObject({ gapAt: 0, received: KEPT_MESSAGES + 1 });
  expect(state.messages[0]?.id).toBe('0');
  expect(state.seen).toEqual({ from: early.timestamp, to: early.timestamp + 3_600_000 });
});

test('an answer about a tail that is gone does not touch the one that is shown', () => {
  const shown = after({ type: 'opened', id: 'new' });
  expect(nextTailState(shown, { type: 'paused', of: 'old' })).toBe(shown);
  expect(nextTailState(shown, { type: 'ended', reason: 'no such tail', of: 'old' })).toBe(shown);
  expect(nextTailState(shown, { type: 'paused', of: 'new' }).phase).toBe('paused');
});
