import {
  childOf,
  countFrame,
  isKeyAt,
  KIND_FULL_MESSAGE,
  KIND_HOST,
  KIND_REFUSED,
  KIND_SHORT_MESSAGE,
  KIND_VERSION,
  keyLengthOf,
  kindOf,
  likelyChildOf,
  MAX_KEY_LENGTH,
  SHAPE_REFUSED,
  shapeOf,
  typeOf,
} from './keys';
import {
  areEqual,
  FRAME_ENDS,
  FRAME_STARTS,
  hashOf,
  MAX_TOKENS,
  ROW_BYTES,
  ROWS,
  SOURCE_BYTES,
  SOURCE_SLOTS,
  SOURCES,
  TOKEN_BYTES,
  TOKENS,
} from './memory';
import {
  ESCAPED,
  hasText,
  numberEnd,
  numberValue,
  stringEnd,
  stringFlags,
  TYPE_BOOLEAN,
  TYPE_NONE,
  TYPE_NUMBER,
  TYPE_STRING,
} from './values';

/**
 * Reads frames of plain GELF: texts, numbers, booleans and null, with any white space. For each a row says which shape it has
 * and where its values are. All other frames are left to the other side.
 */

/** The other side has to decode the frame. */
const LEFT: u32 = 0;
const READ: u32 = 1;
/** It would be read if the other side had looked at its shape. */
const NEW_SHAPE: u32 = 2;

/** The decoder drops further ones, so such a frame is not plain. */
const MAX_KEYS: u32 = 1024;
const MAX_SOURCE_LENGTH: u32 = SOURCE_BYTES - 32;
/** "1.1" as a number. */
const VERSION: u32 = 0x312e31;

let tokenCount: u32 = 0;
/** Of the frame that is read; see `keepSource`. */
let sourceNumber: u32 = 0;
let replacedSources: u32 = 0;
/** All keys of the frame have been looked at. */
let isKnown: bool = true;
let valueType: u8 = 0;

/** Before the first frames of a batch. */
export function beginBatch(): void {
  tokenCount = 0;
}

/** Reads the frames with the numbers from `from` up to, not including, `to`. */
export function scan(from: u32, to: u32): void {
  for (let row = from; row < to; row++) {
    const start = load<u32>(FRAME_STARTS + row * 4);
    const end = trimmedEnd(start, load<u32>(FRAME_ENDS + row * 4));
    const at = ROWS + row * ROW_BYTES;
    const firstToken = tokenCount;
    store<u32>(at, firstToken, 4);
    const node = scanFrame(start, end);
    const shape = node == 0 ? SHAPE_REFUSED : shapeOf(node);
    const status = shape > SHAPE_REFUSED && isKnown ? READ : shape == SHAPE_REFUSED ? LEFT : NEW_SHAPE;
    store<u32>(at, status);
    store<u32>(at, sourceNumber, 8);
    store<u32>(at, node, 12);
    if (status != READ) tokenCount = firstToken;
    if (status == NEW_SHAPE) countFrame(node);
  }
}

/** Null bytes and white space may follow the object. */
function trimmedEnd(start: u32, end: u32): u32 {
  let last = end;
  while (last > start) {
    const byte = load<u8>(last - 1);
    if (byte > 0x20 || (byte != 0 && byte != 0x20 && byte != 0x0a && byte != 0x0d && byte != 0x09)) break;
    last--;
  }
  return last;
}

/** The node with which the frame ends; 0 when the frame is not for us. */
function scanFrame(start: u32, end: u32): u32 {
  if (end - start < 8 || load<u8>(start) != 0x7b || load<u8>(end - 1) != 0x7d) return 0;
  const limit = end - 1;
  let node: u32 = 0;
  let at = start + 1;
  isKnown = true;
  for (let keys: u32 = 0; keys < MAX_KEYS; keys++) {
    at = skipSpace(at);
    if (load<u8>(at) != 0x22) return 0;
    at++;
    const likely = likelyChildOf(node);
    const key = at;
    const isLikely = likely != 0 && isKeyAt(likely, key, limit);
    const keyEnd = isLikely ? key + keyLengthOf(likely) : plainKeyEnd(key, limit);
    if (keyEnd == 0 || keyEnd >= limit) return 0;
    at = skipSpace(keyEnd + 1);
    if (load<u8>(at) != 0x3a) return 0;
    at = skipSpace(at + 1);
    const valueStart = at;
    at = valueEnd(at, limit);
    if (at == 0 || at > limit) return 0;
    node = isLikely && typeOf(likely) == valueType ? likely : childOf(node, key, keyEnd - key, valueType);
    if (node == 0 || !isAsExpected(node, valueStart, at)) return 0;
    at = skipSpace(at);
    if (at == limit) return node;
    if (load<u8>(at) != 0x2c) return 0;
    at++;
  }
  return 0;
}

