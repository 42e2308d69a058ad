import { stdSerializers } from 'pino';
import { Secret } from '#core/index.ts';

export const REDACTED = '[redacted]';

/** Logged objects are cut off below this depth, so that no secret hides in the unchecked part. */
const MAX_DEPTH = 6;

/**
 * The last word of a key decides: `transport_email_auth_password`, `accessToken` and `set-cookie` are sensitive,
 * `token_count` and `password_changed_at` are not.
 */
const SENSITIVE_ENDING =
  /(?:^|[^a-z])(?:password|passwd|token|authorization|cookie|secret|password_sha2|session_id|credentials)s?$/;

function isSensitiveKey(key: string): boolean {
  return SENSITIVE_ENDING.test(key.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase());
}

/**
 * A copy of a logged value without its secrets. Errors at any depth become plain objects with type, message and stack,
 * because JSON would show them as `{}`.
 */
export function withoutSecrets(value: unknown, ancestors: readonly object[] = []): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Secret) return REDACTED;
  if (ancestors.includes(value)) return '[circular]';
  if (ancestors.length >= MAX_DEPTH) return '[…]';
  if (value instanceof Error) return copyObject({ ...stdSerializers.err(value) }, [...ancestors, value]);
  if (Array.isArray(value)) {
    const path = [...ancestors, value];
    return value.map((item) => withoutSecrets(item, path));
  }
  // Dates, buffers, URLs and similar objects define their own JSON.
  if ('toJSON' in value && typeof value.toJSON === 'function') return value;
  return copyObject(value, [...ancestors, value]);
}

/** The same for an object whose keys are checked too: the logged object, or the bindings of a child logger. */
export function withoutSecretsInObject(object: object): Record<string, unknown> {
  return copyObject(object, [object]);
}

function copyObject(object: object, path: readonly object[]): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(object)) {
    const hidden = value !== undefined && value !== null && isSensitiveKey(key);
    copy[key] = hidden ? REDACTED : withoutSecrets(value, path);
  }
  return copy;
}
