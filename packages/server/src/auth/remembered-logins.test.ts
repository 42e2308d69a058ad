import { expect, test } from 'vitest';
import { RetryableError } from '#core/index.ts';
import type { LoginSession, LoginsRepository } from '#metadata/index.ts';
import { ManualClock } from '#testing/manual-clock.ts';
import { createRememberedLogins } from './remembered-logins.ts';

const SESSION: LoginSession = { username: 'anna', lastUsedAt: 0, timeoutMs: 3_600_000, user: undefined };

function setUp(answer: () => Promise<LoginSession | undefined>) {
  const state = { answer };
  const clock = new ManualClock();
  const find = () => state.answer() as Promise<never>;
  const logins: LoginsRepository = { findSession: find, findToken: find, findUser: find };
  return { state, clock, remembered: createRememberedLogins(logins, clock, { patienceMs: 20 }) };
}

const away = () => Promise.reject(new RetryableError('the connection to PostgreSQL failed'));
const silent = () => new Promise<never>(() => {});

test.each([
  ['is away', away],
  ['hangs', silent],
])('whoever was let in is let in while the database %s, for two minutes', async (_, outage) => {
  const { state, clock, remembered } = setUp(async () => SESSION);
  expect(await remembered.findSession('a')).toBe(SESSION);
  state.answer = outage;
  clock.advance(119_000);
  expect(await remembered.findSession('a')).toBe(SESSION);
  clock.advance(2000);
  state.answer = away;
  await expect(remembered.findSession('a')).rejects.toThrow(RetryableError);
});

test('nobody is let in whom the database did not know, or does not know any more', async () => {
  const { state, remembered } = setUp(away);
  await expect(remembered.findSession('a')).rejects.toThrow(RetryableError);
  state.answer = async () => SESSION;
  await remembered.findSession('a');
  await expect(remembered.findSession('b')).resolves.toBe(SESSION);
  state.answer = async () => undefined;
  expect(await remembered.findSession('a')).toBeUndefined();
  state.answer = away;
  await expect(remembered.findSession('a')).rejects.toThrow(RetryableError);
  // Each kind of look-up has its own memory.
  await expect(remembered.findToken('b')).rejects.toThrow(RetryableError);
});

test('an error that is not an outage is not hidden', async () => {
  const { state, remembered } = setUp(async () => SESSION);
  await remembered.findSession('a');
  state.answer = () => Promise.reject(new TypeError('a bug'));
  await expect(remembered.findSession('a')).rejects.toThrow(TypeError);
});
