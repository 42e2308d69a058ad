import { isBlank } from '../net/frame-queue.ts';

/**
 * The messages of a body, as slices of it: one message, one on each line, or the elements of a JSON array.
 * It parses only as much as it takes to find where messages end. An element or a line that is not a message is
 * returned like any other.
 */
export type SplitBody =
  | { readonly kind: 'single'; readonly start: number; readonly end: number }
  | { readonly kind: 'bulk'; readonly starts: readonly number[]; readonly ends: readonly number[] }
  /** A sentence for the sender. */
  | { readonly kind: 'broken'; readonly reason: string }
  | { readonly kind: 'too-many' };

const OPEN_BRACKET = 0x5b;
const OPEN_BRACE = 0x7b;
const LINE_FEED = 0x0a;
/** Before and after the messages. A body of 32 MiB of it would hold up the worker for 120 ms. */
const MAX_SPACE_BYTES = 64 * 1024;

export interface SplitSettings {
  readonly allowBulk: boolean;
  readonly maxMessages: number;
  /** Longer messages are refused later. No more than this is parsed to tell the kind of a body. */
  readonly maxMessageBytes: number;
}

export function splitBody(body: Buffer, settings: SplitSettings): SplitBody {
  const { allowBulk, maxMessages, maxMessageBytes } = settings;
  const start = contentStart(body);
  const end = contentEnd(body, start);
  if (start === end) return { kind: 'broken', reason: 'the body is empty; it must be a JSON object' };
  if (isSpace(body[start])) return { kind: 'broken', reason: 'the body begins with too much white space' };
  if (!allowBulk) return { kind: 'single', start, end };
  if (body[start] === OPEN_BRACKET) return splitArray(body, start, end, maxMessages);
  const lineEnd = body.indexOf(LINE_FEED, start);
  if (lineEnd < 0 || lineEnd >= end || !isLinewise(body, start, lineEnd, end, maxMessageBytes)) {
    return { kind: 'single', start, end };
  }
  return splitLines(body, start, end, maxMessages);
}

/** After a byte order mark and white space. */
function contentStart(body: Buffer): number {
  let start = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? 3 : 0;
  const last = Math.min(body.length, start + MAX_SPACE_BYTES);
  while (start < last && isSpace(body[start])) start += 1;
  return start;
}

function contentEnd(body: Buffer, start: number): number {
  let end = body.length;
  const last = Math.max(start, end - MAX_SPACE_BYTES);
  while (end > last && (isSpace(body[end - 1]) || body[end - 1] === 0)) end -= 1;
  return end;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/**
 * Whether each line is a message. A single message may be formatted over several lines; then its first line is not
 * JSON. When the first line is broken, the second one decides: within an object, no line begins with a brace in
 * the first column.
 */
function isLinewise(
  body: Buffer,
  start: number,
  lineEnd: number,
  end: number,
  maxMessageBytes: number,
): boolean {
  if (lineEnd - start > maxMessageBytes) return true;
  if (isJson(body, start, lineEnd)) return true;
  if (end - start <= maxMessageBytes && isOneValue(body, start, end)) return false;
  return body[lineEnd + 1] === OPEN_BRACE;
}

/** Whether the brackets and braces that open first close at the very end. Nothing is parsed. */
function isOneValue(body: Buffer, start: number, end: number): boolean {
  let depth = 0;
  for (let at = start; at < end; at++) {
    const kind = KIND[body[at] as number];
    if (kind === QUOTE) {
      const close = stringEnd(body, at, end);
      if (body.subarray(at, close).includes(LINE_FEED)) return false;
      at = close;
    } else if (kind === OPEN) depth += 1;
    else if (kind === CLOSE) {
      depth -= 1;
      if (depth === 0) return at === end - 1;
    }
  }
  return false;
}

function isJson(body: Buffer, start: number, end: number): boolean {
  try {
    JSON.parse(body.toString('utf8', start, end));
    return true;
  } catch {
    return false;
  }
}

function splitLines(body: Buffer, from: number, end: number, maxMessages: number): SplitBody {
  const starts: number[] = [];
  const ends: number[] = [];
  for (let start = from; start < end; ) {
    const found = body.indexOf(LINE_FEED, start);
    const lineEnd = found < 0 || found > end ? end : found;
    if (!isBlank(body, start, lineEnd)) {
      if (starts.length === maxMessages) return { kind: 'too-many' };
      starts.push(start);
      ends.push(body[lineEnd - 1] === 0x0d ? lineEnd - 1 : lineEnd);
    }
    start = lineEnd + 1;
  }
  return { kind: 'bulk', starts, ends };
}

const PLAIN = 0;
const QUOTE = 1;
const OPEN = 2;
const CLOSE = 3;
const COMMA = 4;
const KIND = new Uint8Array(256);
KIND[0x22] = QUOTE;
KIND[OPEN_BRACKET] = OPEN;
KIND[OPEN_BRACE] = OPEN;
KIND[0x5d] = CLOSE;
KIND[0x7d] = CLOSE;
KIND[0x2c] = COMMA;

/** Brackets and braces are only counted: an element in which they do not match is not JSON and fails later. */
function splitArray(body: Buffer, from: number, end: number, maxMessages: number): SplitBody {
  const starts: number[] = [];
  const ends: number[] = [];
  let depth = 0;
  let elementStart = from + 1;
  for (let at = from; at < end; at++) {
    const kind = KIND[body[at] as number];
    if (kind === PLAIN) continue;
    if (kind === QUOTE) {
      at = stringEnd(body, at, end);
      continue;
    }
    if (kind === OPEN) {
      depth += 1;
      continue;
    }
    if (depth > 1) {
      if (kind === CLOSE) depth -= 1;
      continue;
    }
    const empty = isBlank(body, elementStart, at);
    if (empty && (kind === COMMA || starts.length > 0)) {
      return { kind: 'broken', reason: `element ${starts.length} of the JSON array is empty` };
    }
    if (!empty) {
      if (starts.length === maxMessages) return { kind: 'too-many' };
      starts.push(elementStart);
      ends.push(at);
    }
    elementStart = at + 1;
    if (kind === CLOSE) return arrayEnd(body, at, end) ?? { kind: 'bulk', starts, ends };
  }
  return { kind: 'broken', reason: 'the JSON array does not end' };
}

function arrayEnd(body: Buffer, at: number, end: number): SplitBody | undefined {
  if (at + 1 === end && body[at] === 0x5d) return undefined;
  return { kind: 'broken', reason: `there is something after the end of the JSON array at byte ${at}` };
}

/** The position of the quote that ends the string at `at`. */
function stringEnd(body: Buffer, at: number, end: number): number {
  for (let next = at + 1; next < end; next++) {
    const byte = body[next];
    if (byte === 0x5c) next += 1;
    else if (byte === 0x22) return next;
  }
  return end;
}
