import { expect, test } from 'vitest';
import { eventually, until } from './eventually.ts';

const BRIEFLY = { timeoutMs: 30, intervalMs: 1 };

test('an assertion is repeated until it passes, and its value is returned', async () => {
  let attempts = 0;
  const value = await eventually(() => {
    attempts += 1;
    expect(attempts).toBe(3);
    return 'done';
  });
  expect([attempts, value]).toEqual([3, 'done']);
});

test('an assertion that never passes fails with its own message and values', async () => {
  const error = await eventually(() => expect('apple').toBe('pear'), BRIEFLY).catch(
    (fault: unknown) => fault,
  );
  expect(error).toMatchObject({ actual: 'apple', expected: 'pear' });
  expect((error as Error).message).toMatch(/^still failing after 30 ms: expected 'apple' to be 'pear'/);
});

test('a probe is repeated until it returns a value', async () => {
  const values = [undefined, false, 0, 'here'];
  expect(await until(() => values.shift())).toBe('here');
});

test('a probe that never succeeds is named, with its last value', async () => {
  const probe = async () => 0;
  await expect(until(probe, BRIEFLY)).rejects.toThrow('`async () => 0` was still 0 after 30 ms');
});

test('an error of a probe ends the wait at once', async () => {
  const probe = () => Promise.reject(new Error('no such table'));
  await expect(until(probe)).rejects.toThrow('no such table');
});
