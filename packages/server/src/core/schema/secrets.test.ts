import { expect, test } from 'vitest';
import { field, PASSWORD_SET, types, unknownSecrets } from './index.ts';

const fields = { token: field(types.secret(), { humanName: 'Token', description: 'Known.' }) };

test.each([
  [{ password: 'x' }, 'password'],
  [{ proxy: { password: 'x' } }, 'proxy.password'],
  [{ headers: [{ authorization: 'Bearer x' }] }, 'headers[0].authorization'],
  [{ ldap_pwd: 'x' }, 'ldap_pwd'],
  [{ smtp: { user: 'a', pass: 'x' } }, 'smtp.pass'],
  [{ private_key: 'x' }, 'private_key'],
  [{ awsAccessKey: 'x' }, 'awsAccessKey'],
  [{ 'x-api-key': 'x' }, 'x-api-key'],
  [{ api_token: 12345 }, 'api_token'],
  [{ authtoken: 'x' }, 'authtoken'],
  [{ tokenValue: 'x' }, 'tokenValue'],
  [{ tokens: ['x'] }, 'tokens[0]'],
  [{ credentials: { user: 'x' } }, 'credentials.user'],
])('%j seems to hold a secret', (raw, path) => {
  expect(unknownSecrets(fields, raw)).toEqual([path]);
});

test.each([
  { token: 'of a field that is known, and encrypted' },
  { authorization_header_name: 'Authorization' },
  { authorizationHeaderName: 'Authorization' },
  { tokenizer: 'standard' },
  { bypass: 'x', compass: 'north' },
  { use_token: true },
  { password: '', secret: null, credentials: {}, tokens: [] },
  { api_key: PASSWORD_SET },
  { proxy: { host: 'a', port: 1 } },
])('%j does not', (raw) => {
  expect(unknownSecrets(fields, raw)).toEqual([]);
});

test('however deep it is', () => {
  let deep: unknown = { password: 'x' };
  for (let depth = 0; depth < 20_000; depth++) deep = [deep];
  expect(unknownSecrets(fields, { deep })).toHaveLength(1);
});
