/**
 * Sinks take routed batches. After routing, every batch of a journal partition is handed to three kinds of them, always
 * in the order of the journal:
 *
 * - the `StorageSink` (the message writer) stores messages exactly once and commits the journal. Only it makes the
 *   consumer wait, and only it commits.
 * - an `ObserverSink` (the live tail) looks at what passes. It never waits: what exceeds its bound it drops and counts.
 * - an `OutputSink` (one for each output) appends its messages to a durable queue of its own.
 *
 * WHY NOTHING IS LOST. A batch with messages for outputs is given to the storage sink together with a promise,
 * `outputsSecured`. The storage sink inserts at once, but commits only after the promise has resolved, and the promise
 * resolves when every output concerned has the batch on disk. So a committed record is in all its queues. Whatever was
 * not committed when the node was killed is read, processed and handed out again.
 *
 * WHY NOTHING IS QUEUED TWICE. An output sink stores, together with the messages and in the same write, the offset up
 * to which it has everything: `securedOffset`. Batches arrive in the order of the journal and are secured in that order,
 * so one number describes the queue. After a restart the fan-out leaves out every message whose record is below that
 * offset. This needs messages to come from records in the same way each time, which is why ids of messages, clones
 * included, follow from the offset (`message-id.ts`).
 *
 * Offsets start again at 0 after a partition was drained and removed. Only durable records are read, so no queue can be
 * ahead of its journal: a stored offset beyond the end of the journal belongs to an earlier life of the partition, and
 * the sink resets it when it is opened (`OpenOutputSink`). For this to be noticed, the sinks of all outputs are opened
 * whenever their partition is opened, also those of paused outputs and of outputs without streams.
 *
 * WHO WAITS FOR WHOM. An output that is full either drops its oldest messages and secures the new ones, or it leaves
 * its promise pending until there is room. Then commits are delayed, the storage sink reaches its own bound and the
 * consumer waits. There is no other way for an output to slow down processing. What output sinks hold in memory is
 * bounded for the same reason: it is never more than the storage sink has taken and not committed.
 */
import type { RecordBatch } from './journal.ts';
import type { Message } from './message.ts';
import type { RoutedBatch } from './routing.ts';

/**
 * Stores the messages of one journal partition. Every message must have its id.
 *
 * Contract: first every batch of an earlier run through `replay`, one after the other; then `write`, in the order of
 * the journal and without gaps. Batches without messages count too: their records are committed. Messages are stored
 * exactly once in each of their index sets, and the sink itself commits the journal when they are. The sink handles
 * failures of the storage: it retries until it succeeds, shows the reason in its state, and meanwhile takes no more
 * batches than its bound allows.
 */
export interface StorageSink {
  /**
   * Copies what it needs of the messages before it returns. Undefined: there is room for the next batch. A promise:
   * wait for it before the next call. The batch is not committed before `outputsSecured` resolves; when that rejects,
   * it is not committed at all and will be replayed.
   */
  write(batch: RoutedBatch, outputsSecured?: Promise<void>): Promise<void> | undefined;
  /**
   * The records of a `ReplayBatch`, complete, as one routed batch. Resolves when they are stored and committed, after
   * `outputsSecured`, or when they can only be stored after later messages: then they are in flight as those of `write`
   * are. Rejects only when the sink was stopped before that.
   */
  replay(batch: RoutedBatch, token: string, outputsSecured?: Promise<void>): Promise<void>;
  /** Sends what is there, waits a moment for what is in flight, and ends. What is not committed is replayed. */
  stop(): Promise<void>;
}

/** Looks at batches before they are stored. Replayed batches are not shown: they may be old. */
export interface ObserverSink {
  /** Must not throw, keep the batch or change its messages, and must bound the time it takes. */
  observe(batch: RoutedBatch): void;
  /** `consumer` (any object that stands for it) cannot take more from its journal until `waitEnds`. */
  waitBegins(consumer: object): void;
  waitEnds(consumer: object): void;
}

/** The messages of a batch that go to one output; at least one. */
export interface OutputBatch {
  /** No message of the batch comes from a record below this offset. */
  readonly firstOffset: number;
  /** All messages for this output whose records are below this offset are in this batch or were in earlier ones. */
  readonly endOffset: number;
  readonly messages: readonly Message[];
  /** The records that `Message.gelfFrame` counts, if they are there: valid until `append` returns. */
  readonly records?: RecordBatch | undefined;
}

export interface OutputPartition {
  /** The number of the journal partition. */
  readonly partition: number;
  /** The offset after the last record of the partition, before anything is appended in this run. */
  readonly journalEnd: number;
}

/**
 * Opens the queue of an output for a journal partition, and creates it if there is none. When the offset it has stored
 * is beyond `journalEnd`, it has durably replaced it by 0 before the promise resolves.
 */
export type OpenOutputSink = (partition: OutputPartition) => Promise<OutputSink>;

/** The queue of one output for one journal partition. */
export interface OutputSink {
  /**
   * The queue durably holds, or has already delivered, every message for this output from a record below this offset.
   * 0 for a new queue; then the `endOffset` of the last secured batch.
   */
  readonly securedOffset: number;
  /**
   * Copies what it needs of the messages before it returns; must not throw. The promise resolves when the messages
   * and `endOffset` are durable, in one atomic write, or were dropped and counted because of the queue's bound. It
   * never resolves before the promise of an earlier batch. Failures of the disk are retried; the promise rejects only
   * when the sink is stopped first.
   */
  append(batch: OutputBatch): Promise<void>;
  /** Ends. What is not secured by then is appended again after the next start. */
  stop(): Promise<void>;
}
