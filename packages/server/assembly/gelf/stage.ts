import { shapeOf } from './keys';
import {
  areEqual,
  copyAhead,
  FIELD_BYTES,
  FIELDS,
  ROW_BYTES,
  ROWS,
  reserve,
  SLACK,
  STAGED_ROWS,
  TOKEN_BYTES,
  TOKENS,
  USED_FIELDS,
} from './memory';
import { ESCAPED, escapedUnit, TYPE_NUMBER, TYPE_STRING } from './values';

/**
 * Writes the texts and fields of rows as columns of ClickHouse's Native format. The result is the same as that of
 * `JoinedTextColumn` and `JsonPath`, which say what the format is; for each field the other side appends its run to a path.
 *
 * A shape is: the number of tokens, the tokens of the source, of the message and of the full message, then for each token
 * the number of its field, NO_FIELD for the others and for `null`. A field is: its rows and their types, its texts, numbers and booleans.
 */

const NO_FIELD: u16 = 0xffff;
const NO_TOKEN: u32 = 0xffffffff;
const SHAPE_HEADER: u32 = 16;
/** Where the parts of a field are. */
const COUNT: usize = 0;
const ROWS_AT: usize = 4;
const TYPES_AT: usize = 8;
const TEXTS_AT: usize = 12;
const TEXTS_END: usize = 16;
const NUMBERS_AT: usize = 20;
const NUMBERS_END: usize = 24;
const BOOLEANS_AT: usize = 28;
const BOOLEANS_END: usize = 32;
const TEXT_BYTES: usize = 36;
const NUMBERS: usize = 40;
const BOOLEANS: usize = 44;

const PIECE_SEPARATOR: u8 = 0x1f;
const LENGTH_BYTES: u32 = 4;

/** What was staged last. */
export let usedFields: u32 = 0;
export let messageLengths: u32 = 0;
export let fullMessageLengths: u32 = 0;
export let texts: u32 = 0;
export let textsEnd: u32 = 0;

/** Stages the rows in STAGED_ROWS, behind `out`. False: there is no memory. */
export function stage(count: u32, out: u32): bool {
  forgetFields();
  let textBytes: u32 = 0;
  for (let index: u32 = 0; index < count; index++) textBytes += measure(load<u32>(STAGED_ROWS + index * 4));
  const end = place(count, (out + 15) & ~15, textBytes);
  if (end == 0) return false;
  let at = texts;
  for (let index: u32 = 0; index < count; index++) at = write(index, load<u32>(STAGED_ROWS + index * 4), at);
  textsEnd = at;
  return true;
}

function forgetFields(): void {
  for (let index: u32 = 0; index < usedFields; index++) {
    store<u32>(FIELDS + load<u32>(USED_FIELDS + index * 4) * FIELD_BYTES, 0, COUNT);
  }
  usedFields = 0;
}

/** Adds what the row needs to its fields, and returns the most that its text takes. */
function measure(row: u32): u32 {
  const at = ROWS + row * ROW_BYTES;
  let token = TOKENS + load<u32>(at, 4) * TOKEN_BYTES;
  const shape = shapeOf(load<u32>(at, 12));
  const tokens = load<u32>(shape);
  let textBytes: u32 = LENGTH_BYTES;
  for (let position: u32 = 0; position < tokens; position++, token += TOKEN_BYTES) {
    const type = load<u8>(token, 8);
    const length: u32 = type == TYPE_STRING ? load<u32>(token, 4) - load<u32>(token) : 0;
    if (type == TYPE_STRING) textBytes += length + 1;
    const number = load<u16>(shape + SHAPE_HEADER + position * 2);
    if (number == NO_FIELD) continue;
    const field = FIELDS + <u32>number * FIELD_BYTES;
    const known = load<u32>(field, COUNT);
    if (known == 0) use(number, field);
    store<u32>(field, known + 1, COUNT);
    if (type == TYPE_STRING) store<u32>(field, load<u32>(field, TEXT_BYTES) + length + 5, TEXT_BYTES);
    else if (type == TYPE_NUMBER) store<u32>(field, load<u32>(field, NUMBERS) + 1, NUMBERS);
    else store<u32>(field, load<u32>(field, BOOLEANS) + 1, BOOLEANS);
  }
  return textBytes;
}

function use(number: u16, field: u32): void {
  memory.fill(field, 0, FIELD_BYTES);
  store<u32>(USED_FIELDS + usedFields * 4, number);
  usedFields++;
}

