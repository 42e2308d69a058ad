import { MAX_SESSION_TIMEOUT_MS } from '@millrace/contract';
import { expect, test } from 'vitest';
import { sessionTimeoutOf, timeoutMs, timeoutProblem } from './session-timeout.ts';

test('a session timeout is shown in the largest unit that fits, and becomes the same milliseconds again', () => {
  const f = (ms: number, amount: number | string, unit: string) => {
    expect(sessionTimeoutOf(ms)).toEqual({ amount, unit });
    expect(timeoutMs(sessionTimeoutOf(ms))).toBe(ms);
  };
  f(60_000, 1, 'minutes');
  f(90 * 60_000, 90, 'minutes');
  f(8 * 3_600_000, 8, 'hours');
  f(36 * 3_600_000, 36, 'hours');
  f(7 * 86_400_000, 7, 'days');
  // Set by a program.
  f(45_000, 0.75, 'minutes');
  f(MAX_SESSION_TIMEOUT_MS, '', 'never');
});

test('an empty box is no timeout, and a session that ends at once is refused', () => {
  expect(timeoutMs({ amount: '', unit: 'hours' })).toBeUndefined();
  expect(timeoutMs({ amount: '1.5', unit: 'hours' })).toBe(90 * 60_000);
  expect(timeoutProblem({ amount: '', unit: 'hours' })).toBe('This is needed.');
  expect(timeoutProblem({ amount: 0.5, unit: 'minutes' })).toBe('At least a minute.');
  expect(timeoutProblem({ amount: -1, unit: 'days' })).toBe('At least a minute.');
  expect(timeoutProblem({ amount: 36_500, unit: 'days' })).toBe('Less than a hundred years, or never.');
  expect(timeoutProblem({ amount: 1, unit: 'minutes' })).toBeUndefined();
  expect(timeoutProblem({ amount: '', unit: 'never' })).toBeUndefined();
});
