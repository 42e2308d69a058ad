import type { ChunkPool, RecordChunk } from './chunk.ts';

/**
 * The chunks the consumer has not read to their end. When they exceed the bound, the oldest are removed, and the
 * consumer reads those from disk until it has caught up with the window. Chunks that are
 * still being filled or written stay; the writer bounds those.
 */
export class MemoryWindow {
  readonly #pool: ChunkPool;
  readonly #maxBytes: () => number;
  #chunks: RecordChunk[] = [];
  #bytes = 0;

  constructor(pool: ChunkPool, maxBytes: () => number) {
    this.#pool = pool;
    this.#maxBytes = maxBytes;
  }

  /** Called when the chunk is begun, so that its first records can be read before it is full. */
  add(chunk: RecordChunk): void {
    chunk.holders += 1;
    this.#chunks.push(chunk);
    // A chunk costs its whole buffer, even if little of it is filled.
    this.#bytes += chunk.buffer.length;
  }

  /** Removes what was read, everything below `readOffset`, and what exceeds the bound. */
  trim(readOffset: number): void {
    for (;;) {
      const oldest = this.#chunks[0];
      if (oldest === undefined || !oldest.complete || oldest.durableBytes < oldest.length) return;
      if (oldest.endOffset > readOffset && this.#bytes <= this.#maxBytes()) return;
      this.#chunks.shift();
      this.#bytes -= oldest.buffer.length;
      this.#pool.release(oldest);
    }
  }

  /** The chunk that holds `offset`. */
  find(offset: number): RecordChunk | undefined {
    const oldest = this.#chunks[0];
    if (oldest === undefined || offset < oldest.firstOffset) return undefined;
    return this.#chunks.find((chunk) => offset < chunk.endOffset && offset >= chunk.firstOffset);
  }

  /** Whether the window has everything from here on, so that reading from disk may stop. */
  covers(offset: number): boolean {
    return this.find(offset) !== undefined;
  }

  clear(): void {
    for (const chunk of this.#chunks) this.#pool.release(chunk);
    this.#chunks = [];
    this.#bytes = 0;
  }
}
