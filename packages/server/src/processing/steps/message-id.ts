import { createHash } from 'node:crypto';
import { encodeMessageIdPart, MESSAGE_ID_DIGITS, MESSAGE_ID_PARTITIONS, messageIdText } from '#core/index.ts';

/** The last two digits come from a table; the digits before them stay the same for this many offsets. */
const LOW_COUNT = 32 * 32;
const LOW = Array.from({ length: LOW_COUNT }, (_, number) => encodeMessageIdPart(number, 2));

/**
 * The id of a message. `number` is 0 for the message a record was decoded to, and counts the messages that processing
 * makes of the same record.
 */
export type MessageIds = (offset: number, receivedAt: number, number?: number) => string;

/** Makes the ids of one journal partition. `partition` is a text that no other partition of the cluster has. */
export function createMessageIds(partition: string): MessageIds {
  const partitionNumber = createHash('sha256').update(partition).digest().readUIntBE(0, 5);
  const partitionDigits = encodeMessageIdPart(partitionNumber, MESSAGE_ID_DIGITS.partition);
  let lastTime = -1;
  let lastHigh = -1;
  let timeDigits = '';
  let prefix = '';

  return function messageId(offset, receivedAt, number = 0) {
    const time = Math.max(0, Math.trunc(receivedAt));
    if (number > 0) {
      const numbered = (partitionNumber + number) % MESSAGE_ID_PARTITIONS;
      return messageIdText({ receivedAt: time, partition: numbered, offset });
    }
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
