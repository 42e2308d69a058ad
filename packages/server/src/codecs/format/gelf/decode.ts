import type { FieldLayout, Message, MessageOrigin } from '#core/index.ts';
import {
  type DecodeResult,
  type Decoder,
  type DecoderContext,
  type FrameColumns,
  NO_ORIGIN,
} from '../codec.ts';
import { firstExactObject, JsonSyntaxError } from '../json/exact-json.ts';
import { MessageBuilder } from './build-message.ts';
import { explainCompressed, GelfFailure } from './failure.ts';
import { isCleanLine, JoinedFrames, type JsonMembers, trimmedEnd, trimmedStart } from './joined-frames.ts';
import type { GelfNoteCounters } from './notes.ts';
import { scanFirst } from './scan/scan-first.ts';

/**
 * Decodes GELF frames. The rules follow the spec, then what Graylog does, then what loses least:
 *
 * - Refused: anything but a JSON object; a message without text, where neither `short_message` nor `message` is
 *   a string with more than white space or a number; nesting deeper than 100.
 * - `timestamp`: seconds, also in quotes; milliseconds where seconds would be after the year 5000; text of ISO 8601.
 *   Missing, not positive, unreadable or after the year 2299: receive time.
 * - `level`: 1 when missing. Numbers in quotes and syslog's names are understood. Anything else is kept in the
 *   field `original_level`, and `level` is 1.
 * - `host` missing or blank: the sender's address. `version` is noted, never a reason to refuse.
 * - Numbers, objects and arrays in place of a text are the text that was sent, without white space between tokens.
 * - `_name` and `name` become the field `name`; the first with a value wins. `_id`, names outside of
 *   `[\w.-]` and names of the server (`source`, `streams`, `gl2_...`) are dropped. All of it is counted.
 * - Values: strings as they are, also empty ones and with their white space; numbers and booleans as they
 *   are; integers beyond 2^53 keep all digits; objects and arrays are their JSON text; null is dropped.
 * - Of two equal keys the last one counts, as in every JSON reader.
 * - Forgiven: byte order mark, white space and null bytes around the object, raw control characters in
 *   strings, trailing commas. `NaN` and `Infinity` are text. Bytes after the object are ignored and counted, bytes
 *   that are not UTF-8 become U+FFFD.
 *
 * SPEED. Under load, frames of plain GELF are not decoded at all: their messages stay in them (`scan/`, ADR 29). For all
 * others: `JSON.parse` is native, and nothing written in JavaScript beat it by enough to matter. So this code adds
 * as little to it as possible: similar frames are parsed several at once (`joined-frames.ts`), and the meaning of
 * keys is remembered for each sequence of keys (`keys.ts`). µs a message by `bench/cases/codecs.ts`, web with 7
 * fields, text with 3, wide with 50, a 64-bit integer and an array: `JSON.parse` of a string 1.5, 1.15, 6.7, of
 * bytes 1.9, 1.45, 7.2; a message decoded in a batch 2.0, 1.5, 9.8, alone 2.35, 2.1, 10.9.
 */

export interface GelfDecoder extends Decoder {
  decode(frame: Buffer, origin: MessageOrigin, receivedAt: number): Message | GelfFailure;
  readonly noteCounters: Readonly<GelfNoteCounters>;
}

export interface GelfDecoderConfig {
  /** Top-level keys of one message; the rest is dropped and counted. */
  readonly maxKeys?: number;
}

export const DEFAULT_MAX_KEYS = 1024;
/** A number in place of these texts keeps its digits. */
const TEXTS: ReadonlySet<string> = new Set(['short_message', 'full_message', '_full_message', 'host']);
/** Cannot happen: the exact reader can build every message. */
const UNREADABLE = new GelfFailure('not_json', 'the message cannot be read');

