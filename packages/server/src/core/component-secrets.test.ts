import { expect, test } from 'vitest';
import { createComponentSecrets } from './component-secrets.ts';
import { field, PASSWORD_SET, types } from './schema/index.ts';
import { Secret } from './secret.ts';
import { createSecretCipher } from './secret-cipher.ts';

const described = { humanName: 'A field', description: 'What it is for.' };
const header = types.object({
  name: field(types.text(), described),
  value: field(types.secret(), described),
});
const fields = {
  host: field(types.text(), described),
  token: field(types.nullable(types.secret()), { ...described, default: null }),
  headers: field(types.list(header), { ...described, default: [] }),
  keys: field(types.list(types.secret()), { ...described, default: [] }),
};
const clear = {
  host: 'a',
  token: 'sesame1',
  headers: [
    { name: 'A', value: 'sesame2' },
    { name: 'B', value: 'sesame3' },
  ],
  keys: ['sesame4'],
};
const secretsOf = (text: string, kind = 'output') =>
  createComponentSecrets(createSecretCipher(new Secret(text)), kind);
const secrets = secretsOf('the secret of all nodes');

test('every secret is encrypted, at any depth, and everything else stays readable', () => {
  const stored = secrets.encrypt('1', fields, clear);
  expect(JSON.stringify(stored)).not.toContain('sesame');
  expect(stored).toMatchObject({ host: 'a', headers: [{ name: 'A' }, { name: 'B' }] });
  expect(secrets.decrypt('1', fields, stored)).toEqual({ configuration: clear, unreadable: [] });
});

test('no secret, and what the table does not know, stay as they are', () => {
  const stored = { host: 'a', token: null, other: 'b' };
  expect(secrets.encrypt('1', fields, stored)).toEqual(stored);
  expect(secrets.encryptClearOnes('1', fields, stored)).toBeUndefined();
});

test('with another secret, for another owner or another kind they are unreadable, each by its path', () => {
  const stored = secrets.encrypt('1', fields, clear);
  const paths = ['token', 'headers[0].value', 'headers[1].value', 'keys[0]'];
  for (const decrypted of [
    secretsOf('the secret of somebody else').decrypt('1', fields, stored),
    secretsOf('the secret of all nodes', 'input').decrypt('1', fields, stored),
    secrets.decrypt('2', fields, stored),
  ]) {
    expect(decrypted.unreadable).toEqual(paths);
    expect(decrypted.configuration).toMatchObject({ host: 'a', headers: [{ name: 'A' }, { name: 'B' }] });
    expect(decrypted.configuration).not.toHaveProperty('token');
  }
});

test('a configuration stored in clear is readable, and is encrypted once', () => {
  expect(secrets.decrypt('1', fields, clear)).toEqual({ configuration: clear, unreadable: [] });
  const { token } = secrets.encrypt('1', fields, clear);
  const migrated = secrets.encryptClearOnes('1', fields, { ...clear, token });
  expect(migrated?.token).toBe(token);
  expect(JSON.stringify(migrated)).not.toContain('sesame');
  expect(secrets.decrypt('1', fields, migrated ?? {})).toEqual({ configuration: clear, unreadable: [] });
  expect(secrets.encryptClearOnes('1', fields, migrated ?? {})).toBeUndefined();
  // Another secret is no reason to encrypt twice.
  expect(
    secretsOf('the secret of somebody else').encryptClearOnes('1', fields, migrated ?? {}),
  ).toBeUndefined();
});

test('a change keeps the secrets whose mask the client sent back, and takes the others', () => {
  const stored = { ownerId: '1', fields, configuration: secrets.encrypt('1', fields, clear) };
  const changed = { host: 'b', token: PASSWORD_SET, headers: [{ name: 'A', value: 'new' }] };
  expect(secrets.keep(fields, changed, stored)).toEqual({
    host: 'b',
    token: 'sesame1',
    headers: [{ name: 'A', value: 'new' }],
  });
  // Nothing is stored that the mask could stand for.
  expect(secrets.keep(fields, { token: PASSWORD_SET }, undefined).token).toBeUndefined();
});

test('a change that would lose an unreadable secret is refused by its path, one that replaces it is not', () => {
  const stored = { ownerId: '1', fields, configuration: secrets.encrypt('1', fields, clear) };
  const { keep } = secretsOf('the secret of somebody else');
  expect(() => keep(fields, { token: PASSWORD_SET }, stored, 'config')).toThrow(
    expect.objectContaining({ message: expect.stringMatching(/^token cannot be decrypted/) }),
  );
  expect(keep(fields, { token: 'new' }, stored)).toEqual({ token: 'new' });
});

test('stored secrets are not kept when the address they are sent to leads to another server', () => {
  const sent = { ...fields, url: field(types.httpUrl(), { ...described, receivesSecrets: true }) };
  const configuration = secrets.encrypt('1', sent, { ...clear, url: 'https://a.example.org/one' });
  const stored = { ownerId: '1', fields: sent, configuration };
  const masked = { token: PASSWORD_SET, headers: [{ name: 'A', value: PASSWORD_SET }] };
  const keep = (url: string | undefined, rest: object) =>
    secrets.keep(sent, { url, ...rest }, stored, 'config');
  expect(keep('https://A.example.org:443/two', masked)).toMatchObject({ token: 'sesame1' });
  for (const url of [
    'https://b.example.org/one',
    'http://a.example.org/one',
    'https://a.example.org:8443/one',
    'https://a.example.org@b.example.org/',
    'nonsense',
    undefined,
  ]) {
    expect(() => keep(url, masked)).toThrow(
      /^url leads to another server than before.* Enter token, headers\[0\]\.value again, or leave them out\.$/,
    );
    expect(keep(url, { token: 'new' })).toMatchObject({ token: 'new' });
  }
});
