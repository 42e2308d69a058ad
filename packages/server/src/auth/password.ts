import { argon2, createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const argon2Async = promisify(argon2);

/**
 * What a password is checked against. `argon2id`: a hash computed here, in PHC format
 * (`$argon2id$v=19$m=..,t=..,p=..$salt$hash`). `sha256`: the hex digest of `root_password_sha2`.
 */
export type StoredPassword =
  | { readonly kind: 'argon2id'; readonly hash: string }
  | { readonly kind: 'sha256'; readonly hex: string };

export interface PasswordHasher {
  hash(password: string): Promise<string>;
  /**
   * Whether `password` is the stored one. Takes the same time for every outcome, for the root user's SHA-256 and for
   * `undefined` (no such user), so that timing reveals nothing. Runs on the thread pool; the caller limits how many run
   * at once.
   */
  verify(password: string, stored: StoredPassword | undefined): Promise<boolean>;
  /** Whether `hash` has other costs than the current ones and should be recomputed at the next login. */
  isOutdated(hash: string): boolean;
  /** How many expensive computations have run since the start. */
  computations(): number;
}

export interface PasswordHasherSettings {
  /** Memory of one computation, in KiB. */
  readonly memoryKib: number;
  readonly passes: number;
}

/** OWASP's first choice for argon2id; about 50 ms and 19 MiB on a 2.5 GHz core. */
export const DEFAULT_PASSWORD_COST: PasswordHasherSettings = { memoryKib: 19_456, passes: 2 };

const SALT_BYTES = 16;
const TAG_BYTES = 32;
const ARGON2_VERSION = 19;
const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

interface ParsedHash {
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
  readonly salt: Buffer;
  readonly tag: Buffer;
}

function parseHash(hash: string): ParsedHash | undefined {
  const match = PHC.exec(hash);
  if (match === null) return undefined;
  const [, memory, passes, parallelism, salt = '', tag = ''] = match;
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  };
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}

function equalBytes(left: Buffer, right: Buffer): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Normalised: keyboards and operating systems compose the same characters differently. */
function passwordBytes(password: string): Buffer {
  return Buffer.from(password.normalize('NFC'), 'utf8');
}

export function createPasswordHasher(
  settings: PasswordHasherSettings = DEFAULT_PASSWORD_COST,
): PasswordHasher {
  let computations = 0;
  // Stands in for the hash of an unknown user. No password matches it.
  const dummyHash: ParsedHash = {
    memory: settings.memoryKib,
    passes: settings.passes,
    parallelism: 1,
    salt: randomBytes(SALT_BYTES),
    tag: randomBytes(TAG_BYTES),
  };

  const derive = (password: string, parameters: ParsedHash): Promise<Buffer> => {
    computations += 1;
    return argon2Async('argon2id', {
      message: passwordBytes(password),
      nonce: parameters.salt,
      parallelism: parameters.parallelism,
      tagLength: parameters.tag.length,
      memory: parameters.memory,
      passes: parameters.passes,
    });
  };

  return {
    async hash(password) {
      const parameters = { ...dummyHash, salt: randomBytes(SALT_BYTES) };
      const tag = await derive(password, parameters);
      const { memory, passes, parallelism, salt } = parameters;
      return `$argon2id$v=${ARGON2_VERSION}$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`;
    },

    async verify(password, stored) {
      const parsed = stored?.kind === 'argon2id' ? parseHash(stored.hash) : undefined;
      const tag = await derive(password, parsed ?? dummyHash);
      if (stored?.kind === 'sha256') {
        // Graylog's root_password_sha2 is the digest of the bytes as typed, so there is no normalisation.
        const digest = createHash('sha256').update(password, 'utf8').digest();
        return equalBytes(digest, Buffer.from(stored.hex, 'hex'));
      }
      const equal = equalBytes(tag, (parsed ?? dummyHash).tag);
      return equal && parsed !== undefined;
    },

    isOutdated(hash) {
      const parsed = parseHash(hash);
      return (
        parsed === undefined || parsed.memory !== settings.memoryKib || parsed.passes !== settings.passes
      );
    },

    computations: () => computations,
  };
}
