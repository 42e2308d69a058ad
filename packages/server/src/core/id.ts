import { randomBytes } from 'node:crypto';

let lastSeconds = -1;
let inThisSecond = 0;

/**
 * An id for a persisted thing: 24 lower-case hex digits, as API clients expect them. The first eight are the seconds
 * since the epoch, the next six count within the second, the rest is random: the ids that one process makes sort in
 * the order in which it made them, those of different processes roughly by age.
 */
export function newEntityId(nowMs: number): string {
  const seconds = Math.floor(nowMs / 1000);
  inThisSecond = seconds === lastSeconds ? inThisSecond + 1 : 0;
  lastSeconds = seconds;
  return hex(seconds, 8) + hex(inThisSecond, 6) + randomBytes(5).toString('hex');
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}

const ENTITY_ID = /^[0-9a-f]{24}$/;

export function isEntityId(text: string): boolean {
  return ENTITY_ID.test(text);
}
