import { randomBytes } from 'node:crypto';
import type { FrameColumns } from '../codec.ts';

export type JsonMembers = Record<string, unknown>;

const FRAMES_PER_PARSE = 16;
const MAX_JOINED_FRAME_BYTES = 8192;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * Parses several frames with one call of `JSON.parse`. V8 then builds each object from the shape of the
 * one before, and the frames share the cost of the calls.
 *
 * Joining frames must not let one frame reach into another: `{"a":[{}` and `{}]}` are each broken and
 * valid when joined. So each frame gets a first member with a random name that no sender knows. When the parse
 * returns as many objects as there are frames and each has that member, each object begins where a frame begins,
 * and no object holds parts of two frames. Otherwise the result is discarded and the frames are parsed one by one.
 */
export class JoinedFrames {
  /** The member that was added to every object. */
  readonly mark = randomBytes(9).toString('base64url');
  /** The text that was parsed; object `i` is `text[starts[i], ends[i])`, if `placesKnown`. */
  text = '';
  placesKnown = false;
  isCleanLine = false;
  readonly starts = new Uint32Array(FRAMES_PER_PARSE);
  readonly ends = new Uint32Array(FRAMES_PER_PARSE);
  readonly #prefix = Buffer.from(`{"${this.mark}":0,`, 'latin1');
  readonly #joined = Buffer.allocUnsafeSlow(
    FRAMES_PER_PARSE * (MAX_JOINED_FRAME_BYTES + this.#prefix.length + 1) + 2,
  );

  /** Joins frames from `first` on, all before `to`, and returns how many; 0 when the first cannot be joined. */
  join(frames: FrameColumns, first: number, to: number): number {
    const { bytes, frameStarts, frameEnds } = frames;
    const last = Math.min(to, first + FRAMES_PER_PARSE);
    const joined = this.#joined;
    const prefix = this.#prefix;
    let at = 1;
    let index = first;
    for (; index < last; index++) {
      const start = frameStarts[index] ?? 0;
      const end = trimmedEnd(bytes, start, frameEnds[index] ?? 0);
      const length = end - start;
      if (length < 3 || length > MAX_JOINED_FRAME_BYTES) break;
      if (bytes[start] !== OPEN_BRACE || bytes[end - 1] !== CLOSE_BRACE) break;
      this.starts[index - first] = at;
      // The prefix replaces the frame's opening brace. A plain view is created faster than a Buffer.
      joined.set(new Uint8Array(bytes.buffer, bytes.byteOffset + start, length), at + prefix.length - 1);
      joined.set(prefix, at);
      at += prefix.length - 1 + length;
      this.ends[index - first] = at;
      joined[at++] = COMMA;
    }
    joined[0] = OPEN_BRACKET;
    joined[at - 1] = CLOSE_BRACKET;
    return index - first;
  }

  /** The objects of the frames joined last; undefined unless each is one valid object. */
  parse(count: number): JsonMembers[] | undefined {
    const byteLength = (this.ends[count - 1] ?? 0) + 1;
    this.text = this.#joined.toString('utf8', 0, byteLength);
    // Byte positions are text positions only when every byte is one character.
    this.placesKnown = this.text.length === byteLength;
    this.isCleanLine = isCleanLine(this.text);
    let objects: JsonMembers[];
    try {
      objects = JSON.parse(this.text);
    } catch {
      return undefined;
    }
    if (objects.length !== count) return undefined;
    for (const object of objects) {
      if (object === null || object[this.mark] !== 0) return undefined;
    }
    return objects;
  }
}

/**
 * Whether frames with this text may be sent on: on one line, as some receivers need it, and without characters that stand
 * for bytes that are not UTF-8.
 */
export function isCleanLine(text: string): boolean {
  return !text.includes('\n') && !text.includes('\u{FFFD}');
}

/** The end of a frame without the null bytes and the white space after it. */
export function trimmedEnd(bytes: Buffer, start: number, end: number): number {
  let last = end;
  while (last > start) {
    const byte = bytes[last - 1] ?? 1;
    if (byte !== 0 && byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) break;
    last -= 1;
  }
  return last;
}

/** The start of a frame's content, after null bytes, white space and a byte order mark. */
export function trimmedStart(bytes: Buffer, start: number, end: number): number {
  let first = start;
  if (end - first >= 3 && bytes[first] === 0xef && bytes[first + 1] === 0xbb && bytes[first + 2] === 0xbf)
    first += 3;
  while (first < end) {
    const byte = bytes[first] ?? 1;
    if (byte !== 0 && byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) break;
    first += 1;
  }
  return first;
}
