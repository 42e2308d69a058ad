import {
  type Clock,
  errorMessage,
  type FrameBatch,
  type FrameSource,
  type JournalRefusal,
  type JournalWriter,
} from '#core/index.ts';
import type { SpaceLease } from './budget.ts';
import type { ChunkPool, RecordChunk } from './chunk.ts';
import {
  type EncodedSource,
  encodeRecord,
  encodeRun,
  encodeSource,
  endOfRun,
  frameCount,
  MAX_RECORD_BYTES,
  mostFrameOverhead,
  RECORD_HEADER_BYTES,
  RECORD_SLACK_BYTES,
  voidRecord,
} from './format.ts';
import type { ReportIncident } from './incident.ts';
import type { GroupPart, SegmentLog } from './segments.ts';
import type { MemoryWindow } from './window.ts';

export interface WriterSettings {
  readonly partition: string;
  /** Groups start at most this far apart while records are waiting. */
  readonly flushAgeMs: number;
  /** A group of this size does not wait for its age. */
  readonly flushBytes: number;
  /** Bytes that may wait in memory for the disk. */
  readonly maxPendingBytes: () => number;
  readonly retryDelayMs: number;
}

export interface WriterDeps {
  readonly clock: Clock;
  readonly log: SegmentLog;
  readonly pool: ChunkPool;
  readonly window: MemoryWindow;
  readonly space: SpaceLease;
  readonly committed: () => number;
  /** A group is durable. */
  readonly durable: () => void;
  /** The budget is spent: frees what may be freed now; true when it is worth trying again. */
  readonly makeRoom: (bytes: number) => boolean;
  readonly report: ReportIncident;
}

/** An append whose caller waits for the outcome. */
interface Waiter {
  readonly fromOffset: number;
  readonly endOffset: number;
  readonly settled: (durable: boolean) => void;
}

/** How often a writer without room checks whether other partitions have freed some. */
const ROOM_POLL_MS = 20;

/**
 * See `JournalWriter`. Appending copies records into the chunk being filled and returns; a group of them
 * goes to disk with one write and one sync while the next group fills behind it in the same memory.
 *
 * Groups start at most `flushAgeMs` apart: the first record after a quiet time goes at once, with whatever
 * arrived in the same turn of the event loop, and while records keep coming each group collects for that
 * long, or until it is large, or until as many callers wait for it as waited for the last one. A sender that waits for each
 * answer would else get one in `flushAgeMs`, however fast the disk is.
 */
export class PartitionWriter implements JournalWriter {
  readonly #deps: WriterDeps;
  readonly #settings: WriterSettings;
  readonly #encodedSources = new WeakMap<FrameSource, EncodedSource>();
  readonly #roomListeners = new Set<() => void>();
  #lastSource: FrameSource | undefined;
  #lastEncoded: EncodedSource = { length: 0, words: new Int32Array(0), recordWord: 0 };
  #tail: RecordChunk | undefined;
  /** Chunks with bytes that were not given to the disk yet, oldest first; the last one is the tail. */
  #unsubmitted: RecordChunk[] = [];
  #waiters: Waiter[] = [];
  #nextOffset: number;
  #durableOffset: number;
  #pendingBytes = 0;
  #unsubmittedBytes = 0;
  #refusal: JournalRefusal | undefined;
  #refusedBytes = 0;
  #failing = false;
  #closing = false;
  #lastGroupAt = Number.NEGATIVE_INFINITY;
  /** Callers that waited for the last group. They may all come again, so the next one is worth waiting for as many. */
  #lastWaiters = 0;
  #timer: NodeJS.Timeout | undefined;
  #immediate: NodeJS.Immediate | undefined;
  #roomTimer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #endRetryWait: (() => void) | undefined;
  appendedRecords = 0;
  appendedBytes = 0;
  groups = 0;
  failedGroups = 0;
  readonly refusedRecords = { full: 0, backlogged: 0, failing: 0, closed: 0 };

  constructor(deps: WriterDeps, settings: WriterSettings, nextOffset: number) {
    this.#deps = deps;
    this.#settings = settings;
    this.#nextOffset = nextOffset;
    this.#durableOffset = nextOffset;
  }

  get nextOffset(): number {
    return this.#nextOffset;
  }

  get durableOffset(): number {
    return this.#durableOffset;
  }

  get refusal(): JournalRefusal | undefined {
    // While the disk fails every append would be refused, also when none was tried yet.
    return this.#refusal ?? (this.#failing ? 'failing' : undefined);
  }

  onRoom(listener: () => void): () => void {
    this.#roomListeners.add(listener);
    return () => this.#roomListeners.delete(listener);
  }

