import type { FrameSource, JournalWriter } from '#core/index.ts';
import { dropReasonOf, type InputMetrics } from '../input-metrics.ts';
import { appendWhatFits, bytesOf, type FrameSlices, framesOf } from './append.ts';
import type { Datagrams } from './datagrams.ts';

const BATCH_BYTES = 256 * 1024;
const BATCH_FRAMES = 512;
/** Fewer datagrams are copied: a separate append would cost more. */
const WORTH_AN_APPEND = 8;

/**
 * Appends datagrams to the journal as frames. Consecutive datagrams of one sender become one append. What the
 * journal refuses is dropped and counted: a datagram cannot be sent back.
 */
export class DatagramBatch implements FrameSlices {
  source: FrameSource = { inputId: '', remoteAddress: '', remotePort: 0, codecId: 0 };
  receivedAt = 0;
  readonly bytes = Buffer.allocUnsafeSlow(BATCH_BYTES);
  readonly starts = new Uint32Array(BATCH_FRAMES);
  readonly ends = new Uint32Array(BATCH_FRAMES);
  count = 0;
  readonly #journal: JournalWriter;
  readonly #metrics: InputMetrics;
  #used = 0;

  constructor(journal: JournalWriter, metrics: InputMetrics) {
    this.#journal = journal;
    this.#metrics = metrics;
  }

  /** Adds datagrams of one sender. Many of them go to the journal without being copied. */
  addRun(datagrams: Datagrams, from: number, to: number, receivedAt: number): void {
    if (from >= to) return;
    const { bytes, starts, ends } = datagrams;
    const source = datagrams.sources[from] as FrameSource;
    if (to - from < WORTH_AN_APPEND) {
      for (let i = from; i < to; i += 1) {
        this.#addSlice(source, receivedAt, bytes, starts[i] as number, ends[i] as number);
      }
      return;
    }
    this.flush();
    const frames = framesOf({ source, receivedAt, bytes, starts, ends, count: to }, from, to);
    this.#hand(frames, bytesOf(frames));
  }

  add(source: FrameSource, receivedAt: number, frame: Buffer): void {
    this.#addSlice(source, receivedAt, frame, 0, frame.length);
  }

  #addSlice(source: FrameSource, receivedAt: number, bytes: Buffer, start: number, end: number): void {
    const length = end - start;
    if (
      source !== this.source ||
      receivedAt !== this.receivedAt ||
      this.count === BATCH_FRAMES ||
      this.#used + length > BATCH_BYTES
    ) {
      this.flush();
      this.source = source;
      this.receivedAt = receivedAt;
      if (length > BATCH_BYTES) {
        const starts = Uint32Array.of(start);
        this.#hand({ source, receivedAt, bytes, starts, ends: Uint32Array.of(end), count: 1 }, length);
        return;
      }
    }
    bytes.copy(this.bytes, this.#used, start, end);
    this.starts[this.count] = this.#used;
    this.#used += length;
    this.ends[this.count] = this.#used;
    this.count += 1;
  }

  flush(): void {
    if (this.count === 0) return;
    this.#hand(this, this.#used);
    this.count = 0;
    this.#used = 0;
  }

  #hand(frames: FrameSlices, bytes: number): void {
    const { count } = frames;
    const taken = appendWhatFits(this.#journal, frames);
    if (taken === count) {
      this.#metrics.accepted(count, bytes);
      return;
    }
    const takenBytes = bytesOf(framesOf(frames, 0, taken));
    if (taken > 0) this.#metrics.accepted(taken, takenBytes);
    this.#metrics.dropped(dropReasonOf(this.#journal.refusal), count - taken, bytes - takenBytes);
  }
}
