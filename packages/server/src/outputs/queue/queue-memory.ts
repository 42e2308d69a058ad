import { ChunkPool } from '#journal/index.ts';

const KIB = 1024;
/** Queues are many: their memory must be small. What is not read soon is read from disk. */
export const QUEUE_TUNING = {
  chunkBytes: 128 * KIB,
  // A group on its way to the disk and the next one: what is in the window need not be read from disk.
  windowBytes: 768 * KIB,
  flushBytes: 256 * KIB,
  maxPendingBytes: 2048 * KIB,
};
const IDLE_CHUNKS = 32;

/** For the queues of one thread: what one no longer needs serves the next one, instead of waiting until it needs it again. */
export function createQueueChunks(): ChunkPool {
  return new ChunkPool(QUEUE_TUNING.chunkBytes, IDLE_CHUNKS);
}
