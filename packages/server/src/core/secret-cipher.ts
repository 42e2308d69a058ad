import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Secret } from './secret.ts';

/**
 * Encrypts secrets that are stored in the metadata database, so that a copy of the database does not reveal them.
 *
 * The key follows from `password_secret`, which all nodes of a cluster share, so each node reads what another one wrote.
 * A stored value is a text:
 *
 *   $millrace$v1$<base64url of: 12 bytes nonce, ciphertext, 16 bytes tag>
 *
 * with AES-256-GCM and a random nonce. The place where the value belongs (owner and field) is authenticated with it:
 * copied to another owner or field it cannot be decrypted. The version names algorithm, key derivation and layout
 * together.
 */
export interface SecretCipher {
  encrypt(clear: string, place: string): string;
  /** Undefined if it was encrypted with another `password_secret` or for another place, or if it is damaged. */
  decrypt(stored: string, place: string): string | undefined;
}

const PREFIX = '$millrace$v1$';
const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_PURPOSE = 'millrace stored secrets v1';

export function createSecretCipher(passwordSecret: Secret): SecretCipher {
  const key = deriveKey(passwordSecret, KEY_PURPOSE);
  return {
    encrypt(clear, place) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(Buffer.from(place, 'utf8'));
      const text = Buffer.concat([cipher.update(clear, 'utf8'), cipher.final()]);
      return PREFIX + Buffer.concat([nonce, text, cipher.getAuthTag()]).toString('base64url');
    },

    decrypt(stored, place) {
      if (!isEncrypted(stored)) return undefined;
      const bytes = Buffer.from(stored.slice(PREFIX.length), 'base64url');
      if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
      const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(place, 'utf8'));
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      try {
        const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
        return Buffer.concat([text, decipher.final()]).toString('utf8');
      } catch {
        return undefined;
      }
    },
  };
}

/** Whether a stored text is encrypted, with whatever key. */
export function isEncrypted(stored: string): boolean {
  return stored.startsWith(PREFIX);
}

/** A key of its own for each purpose, so that what protects one thing reveals nothing about another. */
export function deriveKey(secret: Secret, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret.reveal(), '', purpose, KEY_BYTES));
}
