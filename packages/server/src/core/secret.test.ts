import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { Secret } from './secret.ts';

test('a secret never prints, whichever way it is printed', () => {
  const secret = new Secret('hunter2');
  const holder = { password: secret, list: [secret] };

  for (const text of [
    `${secret}`,
    String(secret),
    JSON.stringify(holder),
    inspect(holder, { depth: 9, showHidden: true }),
  ]) {
    expect(text).not.toContain('hunter2');
    expect(text).toContain('[redacted]');
  }
  expect(Object.keys(secret)).toEqual([]);
  expect(secret.reveal()).toBe('hunter2');
});
