import type { Frames } from '#codecs/index.ts';
import type { FrameSource, JournalWriter } from '#core/index.ts';
import { dropReasonOf, type InputMetrics } from '../input-metrics.ts';
import { appendWhatFits, bytesOf, type FrameSlices, framesOf } from './append.ts';

/**
 * Appends one connection's frames to the journal. While the journal refuses, frames wait here in order, and
 * `isWaiting` tells the connection to stop reading, so that only the frames of one read ever wait. Blank frames
 * are counted and left out.
 */
export class FrameQueue {
  readonly #journal: JournalWriter;
  readonly #metrics: InputMetrics;
  readonly #source: FrameSource;
  readonly #batch: MutableBatch;
  /** Frames the journal refused. */
  #waiting: FrameSlices[] = [];

  /** All connections of an input may share `batch`: it is used only during calls. */
  constructor(journal: JournalWriter, metrics: InputMetrics, source: FrameSource, batch: MutableBatch) {
    this.#journal = journal;
    this.#metrics = metrics;
    this.#source = source;
    this.#batch = batch;
  }

  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  add(frames: Frames, receivedAt: number): void {
    const batch = this.#batch;
    batch.take(frames, this.#source, receivedAt);
    if (batch.blankFrames > 0) this.#metrics.dropped('empty', batch.blankFrames, batch.blankBytes);
    if (batch.count === 0) return;
    const taken = this.#waiting.length > 0 ? 0 : this.#hand(batch);
    if (taken < batch.count) this.#waiting.push(batch.copyFrom(taken));
  }

  /** Tries the waiting frames again; true when none is left. */
  retry(): boolean {
    let done = 0;
    for (const [index, frames] of this.#waiting.entries()) {
      const taken = this.#hand(frames);
      if (taken < frames.count) {
        this.#waiting[index] = framesOf(frames, taken, frames.count);
        break;
      }
      done += 1;
    }
    this.#waiting.splice(0, done);
    return this.#waiting.length === 0;
  }

  /** Drops the waiting frames, when the connection cannot be kept for them. */
  drop(): void {
    for (const frames of this.#waiting) {
      this.#metrics.dropped(dropReasonOf(this.#journal.refusal), frames.count, bytesOf(frames));
    }
    this.#waiting = [];
  }

  #hand(frames: FrameSlices): number {
    const taken = appendWhatFits(this.#journal, frames);
    if (taken === frames.count) this.#metrics.accepted(taken, bytesOf(frames));
    else if (taken > 0) this.#metrics.accepted(taken, bytesOf(framesOf(frames, 0, taken)));
    return taken;
  }
}

/** A `FrameBatch` that is reused, so that a read from a socket costs no new objects. */
export class MutableBatch implements FrameSlices {
  source: FrameSource = { inputId: '', remoteAddress: '', remotePort: 0, codecId: 0 };
  receivedAt = 0;
  bytes: Buffer = Buffer.alloc(0);
  starts: Uint32Array = new Uint32Array(0);
  ends: Uint32Array = new Uint32Array(0);
  count = 0;
  blankFrames = 0;
  blankBytes = 0;

  /** The frames that are not blank. Frames without any blank one, the usual case, are not copied. */
  take(frames: Frames, source: FrameSource, receivedAt: number): void {
    const { bytes, starts, ends, count } = frames;
    this.source = source;
    this.receivedAt = receivedAt;
    this.bytes = bytes;
    this.starts = starts;
    this.ends = ends;
    this.count = count;
    this.blankFrames = 0;
    this.blankBytes = 0;
    for (let i = 0; i < count; i++) {
      // Only a frame that begins with white space can be blank.
      if (starts[i] === ends[i] || (bytes[starts[i] as number] as number) <= 0x20) {
        this.#leaveOutBlank(i);
        return;
      }
    }
  }

  /** A copy of the frames from `from` on. It shares the bytes, which nobody writes to again. */
  copyFrom(from: number): FrameSlices {
    const { source, receivedAt, bytes, count } = this;
    const starts = this.starts.slice(from, count);
    const ends = this.ends.slice(from, count);
    return { source, receivedAt, bytes, starts, ends, count: count - from };
  }

  #leaveOutBlank(from: number): void {
    const starts = this.starts.slice(0, this.count);
    const ends = this.ends.slice(0, this.count);
    let kept = from;
    for (let i = from; i < this.count; i++) {
      const start = starts[i] as number;
      const end = ends[i] as number;
      if (isBlank(this.bytes, start, end)) {
        this.blankFrames += 1;
        this.blankBytes += end - start;
        continue;
      }
      starts[kept] = start;
      ends[kept] = end;
      kept += 1;
    }
    this.starts = starts;
    this.ends = ends;
    this.count = kept;
  }
}

/** Nothing but white space and null bytes. */
export function isBlank(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte !== 0 && byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return false;
  }
  return true;
}
