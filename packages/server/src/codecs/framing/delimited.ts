import { FRAMES_AT_ONCE, FrameList, type FrameSink } from './frames.ts';

/**
 * Cuts a stream of bytes into frames that end with a null byte or with a newline (`\n` or `\r\n`). The
 * delimiter is not part of the frame. However the bytes are split over chunks, the frames are the same.
 *
 * A frame that lies within one chunk is a slice of that chunk: nothing is copied. The beginning of a frame
 * whose end has not arrived is copied into a buffer of its own, which holds at most one frame, so that a
 * connection that waits for three bytes does not keep a whole network buffer alive.
 */
export type Delimiter = 'null' | 'newline';

/** `too-long`: a frame is longer than allowed. The stream cannot be trusted from there on; close it. */
export type FramingResult = 'ok' | 'too-long';

export interface DelimitedFramerConfig {
  readonly delimiter: Delimiter;
  /** Longest frame in bytes, without delimiter. */
  readonly maxFrameBytes?: number;
}

export interface DelimitedFramer {
  /**
   * Hands out all frames that end in this chunk, in one call or a few. After `too-long` every further call
   * returns `too-long` and hands out nothing.
   */
  push(chunk: Buffer, sink: FrameSink): FramingResult;
  /** The stream has ended: hands out what came after the last delimiter, if anything. */
  end(sink: FrameSink): FramingResult;
  /** Gives up the frame that has begun and not ended, with its memory. Nothing may be pushed afterwards. */
  discard(): void;
  /** Bytes of the frame that has begun and not ended. */
  readonly pendingBytes: number;
  /** Memory of the frame that has begun and not ended: its bytes and room for more. */
  readonly heldBytes: number;
}

export const DEFAULT_MAX_FRAME_BYTES = 2 * 1024 * 1024;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

export function createDelimitedFramer(config: DelimitedFramerConfig): DelimitedFramer {
  return new Framer(config);
}

export class Framer implements DelimitedFramer {
  readonly #maxFrameBytes: number;
  #maxPendingBytes: number;
  #byNewline: boolean;
  #delimiter: number;
  // Made on first use: an idle connection should cost little.
  #frames: FrameList | undefined;
  #carry: Buffer | undefined;
  #pendingBytes = 0;
  #tooLong = false;

  constructor(config: DelimitedFramerConfig) {
    this.#maxFrameBytes = config.maxFrameBytes ?? DEFAULT_MAX_FRAME_BYTES;
    this.#byNewline = config.delimiter === 'newline';
    this.#delimiter = this.#byNewline ? LINE_FEED : 0;
    // A frame of full length may be followed by a carriage return before its line feed arrives.
    this.#maxPendingBytes = this.#byNewline ? this.#maxFrameBytes + 1 : this.#maxFrameBytes;
  }

  /** Frames end with a newline from now on, the one that has begun too. It must not contain one yet. */
  endWithNewline(): void {
    this.#byNewline = true;
    this.#delimiter = LINE_FEED;
    this.#maxPendingBytes = this.#maxFrameBytes + 1;
  }

  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  get heldBytes(): number {
    return this.#carry?.length ?? 0;
  }

  push(chunk: Buffer, sink: FrameSink): FramingResult {
    if (this.#tooLong) return 'too-long';
    this.#frames ??= new FrameList(FRAMES_AT_ONCE);
    let start = 0;
    if (this.#pendingBytes > 0) {
      const end = chunk.indexOf(this.#delimiter);
      if (this.#pendingBytes + (end < 0 ? chunk.length : end) > this.#maxPendingBytes) return this.#refuse();
      this.#keep(chunk, 0, end < 0 ? chunk.length : end);
      if (end < 0) return 'ok';
      if (this.#releaseCarry(this.#frames, sink, true) === 'too-long') return 'too-long';
      start = end + 1;
    }
    start = this.#cut(chunk, start, this.#frames, sink);
    this.#frames.flush(sink);
    if (start < 0 || chunk.length - start > this.#maxPendingBytes) return this.#refuse();
    if (start < chunk.length) this.#keep(chunk, start, chunk.length);
    return 'ok';
  }

  end(sink: FrameSink): FramingResult {
    if (this.#tooLong) return 'too-long';
    if (this.#pendingBytes === 0) return 'ok';
    this.#frames ??= new FrameList(FRAMES_AT_ONCE);
    return this.#releaseCarry(this.#frames, sink, false);
  }

  discard(): void {
    this.#refuse();
  }

  /** Collects the frames within the chunk. Returns where the unfinished one begins, or -1 if one is too long. */
  #cut(chunk: Buffer, from: number, frames: FrameList, sink: FrameSink): number {
    let start = from;
    for (;;) {
      const delimiterAt = chunk.indexOf(this.#delimiter, start);
      if (delimiterAt < 0) return start;
      const end = this.#withoutReturn(chunk, start, delimiterAt);
      if (end - start > this.#maxFrameBytes) return -1;
      if (frames.full) frames.flush(sink);
      frames.bytes = chunk;
      frames.add(start, end);
      start = delimiterAt + 1;
    }
  }

  #withoutReturn(bytes: Buffer, start: number, end: number): number {
    return this.#byNewline && end > start && bytes[end - 1] === CARRIAGE_RETURN ? end - 1 : end;
  }

  #keep(chunk: Buffer, start: number, end: number): void {
    const needed = this.#pendingBytes + end - start;
    if (this.#carry === undefined || this.#carry.length < needed) {
      const room = Math.max(needed, Math.min(needed * 2, this.#maxPendingBytes));
      const larger = Buffer.allocUnsafeSlow(room);
      this.#carry?.copy(larger, 0, 0, this.#pendingBytes);
      this.#carry = larger;
    }
    chunk.copy(this.#carry, this.#pendingBytes, start, end);
    this.#pendingBytes = needed;
  }

  /** Hands out the carried frame, which is complete now, with its buffer. The next one gets a new buffer. */
  #releaseCarry(frames: FrameList, sink: FrameSink, delimited: boolean): FramingResult {
    if (this.#carry === undefined) return 'ok';
    const end = delimited ? this.#withoutReturn(this.#carry, 0, this.#pendingBytes) : this.#pendingBytes;
    if (end > this.#maxFrameBytes) return this.#refuse();
    frames.bytes = this.#carry;
    frames.add(0, end);
    this.#carry = undefined;
    this.#pendingBytes = 0;
    frames.flush(sink);
    return 'ok';
  }

  #refuse(): FramingResult {
    this.#tooLong = true;
    this.#carry = undefined;
    this.#pendingBytes = 0;
    return 'too-long';
  }
}
