/**
 * What inputs, processing and outputs know of the journal. The contract in one paragraph: a frame is
 * accepted by `append`, acknowledged to its sender after its `settled` callback said true, handed out by
 * `read` in the order it was appended, and gone only after `commitBatch` or `commit`. Nothing acknowledged
 * is lost; what is lost by choice or by a broken disk is counted and reported.
 */

/** Which input received something, and from which sender. Immutable. */
export interface MessageOrigin {
  readonly inputId: string;
  /** The sender's address as text; at most 255 bytes, as is `inputId`. */
  readonly remoteAddress: string;
  readonly remotePort: number;
}

/**
 * Where frames came from and which codec decodes them. Keep one object for each sender as long as it lives:
 * the journal encodes an object once, and readers see the same object for frames that never left memory.
 */
export interface FrameSource extends MessageOrigin {
  /** The codec's number in the journal, 0 to 255: a backlog can be decoded after its input is gone. */
  readonly codecId: number;
}

/**
 * Frames of one sender that arrived together, as slices of one buffer: frame `i` is
 * `bytes[starts[i], ends[i])`. The journal copies what it needs before `append` returns, so the caller may
 * reuse the batch, its arrays and its bytes at once.
 */
export interface FrameBatch {
  readonly source: FrameSource;
  /** Milliseconds since the Unix epoch. */
  readonly receivedAt: number;
  readonly bytes: Buffer;
  readonly starts: ArrayLike<number>;
  readonly ends: ArrayLike<number>;
  readonly count: number;
}

/**
 * Why frames are refused right now.
 * `full`: the byte budget is spent and nothing can be freed until the consumer commits.
 * `backlogged`: the disk is slower than the senders; what waits in memory has reached its bound.
 * `failing`: the disk refuses writes (no space, I/O error); retried until it works again.
 * `closed`: the journal is shutting down.
 */
export type JournalRefusal = 'full' | 'backlogged' | 'failing' | 'closed';

export interface JournalWriter {
  /**
   * Takes all frames of the batch, or none. False means refused: nothing was kept, `refusal` says why, and
   * `onRoom` tells when to try again. True means accepted, not yet durable.
   *
   * `settled` is called once, later: with true when every frame of the batch is on disk, with false when
   * the disk refused them. After false none of them will be handed out, so the sender may send again.
   * Without `settled` the frames are kept in memory and retried while the disk fails.
   */
  append(frames: FrameBatch, settled?: (durable: boolean) => void): boolean;
  /** Why the last append was refused; undefined as soon as there is room again. */
  readonly refusal: JournalRefusal | undefined;
  /** Calls `listener` each time appends work again after a refusal. Returns the way to stop that. */
  onRoom(listener: () => void): () => void;
  /** The offset the next accepted frame gets: frames are numbered from 0 in the order of acceptance. */
  readonly nextOffset: number;
  /** Every frame below this offset is on disk. Only grows. */
  readonly durableOffset: number;
}

/**
 * Frames in journal order, as columns. Record `i` has offset `firstOffset + i` and its frame is
 * `bytes[frameStarts[i], frameEnds[i])`.
 *
 * Everything in it is a view into the journal's buffers and valid until `release()`, which the consumer
 * calls once when it is done with the bytes. A batch that is never released costs memory, nothing else.
 */
export interface RecordBatch {
  readonly firstOffset: number;
  /** `firstOffset + count`: what to give to `beginBatch` or `commit` once these records are included. */
  readonly endOffset: number;
  readonly count: number;
  readonly bytes: Buffer;
  readonly frameStarts: Uint32Array;
  readonly frameEnds: Uint32Array;
  /** Milliseconds since the Unix epoch. */
  readonly receivedAt: Float64Array;
  readonly sources: readonly FrameSource[];
  release(): void;
}

/** A range of records that was being sent to storage, perhaps stored, when the process ended. */
export interface ReplayBatch {
  /** The token it was sent with; sending the same records with it again stores them once. */
  readonly token: string;
  readonly fromOffset: number;
  readonly endOffset: number;
  /** All records of the range that are still readable, in order. */
  readonly records: readonly RecordBatch[];
}

export interface ReadLimit {
  readonly records?: number;
}

/**
 * The single consumer of a journal partition. Exactly once works like this: first `nextReplay` until it
 * gives undefined, each with its own token; then `read` batches, `beginBatch` with a new token that was
 * never used before (random: offsets may start again after a partition was wiped), send them with that
 * token, `commitBatch` after storage confirmed.
 */
export interface JournalReader {
  /** The next range to send again with its old token, complete; undefined when there is none left. */
  nextReplay(): Promise<ReplayBatch | undefined>;
  /** The next records, without waiting. Undefined: nothing ready now, see `whenReadable`. */
  read(limit?: ReadLimit): RecordBatch | undefined;
  /** Resolves when `read` has something, or the journal was closed. */
  whenReadable(): Promise<void>;
  /**
   * Resolves when the checkpoint on disk says that the records from the end of the previous batch up to
   * `endOffset` travel under `token`. Several batches may be on their way at once, up to a bound: then it waits until
   * the first of them is committed. Rejects with a `RetryableError` when the checkpoint could not be written; then
   * nothing may be sent.
   */
  beginBatch(endOffset: number, token: string): Promise<void>;
  /** Storage has the batch for good. Unknown tokens are an error. */
  commitBatch(token: string): void;
  /** For consumers without tokens: commits everything below `endOffset`. At least once. */
  commit(endOffset: number): void;
  /** Everything below this offset is committed. */
  readonly committedOffset: number;
  readonly closed: boolean;
}

/** A reader for a consumer without tokens that may have to send again what it has read and not committed. */
export interface RewindableReader extends JournalReader {
  /** The next `read` starts at the committed offset again. */
  rewind(): void;
  /**
   * Some of the oldest records that are not committed; where the next `read` starts does not change. Undefined when there
   * are none, or while they are being read from disk anyway.
   */
  peek(): Promise<RecordBatch | undefined>;
}

/** The figures behind `/system/journal` and the metrics; counters count since the partition was opened. */
export interface JournalStats {
  readonly appendedRecords: number;
  readonly appendedBytes: number;
  readonly readRecords: number;
  readonly committedRecords: number;
  readonly uncommittedRecords: number;
  /** Those of them that were read. */
  readonly inProcessRecords: number;
  readonly sizeBytes: number;
  /** Of the whole node, shared by its partitions. */
  readonly limitBytes: number;
  readonly usedBytes: number;
  /** `usedBytes / limitBytes`. */
  readonly utilization: number;
  readonly segments: number;
  /** Milliseconds since the epoch; undefined when there is no segment. */
  readonly oldestSegmentAt: number | undefined;
  readonly groups: number;
  readonly failedGroups: number;
  readonly refusedRecords: Readonly<Record<JournalRefusal, number>>;
  /** Uncommitted records deleted by the policy `drop_oldest`. */
  readonly droppedRecords: number;
  /** Acknowledged records that a broken disk or a damaged file took. */
  readonly lostRecords: number;
  readonly memoryReads: number;
  readonly diskReads: number;
}
