import { createHash } from 'node:crypto';
import { encodeMessageIdPart, MESSAGE_ID_DIGITS } from '#core/index.ts';

/** The last two digits come from a table; the digits before them stay the same for this many offsets. */
const LOW_COUNT = 32 * 32;
const LOW = Array.from({ length: LOW_COUNT }, (_, number) => encodeMessageIdPart(number, 2));

export type MessageIds = (offset: number, receivedAt: number) => string;

/** Makes the ids of one journal partition. `partition` is a text that no other partition of the cluster has. */
export function createMessageIds(partition: string): MessageIds {
  const digest = createHash('sha256').update(partition).digest();
  const partitionDigits = encodeMessageIdPart(digest.readUIntBE(0, 5), MESSAGE_ID_DIGITS.partition);
  let lastTime = -1;
  let lastHigh = -1;
  let timeDigits = '';
  let prefix = '';

  return function messageId(offset, receivedAt) {
    const time = Math.max(0, Math.trunc(receivedAt));
    const high = Math.floor(offset / LOW_COUNT);
    if (time !== lastTime || high !== lastHigh) {
      if (time !== lastTime) timeDigits = encodeMessageIdPart(time, MESSAGE_ID_DIGITS.time);
      lastTime = time;
      lastHigh = high;
      prefix = timeDigits + partitionDigits + encodeMessageIdPart(high, MESSAGE_ID_DIGITS.offset - 2);
    }
    return prefix + LOW[offset % LOW_COUNT];
  };
}
