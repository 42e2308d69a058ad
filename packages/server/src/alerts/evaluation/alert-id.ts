import { createHash } from 'node:crypto';
import { MESSAGE_ID_PARTITIONS, messageIdText } from '#core/index.ts';

/**
 * The id of an alert, which is also that of its event's message. It follows from what the alert is about, so whoever
 * evaluates the same window again, after a crash or on another node, means the same alert.
 */
export function alertId(ruleId: string, key: readonly string[], triggeredAt: number): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([ruleId, key, triggeredAt]))
    .digest();
  return messageIdText({
    receivedAt: triggeredAt,
    partition: hash.readUIntBE(0, 6) % MESSAGE_ID_PARTITIONS,
    offset: hash.readUIntBE(6, 6) % MESSAGE_ID_PARTITIONS,
  });
}