  append(frames: FrameBatch, settled?: (durable: boolean) => void): boolean {
    const { count, starts, ends } = frames;
    if (count === 0) {
      if (settled !== undefined) queueMicrotask(() => settled(true));
      return true;
    }
    const source = this.#encode(frames.source);
    const overhead = RECORD_HEADER_BYTES + source.length;
    let most = count === 1 ? overhead : overhead + count * mostFrameOverhead(source);
    let longest = 0;
    for (let i = 0; i < count; i += 1) {
      const length = (ends[i] as number) - (starts[i] as number);
      most += length;
      if (length > longest) longest = length;
    }
    if (longest + overhead > MAX_RECORD_BYTES) {
      throw new RangeError(`a frame of ${longest} bytes is too long for the journal (${MAX_RECORD_BYTES})`);
    }
    const refusal = this.#refusalFor(most);
    if (refusal !== undefined) return this.#refuse(refusal, count, most);

    const fromOffset = this.#nextOffset;
    const written = this.#encodeFrames(frames, source);
    this.#deps.space.putBack(most - written);
    this.#pendingBytes += written;
    this.#unsubmittedBytes += written;
    this.appendedRecords += count;
    this.appendedBytes += written;
    if (settled !== undefined) this.#waiters.push({ fromOffset, endOffset: this.#nextOffset, settled });
    this.#scheduleGroup();
    return true;
  }

