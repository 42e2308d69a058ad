import { expect, test } from 'vitest';
import { boundAddress, INPUT_STATES_WORST_FIRST, isLosing, stateWord, worstState } from './states.ts';

test('one node that fails is what is said of all', () => {
  const states = [{ state: 'RUNNING' }, { state: 'FAILED' }, { state: 'STOPPED' }] as const;
  expect(worstState(states, INPUT_STATES_WORST_FIRST)?.state).toBe('FAILED');
  expect(worstState([], INPUT_STATES_WORST_FIRST)).toBeUndefined();
  expect(stateWord('INVALID_CONFIGURATION')).toBe('invalid configuration');
  expect(stateWord(undefined)).toBe('unknown');
});

test('an input loses messages only while it runs', () => {
  const why = 'messages were lost or refused: the journal is full';
  expect(isLosing({ state: 'RUNNING', detailed_message: why })).toBe(true);
  expect(isLosing({ state: 'FAILED', detailed_message: why })).toBe(false);
  expect(isLosing({ state: 'RUNNING', detailed_message: null })).toBe(false);
});

test('the address has the port that the system chose, and IPv6 in brackets', () => {
  const input = (attributes: Record<string, unknown>) => ({ effective_attributes: attributes });
  const anyPort = input({ bind_address: '::', port: 0 });
  expect(boundAddress(anyPort, { address: '::', port: 40_001 })).toBe('[::]:40001');
  expect(boundAddress(anyPort, null)).toBe('');
  expect(boundAddress(input({ bind_address: '0.0.0.0', port: 12201 }))).toBe('0.0.0.0:12201');
  // A plugin need not have an address.
  expect(boundAddress(input({}))).toBe('');
});
