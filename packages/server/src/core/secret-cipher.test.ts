import { expect, test } from 'vitest';
import { Secret } from './secret.ts';
import { createSecretCipher, isEncrypted } from './secret-cipher.ts';

const cipher = createSecretCipher(new Secret('the secret of all nodes'));
const place = 'input/1/tls_key_password';

test.each(['sesame', '', 'pä:ss💧', '$millrace$v1$sesame', 'x'.repeat(100_000)])(
  '%.20s comes back',
  (clear) => {
    const stored = cipher.encrypt(clear, place);
    expect(isEncrypted(stored)).toBe(true);
    expect(clear === '' || !stored.includes(clear)).toBe(true);
    expect(cipher.decrypt(stored, place)).toBe(clear);
  },
);

test('every node with the same secret reads it', () => {
  const other = createSecretCipher(new Secret('the secret of all nodes'));
  expect(other.decrypt(cipher.encrypt('sesame', place), place)).toBe('sesame');
});

test('the same text is stored differently each time', () => {
  expect(cipher.encrypt('sesame', place)).not.toBe(cipher.encrypt('sesame', place));
});

test('values of another secret or another place, damaged ones and clear text cannot be decrypted', () => {
  const stored = cipher.encrypt('sesame', place);
  const other = createSecretCipher(new Secret('the secret of somebody else'));
  expect(other.decrypt(stored, place)).toBeUndefined();
  expect(cipher.decrypt(stored, 'input/2/tls_key_password')).toBeUndefined();
  expect(cipher.decrypt(stored, 'input/1/authorization_header_value')).toBeUndefined();
  const flipped = stored.at(-4) === 'A' ? 'B' : 'A';
  expect(cipher.decrypt(`${stored.slice(0, -4)}${flipped}${stored.slice(-3)}`, place)).toBeUndefined();
  expect(cipher.decrypt(stored.slice(0, -4), place)).toBeUndefined();
  for (const text of ['', 'sesame', '$millrace$v1$', '$millrace$v1$AAAA', '$millrace$v2$AAAA']) {
    expect(cipher.decrypt(text, place)).toBeUndefined();
  }
});