/** A line feed is not skipped: what has one cannot be sent on as it is, and the shape does not say that it has. */
function skipSpace(from: u32): u32 {
  let at = from;
  while (load<u8>(at) <= 0x20) {
    const byte = load<u8>(at);
    if (byte != 0x20 && byte != 0x09 && byte != 0x0d) break;
    at++;
  }
  return at;
}

/** The quote after a key of ordinary characters; 0 for other keys. */
function plainKeyEnd(key: u32, limit: u32): u32 {
  const end = stringEnd(key, limit);
  return end == key || end - key > MAX_KEY_LENGTH || stringFlags != 0 ? 0 : end;
}

/** Reads a value into the next token and returns its end; 0 when it is not for us. */
function valueEnd(at: u32, limit: u32): u32 {
  if (tokenCount == MAX_TOKENS) return 0;
  const token = TOKENS + tokenCount * TOKEN_BYTES;
  const first = load<u8>(at);
  let end: u32;
  if (first == 0x22) {
    end = stringEnd(at + 1, limit);
    if (end == 0) return 0;
    store<u32>(token, at + 1);
    store<u32>(token, end, 4);
    store<u32>(token, TYPE_STRING | stringFlags, 8);
    valueType = TYPE_STRING;
    end++;
  } else if (first == 0x74 || first == 0x66) {
    end = booleanEnd(at);
    store<u32>(token, first == 0x74 ? 1 : 0);
    store<u32>(token, TYPE_BOOLEAN, 8);
    valueType = TYPE_BOOLEAN;
  } else if (first == 0x6e) {
    // "null" as a number.
    end = load<u32>(at) == 0x6c6c756e ? at + 4 : 0;
    store<u32>(token, TYPE_NONE, 8);
    valueType = TYPE_NONE;
  } else {
    end = numberEnd(at);
    store<f64>(token, numberValue);
    store<u32>(token, TYPE_NUMBER, 8);
    valueType = TYPE_NUMBER;
  }
  tokenCount++;
  return end;
}

function booleanEnd(at: u32): u32 {
  // "true" and "alse" as numbers.
  if (load<u32>(at) == 0x65757274) return at + 4;
  return load<u8>(at) == 0x66 && load<u32>(at, 1) == 0x65736c61 ? at + 5 : 0;
}

/** Whether the value is one that a plain frame has there. */
function isAsExpected(node: u32, start: u32, end: u32): bool {
  switch (kindOf(node)) {
    case 0:
      isKnown = false;
      return true;
    case KIND_VERSION:
      return end - start == 5 && (load<u32>(start, 1) & 0xffffff) == VERSION;
    case KIND_HOST:
      return keepSource(start + 1, end - start - 2);
    case KIND_SHORT_MESSAGE:
    case KIND_FULL_MESSAGE:
      return hasText(start + 1, end - 1);
    case KIND_REFUSED:
      return false;
    default:
      return true;
  }
}

/**
 * Finds the source among those seen last, or puts it there. Its number says where it is, in the low bits, and changes whenever
 * another source comes there.
 */
function keepSource(source: u32, length: u32): bool {
  if (length > MAX_SOURCE_LENGTH || (stringFlags & ESCAPED) != 0 || !hasText(source, source + length))
    return false;
  const slot = hashOf(source, length, 0) & (SOURCE_SLOTS - 1);
  const at = SOURCES + slot * SOURCE_BYTES;
  if (load<u32>(at, 4) != length || !areEqual(at + 8, source, length)) {
    replacedSources++;
    store<u32>(at, (replacedSources * SOURCE_SLOTS) | slot);
    store<u32>(at, length, 4);
    memory.copy(at + 8, source, length);
  }
  sourceNumber = load<u32>(at);
  return true;
}
