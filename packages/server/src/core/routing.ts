import type { RecordBatch } from './journal.ts';
import type { Message } from './message.ts';
import { MESSAGE_ID_OFFSETS } from './message-id.ts';

/**
 * Where a message goes. Processing decides it, the sinks obey. Immutable, and shared by all messages that are in
 * the same streams, so the object itself can serve as a key.
 */
export interface RoutingTarget {
  /** Ids of the streams, ascending; the message's `streams` is this very array. Never empty. */
  readonly streamIds: readonly string[];
  /** Ids of the index sets it is stored in, once each, ascending. */
  readonly indexSetIds: readonly string[];
  /** Ids of the outputs it is handed to, once each, ascending, however many of its streams have the output. */
  readonly outputIds: readonly string[];
}

/**
 * The messages of one journal batch on their way to the sinks. Message `i` goes to `targets[i]`. Messages are in the
 * order of their records. A record may give no message (it was dropped), one, or several (clones).
 */
export interface RoutedBatch {
  /** The journal records it was made of: `[firstOffset, endOffset)`. */
  readonly firstOffset: number;
  readonly endOffset: number;
  /** The records themselves, if they are not released yet: valid only while a sink takes the batch. */
  readonly records?: RecordBatch | undefined;
  readonly messages: readonly Message[];
  readonly targets: readonly RoutingTarget[];
}

/** The offset of the record that a message of the batch was made of. */
export function recordOffset(
  { firstOffset }: Pick<RoutedBatch, 'firstOffset'>,
  { idOffset }: Message,
): number {
  // An id holds the offset modulo the number of offsets that fit into its digits.
  const distance = idOffset - (firstOffset % MESSAGE_ID_OFFSETS);
  return firstOffset + (distance < 0 ? distance + MESSAGE_ID_OFFSETS : distance);
}
