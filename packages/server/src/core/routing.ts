import type { Message } from './message.ts';

/**
 * Where a message goes: processing decides it, storage and outputs obey. Immutable and shared by all messages
 * with the same destination, so the object itself can serve as a key.
 */
export interface RoutingTarget {
  /** Ids of the streams, ascending; the message's `streams` is this very array. Never empty. */
  readonly streamIds: readonly string[];
  /** Ids of the index sets it is written to, once each, ascending. */
  readonly indexSetIds: readonly string[];
}

/** The messages of one journal batch on their way to storage. Message `i` goes to `targets[i]`. */
export interface RoutedBatch {
  /** The journal records it was made of: `[firstOffset, endOffset)`. A record may give no message. */
  readonly firstOffset: number;
  readonly endOffset: number;
  readonly messages: readonly Message[];
  readonly targets: readonly RoutingTarget[];
}
