import { randomBytes } from 'node:crypto';

/**
 * An id for a persisted thing: 24 lower-case hex digits, as API clients expect them. The first eight are
 * the seconds since the epoch, so ids sort roughly by age; the rest is random.
 */
export function newEntityId(nowMs: number): string {
  const seconds = Math.floor(nowMs / 1000)
    .toString(16)
    .padStart(8, '0');
  return seconds + randomBytes(8).toString('hex');
}

const ENTITY_ID = /^[0-9a-f]{24}$/;

export function isEntityId(text: string): boolean {
  return ENTITY_ID.test(text);
}
