import { hash, randomBytes } from 'node:crypto';
import { type Clock, ExpiringMap } from '#core/index.ts';

/**
 * Remembers for a short time that a password was verified, so that HTTP Basic with a password on every request does not
 * need an argon2 computation each time.
 *
 * The cache keeps nothing from which the password could be recovered outside this process: the key is a hash over a
 * random secret of the process and the credentials. (An HMAC would take four times as long, and its extra protection
 * matters only where others see the result.) An entry is valid only for the stored hash it was verified against, and
 * callers pass the hash they have just read from the database. So a password change on any node invalidates it at once.
 */
export interface VerifiedPasswordCache {
  /** Whether this password was recently verified against `storedHash`. */
  has(username: string, password: string, storedHash: string): boolean;
  add(username: string, password: string, storedHash: string): void;
  /** The same for equal credentials; reveals nothing about them. */
  key(username: string, password: string): string;
}

export interface VerifiedPasswordCacheSettings {
  readonly maxAgeMs: number;
  readonly maxEntries: number;
}

export function createVerifiedPasswordCache(
  deps: { readonly clock: Clock },
  settings: VerifiedPasswordCacheSettings = { maxAgeMs: 60_000, maxEntries: 1000 },
): VerifiedPasswordCache {
  const secret = randomBytes(32).toString('base64');
  const verifiedHashes = new ExpiringMap<string, string>(deps.clock, settings);

  // With the length in front, ("ab", "c") and ("a", "bc") differ.
  const key = (username: string, password: string): string =>
    hash('sha256', `${secret}${username.length}:${username}${password}`, 'base64');

  return {
    key,

    has(username, password, storedHash) {
      const name = key(username, password);
      const verified = verifiedHashes.get(name);
      if (verified === storedHash) return true;
      if (verified !== undefined) verifiedHashes.delete(name);
      return false;
    },

    add(username, password, storedHash) {
      verifiedHashes.set(key(username, password), storedHash);
    },
  };
}
