import { expect, test } from 'vitest';
import { fromFields } from '../../lib/messages/index.ts';
import { KEPT_MESSAGES, NEW_TAIL, nextTailState, type TailEvent, type TailState } from './tail-state.ts';

const message = (id: string) => fromFields({ _id: id, timestamp: '2026-11-15T10:00:00.000Z' });
const messages = (...ids: string[]): TailEvent => ({ type: 'messages', messages: ids.map(message) });
const after = (...events: TailEvent[]): TailState => events.reduce(nextTailState, NEW_TAIL);
const idsOf = (state: TailState) => state.messages.map(({ id }) => id);

test('messages are added at the end', () => {
  const state = after({ type: 'opened', id: 't' }, messages('a'), messages('b', 'c'));
  expect(state.phase).toBe('following');
  expect(idsOf(state)).toEqual(['a', 'b', 'c']);
});

test('a gap is filled where it was, each message once', () => {
  const state = after(
    { type: 'opened', id: 't' },
    messages('a', 'b'),
    { type: 'paused' },
    { type: 'resumed' },
    messages('e'),
    { type: 'gap', messages: ['b', 'c', 'd', 'e'].map(message), total: 10 },
  );
  expect(idsOf(state)).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(state).toMatchObject({ phase: 'following', gapAt: undefined, missed: 6 });
});

test('a connection that breaks while it is paused leaves one gap', () => {
  const state = after(messages('a'), { type: 'paused' }, messages('b'), { type: 'lost' });
  expect(state).toMatchObject({ phase: 'lost', gapAt: 1 });
});

test('the oldest are forgotten, and the gap moves with them', () => {
  const many = Array.from({ length: KEPT_MESSAGES }, (_, at) => String(at));
  const state = after(messages('first'), { type: 'paused' }, messages(...many));
  expect(state.messages).toHaveLength(KEPT_MESSAGES);
  expect(state.messages[0]?.id).toBe('0');
  expect(state.gapAt).toBe(0);
});
