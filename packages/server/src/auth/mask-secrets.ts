import { Secret } from '#core/index.ts';

const MASK = '[redacted]';
const MAX_DEPTH = 12;
/** The last word of a key decides, so that `session_timeout_ms` and `token_count` stay readable. */
const SECRET_KEY =
  /(?:^|[^a-z])(?:password|passwd|passphrase|token|authorization|cookie|secret|session_id|credentials|private_key|api_key|sha2)s?$/;
/** `https://user:password@host`, as outputs and notifications may contain. */
const PASSWORD_IN_URL = /([a-z][a-z0-9+.-]*:\/\/[^\s/:@]*):[^\s/@]+@/gi;

function isSecretKey(key: string): boolean {
  return SECRET_KEY.test(key.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase());
}

/** A copy of plain data in which every secret is masked; for any object of the API. */
export function maskSecrets(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return value.replace(PASSWORD_IN_URL, `$1:${MASK}@`);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Secret) return MASK;
  // Also stops at cycles.
  if (depth >= MAX_DEPTH) return '[…]';
  if (Array.isArray(value)) return value.map((element) => maskSecrets(element, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, content]) => [
      key,
      content !== null && content !== undefined && isSecretKey(key) ? MASK : maskSecrets(content, depth + 1),
    ]),
  );
}