/** Finds places for all columns. Texts have room behind them, as they are copied in steps of 16 bytes. */
function place(count: u32, out: u32, textBytes: u32): u32 {
  let at = out;
  messageLengths = at;
  at += count * 4;
  fullMessageLengths = at;
  at += count * 4;
  texts = at;
  at += textBytes + SLACK;
  for (let index: u32 = 0; index < usedFields; index++) {
    const field = FIELDS + load<u32>(USED_FIELDS + index * 4) * FIELD_BYTES;
    at = (at + 7) & ~7;
    store<u32>(field, at, NUMBERS_AT);
    store<u32>(field, at, NUMBERS_END);
    at += load<u32>(field, NUMBERS) * 8;
    store<u32>(field, at, ROWS_AT);
    at += load<u32>(field, COUNT) * 4;
    store<u32>(field, at, TYPES_AT);
    at += load<u32>(field, COUNT);
    store<u32>(field, at, BOOLEANS_AT);
    store<u32>(field, at, BOOLEANS_END);
    at += load<u32>(field, BOOLEANS);
    store<u32>(field, at, TEXTS_AT);
    store<u32>(field, at, TEXTS_END);
    const bytes = load<u32>(field, TEXT_BYTES);
    if (bytes > 0) at += bytes + SLACK;
    store<u32>(field, 0, COUNT);
  }
  return reserve(at) ? at : 0;
}

/** Writes one row and returns the end of its text. */
function write(index: u32, row: u32, at: u32): u32 {
  const entry = ROWS + row * ROW_BYTES;
  const tokens = TOKENS + load<u32>(entry, 4) * TOKEN_BYTES;
  const shape = shapeOf(load<u32>(entry, 12));
  const first = at + LENGTH_BYTES;
  let end = writeString(tokens + load<u32>(shape, 8) * TOKEN_BYTES, first);
  const firstLength = end - first;
  store<u32>(messageLengths + index * 4, firstLength);
  const full = load<u32>(shape, 12);
  store<u32>(fullMessageLengths + index * 4, 0);
  if (full != NO_TOKEN) {
    store<u8>(end, PIECE_SEPARATOR);
    const fullStart = end + 1;
    end = writeString(tokens + full * TOKEN_BYTES, fullStart);
    store<u32>(fullMessageLengths + index * 4, end - fullStart);
  }
  const source = tokens + load<u32>(shape, 4) * TOKEN_BYTES;
  end = appendUnlessThere(
    load<u32>(source),
    load<u32>(source, 4) - load<u32>(source),
    first,
    firstLength,
    end,
  );
  end = writeFields(index, shape, tokens, first, firstLength, end);
  storeLength(at, end - first);
  return end;
}

function writeFields(index: u32, shape: u32, tokens: u32, first: u32, firstLength: u32, from: u32): u32 {
  let end = from;
  const count = load<u32>(shape);
  let token = tokens;
  for (let position: u32 = 0; position < count; position++, token += TOKEN_BYTES) {
    const number = load<u16>(shape + SHAPE_HEADER + position * 2);
    if (number == NO_FIELD) continue;
    const field = FIELDS + <u32>number * FIELD_BYTES;
    const type = load<u8>(token, 8);
    const known = load<u32>(field, COUNT);
    store<u32>(field, known + 1, COUNT);
    store<u32>(load<u32>(field, ROWS_AT) + known * 4, index);
    store<u8>(load<u32>(field, TYPES_AT) + known, type);
    if (type == TYPE_STRING) {
      const text = writeText(field, token);
      end = appendUnlessThere(text, load<u32>(field, TEXTS_END) - text, first, firstLength, end);
    } else if (type == TYPE_NUMBER) {
      const to = load<u32>(field, NUMBERS_END);
      store<f64>(to, load<f64>(token));
      store<u32>(field, to + 8, NUMBERS_END);
    } else {
      const to = load<u32>(field, BOOLEANS_END);
      store<u8>(to, load<u8>(token));
      store<u32>(field, to + 1, BOOLEANS_END);
    }
  }
  return end;
}

/** Appends a text and its length to a field, and returns where the text begins. */
function writeText(field: u32, token: u32): u32 {
  const at = load<u32>(field, TEXTS_END);
  const most = load<u32>(token, 4) - load<u32>(token);
  // Escapes only make texts shorter, so the length needs at most so many bytes. Usually it needs as many.
  const room = varintSize(most);
  let text = at + room;
  let end = writeString(token, text);
  const length = end - text;
  const needed = varintSize(length);
  if (needed < room) {
    memory.copy(at + needed, text, length);
    text = at + needed;
    end = text + length;
  }
  storeVarint(at, length);
  store<u32>(field, end, TEXTS_END);
  return text;
}

function varintSize(value: u32): u32 {
  if (value < 1 << 7) return 1;
  if (value < 1 << 14) return 2;
  return value < 1 << 21 ? 3 : 4;
}

