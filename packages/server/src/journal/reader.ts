import {
  errorMessage,
  type ReadLimit,
  type RecordBatch,
  type ReplayBatch,
  RetryableError,
  type RewindableReader,
} from '#core/index.ts';
import { type ChunkPool, type RecordChunk, recordBatchOf } from './chunk.ts';
import type { DiskCursor } from './disk-cursor.ts';
import type { ReportIncident } from './incident.ts';
import type { ConsumerProgress, InFlightBatch } from './progress.ts';
import type { MemoryWindow } from './window.ts';

export interface ReaderDeps {
  readonly partition: string;
  readonly progress: ConsumerProgress;
  readonly window: MemoryWindow;
  readonly cursor: DiskCursor;
  readonly pool: ChunkPool;
  readonly durableOffset: () => number;
  /** Makes the progress durable; rejects when it could not. */
  readonly persist: () => Promise<void>;
  /** The committed offset moved: it should be written soon, and what is below it freed. */
  readonly committed: () => void;
  readonly report: ReportIncident;
  readonly retryDelayMs: number;
}

/** Blocks read ahead of the consumer: one it works on, one ready, one on its way. */
const READY_BLOCKS = 2;

/** See `JournalReader`. Memory while the consumer keeps up, else blocks from disk, read ahead. */
export class PartitionReader implements RewindableReader {
  readonly #deps: ReaderDeps;
  readonly #replays: InFlightBatch[];
  #position: number;
  #ready: RecordChunk[] = [];
  #loading = false;
  #closed = false;
  #readFailing = false;
  #wake: (() => void)[] = [];
  /** Changes when the position moves back: a block that was asked for before that is not the next one. */
  #rewinds = 0;
  #retryTimer: NodeJS.Timeout | undefined;
  #endRetryWait: (() => void) | undefined;
  /** Batches are begun in the order of the calls, also when one has to wait. */
  #lastBegun: Promise<void> = Promise.resolve();
  readRecords = 0;
  memoryReads = 0;
  diskReads = 0;

  constructor(deps: ReaderDeps) {
    this.#deps = deps;
    this.#replays = [...deps.progress.inFlight];
    this.#position = deps.progress.committed;
  }

  get committedOffset(): number {
    return this.#deps.progress.committed;
  }

  get closed(): boolean {
    return this.#closed;
  }

  get position(): number {
    return this.#position;
  }