/** One for each thread: it remembers what keys mean. */
export function createGelfDecoder(context: DecoderContext, config: GelfDecoderConfig = {}): GelfDecoder {
  const joined = new JoinedFrames();
  const similarity = new Similarity();
  const builder = new MessageBuilder(context, config.maxKeys ?? DEFAULT_MAX_KEYS, joined.mark);

  function decodeRun(frames: FrameColumns, from: number, to: number, results: DecodeResult[]): void {
    for (let first = from; first < to; ) {
      const count = similarity.high ? joined.join(frames, first, to) : 0;
      const objects = count > 1 ? joined.parse(count) : undefined;
      const end = first + Math.max(1, count);
      if (objects !== undefined) buildAll(frames, first, objects, results);
      else
        for (let index = first; index < end; index++) results.push(similarity.see(decodeAt(frames, index)));
      first = end;
    }
  }

  function buildAll(
    frames: FrameColumns,
    first: number,
    objects: readonly JsonMembers[],
    results: DecodeResult[],
  ): void {
    for (let offset = 0; offset < objects.length; offset++) {
      builder.begin();
      const index = first + offset;
      builder.frame = joined.isCleanLine ? index : -1;
      if (joined.placesKnown)
        builder.text.set(joined.text, joined.starts[offset] ?? 0, joined.ends[offset] ?? 0);
      else builder.text.unknown();
      const size = (frames.frameEnds[index] ?? 0) - (frames.frameStarts[index] ?? 0);
      const origin = frames.sources[index] ?? NO_ORIGIN;
      const members = objects[offset] ?? {};
      const result = builder.build(members, origin, frames.receivedAt[index] ?? 0, size);
      results.push(similarity.see(result ?? decodeAt(frames, index)));
    }
  }

  function decodeAt(frames: FrameColumns, index: number): Message | GelfFailure {
    const start = frames.frameStarts[index] ?? 0;
    const end = frames.frameEnds[index] ?? 0;
    const origin = frames.sources[index] ?? NO_ORIGIN;
    return decodeRange(frames.bytes, start, end, origin, frames.receivedAt[index] ?? 0, index);
  }

  function decodeRange(
    bytes: Buffer,
    start: number,
    end: number,
    origin: MessageOrigin,
    receivedAt: number,
    index: number,
  ): Message | GelfFailure {
    const last = trimmedEnd(bytes, start, end);
    const first = trimmedStart(bytes, start, last);
    if (first >= last) return new GelfFailure('empty', 'the frame is empty');
    const text = bytes.toString('utf8', first, last);
    const members = parseMembers(text);
    if (members instanceof GelfFailure) return members;
    builder.begin();
    builder.frame = first === start && isCleanLine(text) ? index : -1;
    if (members !== undefined) {
      builder.text.set(text, 0, text.length);
      const result = builder.build(members, origin, receivedAt, end - start);
      if (result !== undefined) return result;
    }
    const exact = exactMembers(text);
    if (exact instanceof GelfFailure) return explainCompressed(exact, bytes.subarray(start, end));
    builder.exact = true;
    builder.trailing = exact.trailing;
    builder.lenient = members === undefined && !exact.trailing;
    return builder.build(exact.members, origin, receivedAt, end - start) ?? UNREADABLE;
  }

  return {
    decodeBatch: context.leaveInFrames === true ? scanFirst(builder, decodeRun) : decodeRun,
    decode: (frame, origin, receivedAt) => decodeRange(frame, 0, frame.length, origin, receivedAt, -1),
    noteCounters: builder.noteCounters,
  };
}

/**
 * How similar recent messages are. Parsing frames together pays off only when most have the same keys as the one
 * before; for a random mixture of shapes it costs a quarter more than parsing them one by one.
 */
class Similarity {
  #last: FieldLayout | undefined = undefined;
  #score = 0;

  get high(): boolean {
    return this.#score >= 24;
  }

  see(result: Message | GelfFailure): Message | GelfFailure {
    const layout = result instanceof GelfFailure ? undefined : result.layout;
    if (layout !== undefined && layout === this.#last) {
      if (this.#score < 64) this.#score += 1;
    } else this.#score = Math.max(0, this.#score - 8);
    this.#last = layout;
    return result;
  }
}

/** Undefined when `JSON.parse` cannot read it; the exact reader may. */
function parseMembers(text: string): JsonMembers | GelfFailure | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed as JsonMembers;
  const found = Array.isArray(parsed) ? 'an array' : parsed === null ? 'null' : `a ${typeof parsed}`;
  return new GelfFailure('not_object', `the frame is ${found}, not a JSON object`);
}

function exactMembers(text: string): { members: JsonMembers; trailing: boolean } | GelfFailure {
  try {
    const members: JsonMembers = {};
    const { members: entries, end } = firstExactObject(text, TEXTS);
    for (const [key, value] of entries) {
      // Assigning to `__proto__` would not create a member of that name.
      if (key === '__proto__') Object.defineProperty(members, key, { value, enumerable: true });
      else members[key] = value;
    }
    return { members, trailing: end < text.length };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const reason =
      error.kind === 'too-deep' ? 'too_deep' : error.kind === 'not-object' ? 'not_object' : 'not_json';
    return new GelfFailure(reason, error.message);
  }
}
