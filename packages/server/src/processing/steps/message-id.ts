import { createHash } from 'node:crypto';
import { MESSAGE_ID_OFFSETS, MESSAGE_ID_PARTITIONS, type Message } from '#core/index.ts';

/**
 * Gives a message its id. `number` is 0 for the message a record was decoded to, and counts the messages that processing
 * makes of the same record.
 */
export type MessageIds = (message: Message, offset: number, number?: number) => void;

/** Makes the ids of one journal partition. `partition` is a text that no other partition of the cluster has. */
export function createMessageIds(partition: string): MessageIds {
  const partitionNumber = createHash('sha256').update(partition).digest().readUIntBE(0, 5);
  return function giveId(message, offset, number = 0) {
    message.idPartition = (partitionNumber + number) % MESSAGE_ID_PARTITIONS;
    message.idOffset = offset % MESSAGE_ID_OFFSETS;
  };
}
