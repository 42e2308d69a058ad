import { expect, test } from 'vitest';
import { Secret } from '#core/index.ts';
import { maskSecrets } from './mask-secrets.ts';

test('secrets are masked at any depth; everything else stays readable', () => {
  const masked = maskSecrets({
    username: 'anna',
    password: 'hunter2',
    old_password: null,
    session_timeout_ms: 5,
    tokens: ['hunter2'],
    permissions: ['users:tokenlist:anna'],
    configuration: {
      url: 'https://bob:hunter2@example.org/hook?a=b',
      tls: { privateKey: 'hunter2' },
      list: [{ auth_password: 'hunter2' }, new Secret('hunter2')],
    },
  });
  expect(JSON.stringify(masked)).not.toContain('hunter2');
  expect(masked).toEqual({
    username: 'anna',
    password: '[redacted]',
    old_password: null,
    session_timeout_ms: 5,
    tokens: '[redacted]',
    permissions: ['users:tokenlist:anna'],
    configuration: {
      url: 'https://bob:[redacted]@example.org/hook?a=b',
      tls: { privateKey: '[redacted]' },
      list: [{ auth_password: '[redacted]' }, '[redacted]'],
    },
  });
});

test('a cyclic structure is cut off', () => {
  const loop: Record<string, unknown> = {};
  loop.self = loop;
  expect(JSON.stringify(maskSecrets(loop))).toContain('[…]');
});
