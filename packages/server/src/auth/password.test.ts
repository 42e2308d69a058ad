import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createPasswordHasher, DEFAULT_PASSWORD_COST } from './password.ts';

// Low costs: these tests check the logic. One test below uses the real costs.
const cheap = { memoryKib: 64, passes: 1 };

describe('a stored password', () => {
  test('is a versioned, salted hash that verifies the password and nothing else', async () => {
    const hasher = createPasswordHasher(cheap);
    const hash = await hasher.hash('correct horse');
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=64,t=1,p=1\$/);
    expect(hash).not.toContain('correct horse');
    expect(await hasher.hash('correct horse')).not.toBe(hash);

    const stored = { kind: 'argon2id', hash } as const;
    expect(await hasher.verify('correct horse', stored)).toBe(true);
    for (const wrong of ['', 'Correct horse', 'correct horse ', 'correct hors', 'correct horse\0']) {
      expect(await hasher.verify(wrong, stored)).toBe(false);
    }
  });

  test('accepts any text in any Unicode composition', async () => {
    const hasher = createPasswordHasher(cheap);
    for (const password of ['Zürich:Ω💧', 'p'.repeat(1000), 'a:b:c', ' blank ']) {
      const stored = { kind: 'argon2id', hash: await hasher.hash(password) } as const;
      expect(await hasher.verify(password, stored)).toBe(true);
      expect(await hasher.verify(password.normalize('NFD'), stored)).toBe(true);
      expect(await hasher.verify(`${password}x`, stored)).toBe(false);
    }
  });

  test('with other costs still verifies and is reported as outdated', async () => {
    const old = createPasswordHasher({ memoryKib: 32, passes: 1 });
    const hasher = createPasswordHasher(cheap);
    const hash = await old.hash('correct horse');
    expect(await hasher.verify('correct horse', { kind: 'argon2id', hash })).toBe(true);
    expect(hasher.isOutdated(hash)).toBe(true);
    expect(hasher.isOutdated(await hasher.hash('x'))).toBe(false);
    expect(hasher.isOutdated('nonsense')).toBe(true);
  });

  test.each(['', 'plain', '$argon2id$v=19$m=64,t=1,p=1$$', '$2b$10$abcdefghijklmnopqrstuv'])(
    'that is not a hash (%j) matches no password',
    async (hash) => {
      const hasher = createPasswordHasher(cheap);
      expect(await hasher.verify('', { kind: 'argon2id', hash })).toBe(false);
      expect(await hasher.verify(hash, { kind: 'argon2id', hash })).toBe(false);
    },
  );
});

test('the root user’s SHA-256 verifies in upper- and lower-case hex', async () => {
  const hasher = createPasswordHasher(cheap);
  const hex = createHash('sha256').update('päss').digest('hex');
  expect(await hasher.verify('päss', { kind: 'sha256', hex })).toBe(true);
  expect(await hasher.verify('päss', { kind: 'sha256', hex: hex.toUpperCase() })).toBe(true);
  expect(await hasher.verify('pass', { kind: 'sha256', hex })).toBe(false);
  expect(await hasher.verify('', { kind: 'sha256', hex: '' })).toBe(false);
});

test('every check takes one computation: right, wrong, root, unknown user, broken hash', async () => {
  const hasher = createPasswordHasher(cheap);
  const hash = await hasher.hash('correct horse');
  const hex = createHash('sha256').update('correct horse').digest('hex');
  const cases = [
    ['correct horse', { kind: 'argon2id', hash }],
    ['wrong', { kind: 'argon2id', hash }],
    ['correct horse', { kind: 'sha256', hex }],
    ['wrong', { kind: 'sha256', hex }],
    ['wrong', { kind: 'argon2id', hash: 'broken' }],
    ['correct horse', undefined],
  ] as const;
  for (const [password, stored] of cases) {
    const before = hasher.computations();
    await hasher.verify(password, stored);
    expect(hasher.computations() - before).toBe(1);
  }
});

test('the default cost is OWASP’s and works', async () => {
  expect(DEFAULT_PASSWORD_COST).toEqual({ memoryKib: 19_456, passes: 2 });
  const hasher = createPasswordHasher();
  const hash = await hasher.hash('correct horse');
  expect(await hasher.verify('correct horse', { kind: 'argon2id', hash })).toBe(true);
});
