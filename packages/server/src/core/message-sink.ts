import type { RoutedBatch } from './routing.ts';

/**
 * Where processing hands its results: the storage of one journal partition. Every message must have its id.
 *
 * Contract: first every batch of an earlier run through `replay`, one after the other; then `write`, in the
 * order of the journal and without gaps. Messages are stored exactly once in each of their index sets, and
 * the sink commits the journal by itself when they are. Trouble with the storage is the sink's own affair: it
 * tries again for as long as it takes, says so in its state, and takes no more batches meanwhile.
 */
export interface MessageSink {
  /**
   * Takes what it needs of the messages before it returns; they may be changed or forgotten after that.
   * Undefined: there is room for the next batch. A promise: wait for it before the next call.
   */
  write(batch: RoutedBatch): Promise<void> | undefined;
  /**
   * The records of a `ReplayBatch`, complete, as one routed batch. Resolves when they are stored and
   * committed; rejects only when the sink was stopped before that.
   */
  replay(batch: RoutedBatch, token: string): Promise<void>;
  /** Sends what is there, waits a moment for what is on its way, and ends. What is not committed is replayed. */
  stop(): Promise<void>;
}
