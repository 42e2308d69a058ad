import { createHash } from 'node:crypto';

/**
 * Ids of messages: 26 characters of Crockford's base 32, as a ULID. The first ten are the time of receipt in
 * milliseconds, so ids sort by time; then eight that tell the journal partition, then eight for the offset in
 * it. Nothing in it is random: when records are read again after a crash, they get the ids they had.
 */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_DIGITS = 10;
const PARTITION_DIGITS = 8;
const OFFSET_DIGITS = 8;
/** The last two digits come out of a table, the rest stays the same for so many offsets. */
const LOW_COUNT = 32 * 32;
const LOW = Array.from({ length: LOW_COUNT }, (_, number) => encode(number, 2));

export type MessageIds = (offset: number, receivedAt: number) => string;

/** `partition` is a text that no other journal partition of the cluster has. */
export function createMessageIds(partition: string): MessageIds {
  const digest = createHash('sha256').update(partition).digest();
  const partitionDigits = encode(digest.readUIntBE(0, 5), PARTITION_DIGITS);
  let lastTime = -1;
  let lastHigh = -1;
  let timeDigits = '';
  let prefix = '';

  return function messageId(offset, receivedAt) {
    const time = Math.max(0, Math.trunc(receivedAt));
    const high = Math.floor(offset / LOW_COUNT);
    if (time !== lastTime || high !== lastHigh) {
      if (time !== lastTime) timeDigits = encode(time, TIME_DIGITS);
      lastTime = time;
      lastHigh = high;
      prefix = timeDigits + partitionDigits + encode(high, OFFSET_DIGITS - 2);
    }
    return prefix + LOW[offset % LOW_COUNT];
  };
}

function encode(number: number, digits: number): string {
  let text = '';
  let rest = number;
  for (let digit = 0; digit < digits; digit++) {
    text = (DIGITS[rest % 32] ?? '0') + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}
