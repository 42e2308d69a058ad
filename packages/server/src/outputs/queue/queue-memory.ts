import { ChunkPool } from '#journal/index.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
export const QUEUE_TUNING = {
  chunkBytes: 128 * KIB,
  flushBytes: 256 * KIB,
};
/** Queues of a thread are many, and what they hold together must not grow with their number. */
interface Shared {
  /** Of all queues together, as long as each may have `least`. */
  readonly together: number;
  readonly least: number;
  readonly most: number;
}

/**
 * What waits for the disk. With the least of it a group is written before the next one is taken. Alone a queue may have all of
 * it: a busy worker hears of a written group only after its next batches of messages, and they would wait in memory that is
 * not used again.
 */
const PENDING: Shared = { together: 16 * MIB, least: 256 * KIB, most: 16 * MIB };
const SMALL_PENDING = 2 * MIB;
/**
 * What a queue keeps for its reader while nobody reads it: a group and the next one. Of many that are not read each keeps
 * only what it is writing, and is read from disk when its destination is back.
 */
const IDLE_WINDOW: Shared = { together: 4 * MIB, least: 0, most: 768 * KIB };
/**
 * A queue whose destination keeps up is read as soon as its messages are on disk. While a slow disk writes one group,
 * others gather behind it, and reading them from disk again would cost as much as queueing them.
 */
const READ_WINDOW: Shared = { together: 32 * MIB, least: 256 * KIB, most: 32 * MIB };
/** As many as wait for the disk together: new ones in the place of those that were given back would be garbage. */
const IDLE_CHUNKS = PENDING.together / QUEUE_TUNING.chunkBytes;

/** Memory of the queues of one thread: what one no longer needs serves the next one. */
export class QueueMemory {
  readonly chunks = new ChunkPool(QUEUE_TUNING.chunkBytes, IDLE_CHUNKS);
  readonly #queues = new Set<object>();
  /** Those whose destination keeps up. */
  readonly #read = new Set<object>();

  /** A queue takes its part until it is forgotten. */
  add(queue: object): void {
    this.#queues.add(queue);
  }

  forget(queue: object): void {
    this.#queues.delete(queue);
    this.#read.delete(queue);
  }

  /** Whether somebody reads the queue as soon as it can be read. */
  setRead(queue: object, isRead: boolean): void {
    if (isRead) this.#read.add(queue);
    else this.#read.delete(queue);
  }

  windowBytes(queue: object): number {
    return this.#read.has(queue)
      ? partOf(READ_WINDOW, this.#read.size)
      : partOf(IDLE_WINDOW, this.#queues.size - this.#read.size);
  }

  /** Of a queue that may have `maxBytes` on disk: a group must be a small part of it, since it is freed only as a whole. */
  pendingBytes(maxBytes: number): number {
    return Math.min(partOf(PENDING, this.#queues.size), Math.max(SMALL_PENDING, maxBytes / 8));
  }
}

function partOf({ together, least, most }: Shared, queues: number): number {
  return Math.max(least, Math.min(most, together / queues));
}
