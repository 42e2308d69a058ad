/**
 * Frames as slices of one buffer: frame `i` is `bytes[starts[i], ends[i])`. An empty frame has
 * `starts[i] === ends[i]`; it is handed out so that it can be counted.
 *
 * The object and its two arrays are reused for the next frames, so they are valid only during the call that
 * hands them out. The bytes are never overwritten, so they may be kept.
 */
export interface Frames {
  readonly bytes: Buffer;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly count: number;
}

export type FrameSink = (frames: Frames) => void;

/** Frames handed out at once: what one read of 64 KiB holds, and only 2 KiB for each connection. */
export const FRAMES_AT_ONCE = 256;

const EMPTY = Buffer.alloc(0);

/** The reusable object behind `Frames`. */
export class FrameList implements Frames {
  bytes: Buffer = EMPTY;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  count = 0;

  constructor(capacity: number) {
    this.starts = new Uint32Array(capacity);
    this.ends = new Uint32Array(capacity);
  }

  get full(): boolean {
    return this.count === this.starts.length;
  }

  add(start: number, end: number): void {
    this.starts[this.count] = start;
    this.ends[this.count] = end;
    this.count += 1;
  }

  /** Hands out what was collected, if anything, and starts again. */
  flush(sink: FrameSink): void {
    if (this.count === 0) return;
    try {
      sink(this);
    } finally {
      this.count = 0;
      this.bytes = EMPTY;
    }
  }
}
