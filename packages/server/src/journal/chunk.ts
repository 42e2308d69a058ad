import type { FrameSource, RecordBatch } from '#core/index.ts';
import { PLACE_BYTES, viewOf } from './format.ts';

/** Columns have room for as many records of this size as fit into the buffer, and grow beyond that. */
const USUAL_RECORD_BYTES = 372;

/**
 * A buffer of whole records, consecutive in offset, with the columns a consumer reads. The writer fills it,
 * it goes to disk as it is, and the reader hands out its columns: a record is encoded once, copied once and
 * never decoded again while the consumer keeps up. Chunks filled from disk look the same.
 *
 * A chunk takes many groups, one behind the other: the front is on disk and being read while the back still
 * fills, so memory is used for bytes and not for half-empty buffers.
 *
 * Plain fields: this is the inner loop of the intake.
 */
export class RecordChunk {
  readonly buffer: Buffer;
  readonly view: DataView;
  frameStarts: Uint32Array<ArrayBuffer>;
  frameEnds: Uint32Array<ArrayBuffer>;
  receivedAt: Float64Array<ArrayBuffer>;
  /** Filled up to `count`; kept between uses, since growing it again costs a tenth of an append. */
  readonly sources: FrameSource[] = [];
  firstOffset = 0;
  count = 0;
  /** Bytes filled. */
  length = 0;
  /** Bytes given to the disk, and bytes the disk has. */
  submittedBytes = 0;
  submittedCount = 0;
  durableBytes = 0;
  /** No record will be added. */
  complete = false;
  /** Indexes of void records, ascending; almost always empty. */
  voids: number[] = [];
  /** The writer, the reader's window and every batch that was handed out and not released. */
  holders = 0;

  constructor(buffer: Buffer) {
    this.buffer = buffer;
    this.view = viewOf(buffer);
    const capacity = Math.ceil(buffer.length / USUAL_RECORD_BYTES);
    this.frameStarts = new Uint32Array(capacity);
    this.frameEnds = new Uint32Array(capacity);
    this.receivedAt = new Float64Array(capacity);
  }

  get endOffset(): number {
    return this.firstOffset + this.count;
  }

  reset(firstOffset: number): void {
    this.firstOffset = firstOffset;
    this.count = 0;
    this.length = 0;
    this.submittedBytes = 0;
    this.submittedCount = 0;
    this.durableBytes = 0;
    this.complete = false;
    this.voids = [];
    this.holders = 1;
  }

  /** Adds the record that was just encoded up to `frameEnd` to the columns. */
  push(frameStart: number, frameEnd: number, receivedAt: number, source: FrameSource): void {
    const index = this.count;
    if (index === this.frameStarts.length) this.#growColumns();
    this.frameStarts[index] = frameStart;
    this.frameEnds[index] = frameEnd;
    this.receivedAt[index] = receivedAt;
    this.sources[index] = source;
    this.count = index + 1;
    this.length = frameEnd;
  }

  /** Adds the first `count` frames of the run whose table begins at `table` and that has `frames` of them. */
  pushRun(table: number, frames: number, count: number, receivedAt: number, source: FrameSource): void {
    const { view, count: index } = this;
    const body = table + frames * PLACE_BYTES;
    while (index + count > this.frameStarts.length) this.#growColumns();
    const { frameStarts, frameEnds } = this;
    for (let i = 0, place = table; i < count; i += 1, place += PLACE_BYTES) {
      frameStarts[index + i] = body + view.getUint32(place, true);
      frameEnds[index + i] = body + view.getUint32(place + 4, true);
      this.sources[index + i] = source;
    }
    this.receivedAt.fill(receivedAt, index, index + count);
    this.count = index + count;
    this.length = frameEnds[index + count - 1] as number;
  }

  #growColumns(): void {
    const capacity = this.frameStarts.length * 2;
    const frameStarts = new Uint32Array(capacity);
    frameStarts.set(this.frameStarts);
    this.frameStarts = frameStarts;
    const frameEnds = new Uint32Array(capacity);
    frameEnds.set(this.frameEnds);
    this.frameEnds = frameEnds;
    const receivedAt = new Float64Array(capacity);
    receivedAt.set(this.receivedAt);
    this.receivedAt = receivedAt;
  }
}

/**
 * Chunks for reuse: a fresh buffer of one MiB costs a page fault per 4 KiB. Keeps at most `maxIdle` idle
 * ones; a chunk larger than usual (one huge record) is left to the garbage collector.
 */
export class ChunkPool {
  readonly #chunkBytes: number;
  readonly #maxIdle: number;
  readonly #idle: RecordChunk[] = [];

  constructor(chunkBytes: number, maxIdle: number) {
    this.#chunkBytes = chunkBytes;
    this.#maxIdle = maxIdle;
  }

  /** A chunk with one holder: the caller. */
  take(firstOffset: number, minimumBytes: number): RecordChunk {
    const reused = minimumBytes <= this.#chunkBytes ? this.#idle.pop() : undefined;
    const chunk = reused ?? new RecordChunk(Buffer.allocUnsafeSlow(Math.max(minimumBytes, this.#chunkBytes)));
    chunk.reset(firstOffset);
    return chunk;
  }

  /** The caller no longer holds the chunk. Without holders it is reused. */
  release(chunk: RecordChunk): void {
    chunk.holders -= 1;
    if (chunk.holders === 0) this.#recycle(chunk);
  }

  #recycle(chunk: RecordChunk): void {
    if (chunk.buffer.length !== this.#chunkBytes || this.#idle.length >= this.#maxIdle) return;
    this.#idle.push(chunk);
  }
}

/** Records [from, to) of a chunk, by index. */
export function recordBatchOf(chunk: RecordChunk, from: number, to: number, pool: ChunkPool): RecordBatch {
  let released = false;
  chunk.holders += 1;
  return {
    firstOffset: chunk.firstOffset + from,
    endOffset: chunk.firstOffset + to,
    count: to - from,
    bytes: chunk.buffer,
    frameStarts: chunk.frameStarts.subarray(from, to),
    frameEnds: chunk.frameEnds.subarray(from, to),
    receivedAt: chunk.receivedAt.subarray(from, to),
    sources: chunk.sources.slice(from, to),
    release() {
      if (released) return;
      released = true;
      pool.release(chunk);
    },
  };
}