function storeVarint(to: u32, value: u32): void {
  let at = to;
  let rest = value;
  while (rest >= 0x80) {
    store<u8>(at++, <u8>(rest | 0x80));
    rest >>= 7;
  }
  store<u8>(at, <u8>rest);
}

/** A varint of four bytes, however small the length is. */
function storeLength(at: u32, length: u32): void {
  store<u8>(at, <u8>(length | 0x80));
  store<u8>(at, <u8>((length >> 7) | 0x80), 1);
  store<u8>(at, <u8>((length >> 14) | 0x80), 2);
  store<u8>(at, <u8>(length >> 21), 3);
}

/** Writes the string of a token without its escapes, and returns its end. */
function writeString(token: u32, to: u32): u32 {
  const start = load<u32>(token);
  const end = load<u32>(token, 4);
  if ((load<u32>(token, 8) & ESCAPED) != 0) return writeUnescaped(start, end, to);
  copyAhead(to, start, end - start);
  return to + end - start;
}

function writeUnescaped(from: u32, end: u32, to: u32): u32 {
  let at = from;
  let out = to;
  while (at < end) {
    const bytes = v128.load(at);
    v128.store(out, bytes);
    const mask = i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(0x5c)));
    const plain = min<u32>(mask == 0 ? 16 : <u32>ctz(mask), end - at);
    at += plain;
    out += plain;
    if (at < end && plain < 16) {
      out = writeEscaped(at, out);
      at += load<u8>(at, 1) == 0x75 ? 6 : 2;
    }
  }
  return out;
}

/** Writes the character that an escape stands for, and returns its end. */
function writeEscaped(at: u32, to: u32): u32 {
  const letter = load<u8>(at, 1);
  if (letter == 0x75) return writeUnit(<u32>escapedUnit(at), to);
  let byte = letter;
  if (letter == 0x62) byte = 0x08;
  else if (letter == 0x66) byte = 0x0c;
  else if (letter == 0x6e) byte = 0x0a;
  else if (letter == 0x72) byte = 0x0d;
  else if (letter == 0x74) byte = 0x09;
  store<u8>(to, byte);
  return to + 1;
}

function writeUnit(unit: u32, to: u32): u32 {
  if (unit < 0x80) {
    store<u8>(to, <u8>unit);
    return to + 1;
  }
  if (unit < 0x800) {
    store<u8>(to, <u8>(0xc0 | (unit >> 6)));
    store<u8>(to, <u8>(0x80 | (unit & 0x3f)), 1);
    return to + 2;
  }
  store<u8>(to, <u8>(0xe0 | (unit >> 12)));
  store<u8>(to, <u8>(0x80 | ((unit >> 6) & 0x3f)), 1);
  store<u8>(to, <u8>(0x80 | (unit & 0x3f)), 2);
  return to + 3;
}

/** Appends a piece at `to`, unless its words occur in the first piece, one after the other. Returns the end. */
function appendUnlessThere(piece: u32, length: u32, first: u32, firstLength: u32, to: u32): u32 {
  const found = indexOf(first, firstLength, piece, length);
  if (found >= 0) {
    const at = first + found;
    const isWordBefore = found > 0 && isWordByte(load<u8>(at - 1));
    const isWordAfter = <u32>found + length < firstLength && isWordByte(load<u8>(at + length));
    if (!isWordBefore && !isWordAfter) return to;
  }
  store<u8>(to, PIECE_SEPARATOR);
  copyAhead(to + 1, piece, length);
  return to + 1 + length;
}

/** Where `piece` occurs first; -1 when it does not. */
function indexOf(text: u32, textLength: u32, piece: u32, length: u32): i32 {
  if (length == 0) return 0;
  if (length > textLength) return -1;
  const firstByte = i8x16.splat(load<i8>(piece));
  const lastByte = i8x16.splat(load<i8>(piece + length - 1));
  const lastStart = textLength - length;
  for (let at: u32 = 0; at <= lastStart; at += 16) {
    const isFirst = i8x16.eq(v128.load(text + at), firstByte);
    const isLast = i8x16.eq(v128.load(text + at + length - 1), lastByte);
    let mask = i8x16.bitmask(v128.and(isFirst, isLast));
    while (mask != 0) {
      const start = at + ctz(mask);
      if (start > lastStart) return -1;
      if (areEqual(text + start, piece, length)) return start;
      mask &= mask - 1;
    }
  }
  return -1;
}

/** Whether the index counts the byte as part of a word. */
function isWordByte(byte: u8): bool {
  if (byte >= 0x80) return true;
  const lower = byte | 0x20;
  return (byte >= 0x30 && byte <= 0x39) || (lower >= 0x61 && lower <= 0x7a);
}
