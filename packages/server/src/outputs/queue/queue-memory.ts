import { ChunkPool } from '#journal/index.ts';

const KIB = 1024;
/** Queues are many: their memory must be small. What is not read soon is read from disk. */
export const QUEUE_TUNING = {
  chunkBytes: 128 * KIB,
  flushBytes: 256 * KIB,
  maxPendingBytes: 2048 * KIB,
};
/** What a queue keeps for its reader beside what is on its way to the disk: a group and the next one. */
const IDLE_WINDOW_BYTES = 768 * KIB;
/**
 * A queue whose destination keeps up is read as soon as its messages are on disk. While a slow disk writes one group,
 * others gather behind it, and reading them from disk again would cost as much as queueing them.
 */
const READ_WINDOW_BYTES = 4096 * KIB;
/** Of all queues that are being read. */
const READ_WINDOWS_BYTES = 32 * 1024 * KIB;
const IDLE_CHUNKS = 32;

/** Memory of the queues of one thread: what one no longer needs serves the next one. */
export class QueueMemory {
  readonly chunks = new ChunkPool(QUEUE_TUNING.chunkBytes, IDLE_CHUNKS);
  /** Queues whose destination keeps up. */
  readonly #read = new Set<object>();

  /** Whether somebody reads the queue as soon as it can be read. */
  setRead(queue: object, isRead: boolean): void {
    if (isRead) this.#read.add(queue);
    else this.#read.delete(queue);
  }

  windowBytes(queue: object): number {
    if (!this.#read.has(queue)) return IDLE_WINDOW_BYTES;
    return Math.max(IDLE_WINDOW_BYTES, Math.min(READ_WINDOW_BYTES, READ_WINDOWS_BYTES / this.#read.size));
  }
}