  read(limit?: ReadLimit): RecordBatch | undefined {
    if (this.#replays.length > 0) {
      throw new Error('batches of an earlier run come first: call nextReplay until it gives undefined');
    }
    if (this.#closed) return undefined;
    const maxRecords = limit?.records ?? Number.POSITIVE_INFINITY;
    const durable = this.#deps.durableOffset();
    for (;;) {
      this.#position = this.#deps.progress.readableFrom(this.#position);
      if (this.#position >= durable) return undefined;
      const inMemory = this.#deps.window.find(this.#position);
      const chunk = inMemory ?? this.#readyChunk();
      if (chunk === undefined) {
        this.#loadAhead();
        return undefined;
      }
      const batch = this.#slice(chunk, Math.min(durable, this.#position + maxRecords));
      this.#releaseRead();
      if (batch === undefined) continue;
      if (inMemory === undefined) this.diskReads += 1;
      else this.memoryReads += 1;
      return batch;
    }
  }

  whenReadable(): Promise<void> {
    if (this.#closed || this.#isReadable()) return Promise.resolve();
    return new Promise((resolve) => {
      this.#wake.push(resolve);
      this.#loadAhead();
    });
  }

  async nextReplay(): Promise<ReplayBatch | undefined> {
    for (;;) {
      const range = this.#replays[0];
      if (range === undefined || this.#closed) return undefined;
      this.#position = Math.max(this.#position, range.fromOffset);
      const records = await this.#readRange(range.endOffset);
      if (this.#closed) return undefined;
      this.#replays.shift();
      this.#position = Math.max(this.#position, range.endOffset);
      this.#deps.window.trim(this.#position);
      if (records.length > 0) {
        return {
          token: range.token,
          fromOffset: range.fromOffset,
          endOffset: range.endOffset,
          records,
        };
      }
      // Nothing of it is left to send.
      this.commitBatch(range.token);
    }
  }

  async beginBatch(endOffset: number, token: string): Promise<void> {
    this.#requireRead(endOffset);
    const { progress } = this.#deps;
    // One that is begun again must not wait behind those that wait for it.
    if (progress.isInFlight(token)) progress.begin(endOffset, token);
    else await this.#begin(endOffset, token);
    try {
      await this.#deps.persist();
    } catch (error) {
      throw new RetryableError(
        `cannot write the journal checkpoint in ${this.#deps.partition}: ${errorMessage(error)}; begin the same batch again`,
        { cause: error },
      );
    }
  }

  #begin(endOffset: number, token: string): Promise<void> {
    const { progress } = this.#deps;
    const begun = this.#lastBegun
      .then(() => progress.whenRoom())
      .then(() => progress.begin(endOffset, token));
    this.#lastBegun = begun.catch(() => {});
    return begun;
  }

  commitBatch(token: string): void {
    this.#deps.progress.commitBatch(token);
    this.#deps.committed();
  }

  commit(endOffset: number): void {
    this.#requireRead(endOffset);
    this.#deps.progress.commitThrough(endOffset);
    this.#deps.committed();
  }

  rewind(): void {
    this.#rewinds += 1;
    this.#position = this.#deps.progress.committed;
    for (const chunk of this.#ready) this.#deps.pool.release(chunk);
    this.#ready = [];
  }

  async peek(): Promise<RecordBatch | undefined> {
    const { progress, window, pool, cursor, durableOffset } = this.#deps;
    const from = progress.readableFrom(progress.committed);
    if (this.#loading || this.#closed || from >= durableOffset()) return undefined;
    const inMemory = window.find(from);
    if (inMemory !== undefined) return restOf(inMemory, from, durableOffset(), pool);
    this.#loading = true;
    try {
      const chunk = await cursor.load(from);
      if (chunk === undefined) return undefined;
      const records = restOf(chunk, from, durableOffset(), pool);
      pool.release(chunk);
      return records;
    } catch {
      // Whoever reads them will say so.
      return undefined;
    } finally {
      this.#loading = false;
      if (this.#wake.length > 0) this.#loadAhead();
    }
  }

  /** More records are durable. */
  notify(): void {
    if (this.#wake.length > 0) {
      if (this.#isReadable()) this.#wakeAll();
      else this.#loadAhead();
    }
  }

  /** Records below `offset` were dropped: continues there. */
  moveTo(offset: number): void {
    this.#position = Math.max(this.#position, offset);
    this.#releaseRead();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retryTimer);
    this.#endRetryWait?.();
    this.#wakeAll();
    for (const chunk of this.#ready) this.#deps.pool.release(chunk);
    this.#ready = [];
    await this.#deps.cursor.close();
  }

  #requireRead(endOffset: number): void {
    if (endOffset <= this.#position) return;
    throw new RangeError(`offset ${endOffset} is too high: records up to ${this.#position} were read`);
  }

  #isReadable(): boolean {
    const position = this.#deps.progress.readableFrom(this.#position);
    if (position >= this.#deps.durableOffset()) return false;
    return this.#deps.window.covers(position) || this.#readyChunk() !== undefined;
  }

  #wakeAll(): void {
    const waiting = this.#wake;
    this.#wake = [];
    for (const resolve of waiting) resolve();
  }

  #readyChunk(): RecordChunk | undefined {
    const chunk = this.#ready[0];
    return chunk !== undefined && chunk.endOffset > this.#position ? chunk : undefined;
  }

  /** The records from the position up to `endOffset`, cut at the first void; moves the position past them. */
  #slice(chunk: RecordChunk, endOffset: number): RecordBatch | undefined {
    let from = Math.max(0, this.#position - chunk.firstOffset);
    let to = Math.min(chunk.count, endOffset - chunk.firstOffset);
    for (const index of chunk.voids) {
      if (index < from) continue;
      if (index > from) {
        to = Math.min(to, index);
        break;
      }
      this.#deps.progress.skip(chunk.firstOffset + from, chunk.firstOffset + from + 1);
      from += 1;
      to = Math.max(to, from);
    }
    this.#position = chunk.firstOffset + Math.max(from, to);
    if (to <= from) return undefined;
    this.readRecords += to - from;
    return recordBatchOf(chunk, from, to, this.#deps.pool);
  }

  #releaseRead(): void {
    this.#deps.window.trim(this.#position);
    while ((this.#ready[0]?.endOffset ?? Number.POSITIVE_INFINITY) <= this.#position) {
      this.#deps.pool.release(this.#ready.shift() as RecordChunk);
      this.#loadAhead();
    }
  }

  #loadAhead(): void {
    if (this.#loading || this.#closed || this.#replays.length > 0) return;
    this.#loading = true;
    void this.#load().finally(() => {
      this.#loading = false;
    });
  }

  async #load(): Promise<void> {
    while (!this.#closed && this.#ready.length < READY_BLOCKS) {
      const from = this.#deps.progress.readableFrom(
        Math.max(this.#position, this.#ready.at(-1)?.endOffset ?? 0),
      );
      if (from >= this.#deps.durableOffset() || this.#deps.window.covers(from)) break;
      const rewinds = this.#rewinds;
      const chunk = await this.#loadChunk(from);
      if (chunk === undefined) break;
      const isNext = !this.#closed && rewinds === this.#rewinds && chunk.endOffset > this.#position;
      if (isNext) this.#ready.push(chunk);
      else this.#deps.pool.release(chunk);
      if (this.#isReadable()) this.#wakeAll();
    }
    if (this.#isReadable()) this.#wakeAll();
  }

  async #readRange(endOffset: number): Promise<RecordBatch[]> {
    const records: RecordBatch[] = [];
    while (!this.#closed) {
      this.#position = this.#deps.progress.readableFrom(this.#position);
      if (this.#position >= endOffset) break;
      const chunk = await this.#loadChunk(this.#position);
      if (chunk === undefined) break;
      while (this.#position < Math.min(endOffset, chunk.endOffset)) {
        this.#position = Math.max(this.#position, chunk.firstOffset);
        if (this.#position >= endOffset) break;
        const batch = this.#slice(chunk, endOffset);
        if (batch !== undefined) records.push(batch);
      }
      this.#deps.pool.release(chunk);
      if (chunk.firstOffset >= endOffset) break;
    }
    this.diskReads += records.length;
    return records;
  }

  /** Reads from disk until it works: an I/O error is not a reason to skip records. */
  async #loadChunk(offset: number): Promise<RecordChunk | undefined> {
    while (!this.#closed) {
      try {
        const chunk = await this.#deps.cursor.load(offset);
        this.#readFailing = false;
        return chunk;
      } catch (error) {
        if (!this.#readFailing) this.#reportReadFailure(offset, error);
        this.#readFailing = true;
        await new Promise<void>((resolve) => {
          this.#endRetryWait = resolve;
          this.#retryTimer = setTimeout(resolve, this.#deps.retryDelayMs);
        });
      }
    }
    return undefined;
  }

  #reportReadFailure(offset: number, error: unknown): void {
    this.#deps.report({
      kind: 'read_failing',
      message: `cannot read the journal in ${this.#deps.partition} from offset ${offset} on: ${errorMessage(error)}; trying again until it works`,
      partition: this.#deps.partition,
      records: 0,
      bytes: 0,
      offset,
      cause: error,
    });
  }
}

/** The records of a chunk from one offset on that are on disk. */
function restOf(chunk: RecordChunk, from: number, durable: number, pool: ChunkPool): RecordBatch {
  const end = Math.min(chunk.count, durable - chunk.firstOffset);
  return recordBatchOf(chunk, Math.max(0, from - chunk.firstOffset), end, pool);
}