  /** Ends a refusal if there is room now. */
  checkRoom(): void {
    if (this.#refusal === undefined || this.#refusal === 'closed') return;
    if (!this.#hasRoom()) {
      if (this.#refusal === 'full') this.#pollRoom();
      return;
    }
    this.#refusal = undefined;
    this.#refusedBytes = 0;
    for (const listener of [...this.#roomListeners]) listener();
  }

  /** Runs `work` when no group is being written; groups wait for it. */
  betweenGroups(work: () => Promise<void>): void {
    const before = this.#writing;
    this.#occupy(async () => {
      await before;
      await work();
    });
  }

  /** Refuses new frames, makes what was accepted durable if the disk allows it, and settles all appends. */
  async close(): Promise<void> {
    this.#closing = true;
    this.#refusal = 'closed';
    clearTimeout(this.#roomTimer);
    this.#cancelSchedule();
    this.#endRetryWait?.();
    while (this.#writing !== undefined) await this.#writing;
    if (this.#unsubmittedBytes > 0 && !this.#failing) await this.#writeGroup();
    const abandoned = this.#nextOffset - this.#durableOffset;
    this.#settle(this.#nextOffset, false);
    if (abandoned > 0) this.#reportAbandoned(abandoned);
  }

  /** Frames that stand close together become runs. Returns how many bytes were added. */
  #encodeFrames(frames: FrameBatch, source: EncodedSource): number {
    const { starts, ends, count } = frames;
    let written = 0;
    for (let from = 0; from < count; ) {
      const alone = RECORD_HEADER_BYTES + source.length + (ends[from] as number) - (starts[from] as number);
      let chunk = this.#tail;
      if (chunk === undefined || chunk.length + alone + RECORD_SLACK_BYTES > chunk.buffer.length) {
        chunk = this.#nextChunk(alone);
      }
      const before = chunk.length;
      const to = endOfRun(frames, from, source, chunk.buffer.length - before - RECORD_SLACK_BYTES);
      if (to - from < 2) this.#encodeRecord(chunk, frames, from, source);
      else this.#encodeRun(chunk, frames, from, to, source);
      written += chunk.length - before;
      from = Math.max(to, from + 1);
    }
    return written;
  }

  #encodeRecord(chunk: RecordChunk, frames: FrameBatch, index: number, source: EncodedSource): void {
    const at = chunk.length;
    const { bytes, receivedAt } = frames;
    const [start, end] = [frames.starts[index] as number, frames.ends[index] as number];
    const offset = this.#nextOffset;
    const recordEnd = encodeRecord(
      chunk.buffer,
      chunk.view,
      at,
      offset,
      receivedAt,
      source,
      bytes,
      start,
      end,
    );
    chunk.push(at + RECORD_HEADER_BYTES + source.length, recordEnd, receivedAt, frames.source);
    this.#nextOffset = offset + 1;
  }

  #encodeRun(chunk: RecordChunk, frames: FrameBatch, from: number, to: number, source: EncodedSource): void {
    const { buffer, view, length } = chunk;
    const table = encodeRun(buffer, view, length, this.#nextOffset, source, frames, from, to);
    chunk.pushRun(table, to - from, to - from, frames.receivedAt, frames.source);
    this.#nextOffset += to - from;
  }

  #encode(source: FrameSource): EncodedSource {
    if (source === this.#lastSource) return this.#lastEncoded;
    let encoded = this.#encodedSources.get(source);
    if (encoded === undefined) {
      encoded = encodeSource(source);
      this.#encodedSources.set(source, encoded);
    }
    this.#lastSource = source;
    this.#lastEncoded = encoded;
    return encoded;
  }

  #refusalFor(bytes: number): JournalRefusal | undefined {
    if (this.#closing) return 'closed';
    if (this.#failing) return 'failing';
    if (this.#pendingBytes > 0 && this.#pendingBytes + bytes > this.#settings.maxPendingBytes()) {
      return 'backlogged';
    }
    if (bytes === 0 || this.#deps.space.take(bytes)) return undefined;
    return this.#deps.makeRoom(bytes) && this.#deps.space.take(bytes) ? undefined : 'full';
  }

  #hasRoom(): boolean {
    if (this.#failing) return false;
    const { space } = this.#deps;
    // An append larger than the whole budget must not keep others waiting forever.
    const wanted = Math.min(this.#refusedBytes, space.budget.limit / 2);
    if (this.#pendingBytes > 0 && this.#pendingBytes + wanted > this.#settings.maxPendingBytes())
      return false;
    return space.couldTake(wanted) || this.#deps.makeRoom(wanted);
  }

  #refuse(refusal: JournalRefusal, count: number, bytes: number): false {
    this.#refusal = refusal;
    this.refusedRecords[refusal] += count;
    this.#refusedBytes = Math.max(this.#refusedBytes, bytes);
    if (refusal === 'full') this.#pollRoom();
    return false;
  }

  /** Own commits wake the writer at once. Those of other partitions are found by polling only. */
  #pollRoom(): void {
    if (this.#roomTimer !== undefined || this.#closing) return;
    this.#roomTimer = setTimeout(() => {
      this.#roomTimer = undefined;
      this.checkRoom();
    }, ROOM_POLL_MS);
    this.#roomTimer.unref();
  }

  #nextChunk(recordBytes: number): RecordChunk {
    const { pool, window } = this.#deps;
    const full = this.#tail;
    const chunk = pool.take(this.#nextOffset, recordBytes + RECORD_SLACK_BYTES);
    window.add(chunk);
    this.#tail = chunk;
    this.#unsubmitted.push(chunk);
    if (full !== undefined) this.#complete(full);
    return chunk;
  }

  #complete(chunk: RecordChunk): void {
    chunk.complete = true;
    if (chunk.durableBytes < chunk.length) return;
    this.#unsubmitted = this.#unsubmitted.filter((candidate) => candidate !== chunk);
    this.#deps.pool.release(chunk);
  }

  #scheduleGroup(): void {
    if (this.#writing !== undefined || this.#closing) return;
    if (this.#unsubmittedBytes >= this.#settings.flushBytes) {
      this.#cancelSchedule();
      this.#startGroup();
      return;
    }
    if (this.#immediate !== undefined) return;
    const start = (): void => {
      this.#cancelSchedule();
      this.#startGroup();
    };
    const { length: waiters } = this.#waiters;
    if (waiters > 0 && waiters >= this.#lastWaiters) this.#immediate = setImmediate(start);
    if (this.#timer !== undefined || this.#immediate !== undefined) return;
    const sinceLast = this.#deps.clock.now() - this.#lastGroupAt;
    // A clock that was set back must not stretch the wait.
    if (sinceLast >= this.#settings.flushAgeMs) this.#immediate = setImmediate(start);
    else this.#timer = setTimeout(start, this.#settings.flushAgeMs - Math.max(0, sinceLast));
  }

  #cancelSchedule(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#immediate);
    this.#timer = undefined;
    this.#immediate = undefined;
  }

  #startGroup(): void {
    this.#lastGroupAt = this.#deps.clock.now();
    this.#lastWaiters = this.#waiters.length;
    this.#occupy(() => this.#writeGroup());
  }

  #occupy(work: () => Promise<void>): void {
    const run: Promise<void> = work().finally(() => {
      if (this.#writing !== run) return;
      this.#writing = undefined;
      if (this.#unsubmittedBytes > 0) this.#scheduleGroup();
    });
    this.#writing = run;
  }

  #takeGroup(): GroupPart[] {
    const parts: GroupPart[] = [];
    for (const chunk of this.#unsubmitted) {
      if (chunk.length === chunk.submittedBytes) continue;
      parts.push({
        chunk,
        from: chunk.submittedBytes,
        to: chunk.length,
        firstOffset: chunk.firstOffset + chunk.submittedCount,
      });
      chunk.submittedBytes = chunk.length;
      chunk.submittedCount = chunk.count;
    }
    this.#unsubmitted = this.#tail === undefined ? [] : [this.#tail];
    this.#unsubmittedBytes = 0;
    return parts;
  }

  /** Writes everything that waits, and retries until it works. Gives up only when closing. */
  async #writeGroup(): Promise<void> {
    const parts = this.#takeGroup();
    if (parts.length === 0) return;
    const endOffset = this.#nextOffset;
    for (;;) {
      const lastAttempt = this.#closing;
      try {
        await this.#deps.log.append(parts, endOffset, this.#deps.committed());
        break;
      } catch (error) {
        await this.#groupFailed(parts, error);
        if (lastAttempt) return;
      }
    }
    this.#groupDurable(parts, endOffset);
  }

  #groupDurable(parts: readonly GroupPart[], endOffset: number): void {
    this.groups += 1;
    this.#durableOffset = endOffset;
    for (const part of parts) {
      this.#pendingBytes -= part.to - part.from;
      part.chunk.durableBytes = part.to;
      if (part.chunk.complete && part.to === part.chunk.length) this.#deps.pool.release(part.chunk);
    }
    if (this.#failing) this.#reportRecovered();
    this.#failing = false;
    this.#settle(endOffset, true);
    this.#deps.durable();
    this.checkRoom();
  }

  #settle(belowOffset: number, durable: boolean): void {
    let settledCount = 0;
    for (const waiter of this.#waiters) {
      if (waiter.endOffset > belowOffset) break;
      settledCount += 1;
    }
    if (settledCount === 0) return;
    const settled = this.#waiters.splice(0, settledCount);
    for (const waiter of settled) waiter.settled(durable);
  }

  /**
   * The disk refused the group. Appends that wait are settled with false, and their records become voids so that this
   * stays true. The rest stays in memory for the next attempt.
   */
  async #groupFailed(parts: readonly GroupPart[], error: unknown): Promise<void> {
    this.failedGroups += 1;
    if (!this.#failing) this.#reportFailing(error);
    this.#failing = true;
    if (!this.#closing) this.#refusal = 'failing';
    const gone = await this.#deps.log.retreat(error, this.#durableOffset);
    // While a crash could still bring them back, nobody is told that they are gone.
    if (gone) this.#voidWaiters(new Set([...parts.map((part) => part.chunk), ...this.#unsubmitted]));
    if (this.#closing) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.#settings.retryDelayMs);
      this.#endRetryWait = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #voidWaiters(chunks: ReadonlySet<RecordChunk>): void {
    for (const { fromOffset, endOffset } of this.#waiters) {
      for (const chunk of chunks) voidFrames(chunk, fromOffset, endOffset);
    }
    this.#settle(this.#nextOffset, false);
  }

  #reportFailing(error: unknown): void {
    const { partition, retryDelayMs } = this.#settings;
    this.#deps.report({
      kind: 'write_failing',
      message: `cannot write the journal in ${partition}: ${errorMessage(error)}; frames are refused, next attempt in ${retryDelayMs} ms`,
      partition,
      records: 0,
      bytes: this.#pendingBytes,
      offset: this.#durableOffset,
      cause: error,
    });
  }

  #reportRecovered(): void {
    const { partition } = this.#settings;
    this.#deps.report({
      kind: 'write_recovered',
      message: `the journal in ${partition} can be written again`,
      partition,
      records: 0,
      bytes: 0,
      offset: this.#durableOffset,
    });
  }

  #reportAbandoned(records: number): void {
    const { partition } = this.#settings;
    this.#deps.report({
      kind: 'records_abandoned',
      message: `${records} accepted but not acknowledged records could not be written to the journal in ${partition} before it was closed`,
      partition,
      records,
      bytes: this.#pendingBytes,
      offset: this.#durableOffset,
    });
  }
}

/** Those of one append, or of several: a run has frames of one append only. */
function voidFrames(chunk: RecordChunk, fromOffset: number, endOffset: number): void {
  const { view } = chunk;
  for (let at = 0, offset = chunk.firstOffset; offset < Math.min(endOffset, chunk.endOffset); ) {
    const count = frameCount(view, at);
    if (offset >= fromOffset) {
      voidRecord(view, at, offset);
      for (let index = 0; index < count; index += 1) chunk.voids.push(offset - chunk.firstOffset + index);
    }
    offset += count;
    at += view.getUint32(at, true);
  }
}
