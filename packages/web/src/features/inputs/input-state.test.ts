import type { InputState } from '@millrace/contract';
import { expect, test } from 'vitest';
import { combinedState, isListening, statesById } from './input-state.ts';

const state = (more: Partial<InputState>): InputState => ({
  id: 'i',
  state: 'RUNNING',
  started_at: '2026-11-16T00:00:00.000Z',
  detailed_message: null,
  listening: null,
  losses: [],
  message_input: {} as InputState['message_input'],
  ...more,
});
const loss = (reason: string, count: number, unit: 'events' | 'fields' = 'events') => ({
  reason,
  unit,
  count,
  what: 'w',
  remedy: 'r',
  example: null,
});

test('an input on several nodes has the worst state, its reason, and all losses', () => {
  const nodes = statesById({
    a: [
      state({ losses: [loss('x', 2), loss('names', 99, 'fields')], listening: { address: '::', port: 1 } }),
      state({ id: 'other' }),
    ],
    b: [state({ state: 'FAILED', detailed_message: 'in use', losses: [loss('y', 9), loss('x', 3)] })],
    gone: null,
  });
  expect([...nodes.keys()]).toEqual(['i', 'other']);
  expect(combinedState(nodes.get('i'))).toMatchObject({
    tone: 'danger',
    word: 'failed',
    why: 'in use',
    listening: { port: 1 },
    losses: [loss('names', 99, 'fields'), loss('y', 9), loss('x', 5)],
    lost: 14,
  });
  expect(combinedState(undefined)).toMatchObject({ state: undefined, tone: 'dim', word: 'unknown' });
});

test('an input that loses messages now runs with a warning; a chosen port is none', () => {
  const tone = (detailed_message: string) =>
    combinedState([{ ...state({ detailed_message }), nodeId: 'a' }]).tone;
  expect(tone('messages were lost or refused: the journal is full')).toBe('warn');
  expect(tone('listens on port 4, which the system has chosen')).toBe('ok');
  const chosen = state({ detailed_message: 'listens on port 4, which the system has chosen' });
  const losing = state({ detailed_message: 'messages were lost or refused: the journal is full' });
  const both = combinedState([
    { ...chosen, nodeId: 'a' },
    { ...losing, nodeId: 'b' },
  ]);
  expect(both).toMatchObject({ tone: 'warn', why: losing.detailed_message });
});

test('an input listens where any node runs it; while it starts nobody can say', () => {
  const f = (states: readonly InputState['state'][], expected: boolean | undefined) =>
    expect(isListening(combinedState(states.map((one) => ({ ...state({ state: one }), nodeId: one }))))).toBe(
      expected,
    );
  f(['RUNNING'], true);
  f(['RUNNING', 'FAILED'], true);
  f(['FAILED'], false);
  f(['STOPPED'], false);
  f(['STARTING'], undefined);
});
