/**
 * Where things are in the memory that this module shares with `codecs/format/gelf/scan/`. Addresses are fixed, so that
 * both sides know them; only the last area grows.
 */

/** What a key means after the keys before it: one for each sequence of keys and types of their values. */
export const NODES: u32 = 0x10000;
export const NODE_BYTES: u32 = 32;
export const MAX_NODES: u32 = 16384;
/** Finds nodes by their parents, keys and types. */
export const NODE_TABLE: u32 = NODES + NODE_BYTES * MAX_NODES;
export const NODE_TABLE_SLOTS: u32 = 32768;
/** The bytes of keys. */
export const KEYS: u32 = NODE_TABLE + NODE_TABLE_SLOTS * 4;
export const KEYS_BYTES: u32 = 0x100000;
/** What the other side knows about a sequence of keys that it has seen before. It writes it. */
export const SHAPES: u32 = KEYS + KEYS_BYTES;
export const SHAPES_BYTES: u32 = 0x100000;
/** The sources that were seen last, so that the other side need not make a text for each message. */
export const SOURCES: u32 = SHAPES + SHAPES_BYTES;
export const SOURCE_BYTES: u32 = 160;
export const SOURCE_SLOTS: u32 = 512;
/** One for each field of staged messages. */
export const FIELDS: u32 = SOURCES + SOURCE_BYTES * SOURCE_SLOTS;
export const FIELD_BYTES: u32 = 64;
export const MAX_FIELDS: u32 = 8192;
export const USED_FIELDS: u32 = FIELDS + FIELD_BYTES * MAX_FIELDS;
/** The values of all frames. */
export const TOKENS: u32 = USED_FIELDS + 4 * MAX_FIELDS;
export const TOKEN_BYTES: u32 = 16;
export const MAX_TOKENS: u32 = 131072;
/** What was found in each frame. */
export const ROWS: u32 = TOKENS + TOKEN_BYTES * MAX_TOKENS;
export const ROW_BYTES: u32 = 16;
export const MAX_ROWS: u32 = 4096;
/** The other side writes where frames begin and end, and which rows are to be staged. */
export const FRAME_STARTS: u32 = ROWS + ROW_BYTES * MAX_ROWS;
export const FRAME_ENDS: u32 = FRAME_STARTS + 4 * MAX_ROWS;
export const STAGED_ROWS: u32 = FRAME_ENDS + 4 * MAX_ROWS;
/** The frames, and after them what is staged. */
export const FRAMES: u32 = STAGED_ROWS + 4 * MAX_ROWS;
/** Reads and writes of 16 bytes may go so far beyond the end of what they are about. */
export const SLACK: u32 = 64;

/** So that nobody can know beforehand which keys have the same place. The other side sets it. */
export let hashSeed: u32 = 0;

/** Makes sure that the memory reaches up to `end`. False: there is no more. */
export function reserve(end: u32): bool {
  const pages = <i32>((end + SLACK + 0xffff) >>> 16);
  const missing = pages - memory.size();
  return missing <= 0 || memory.grow(missing) >= 0;
}

/** Whether `length` bytes are the same. Reads up to 15 bytes beyond. */
export function areEqual(left: u32, right: u32, length: u32): bool {
  let at: u32 = 0;
  while (at + 16 < length) {
    if (i8x16.bitmask(i8x16.eq(v128.load(left + at), v128.load(right + at))) != 0xffff) return false;
    at += 16;
  }
  const wanted = (1 << (length - at)) - 1;
  return (i8x16.bitmask(i8x16.eq(v128.load(left + at), v128.load(right + at))) & wanted) == wanted;
}

/** Multiplies and shifts, eight bytes at a time. */
export function hashOf(at: u32, length: u32, seed: u32): u32 {
  let hash: u64 = 0xcbf29ce484222325 ^ ((<u64>hashSeed) << 32) ^ <u64>seed;
  let position: u32 = 0;
  while (position + 8 <= length) {
    hash = (hash ^ load<u64>(at + position)) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 29;
    position += 8;
  }
  const rest = length - position;
  if (rest > 0) {
    const bytes = load<u64>(at + position) << (64 - ((<u64>rest) << 3));
    hash = (hash ^ bytes) * 0x9e3779b97f4a7c15;
  }
  hash = (hash ^ <u64>length) * 0x9e3779b97f4a7c15;
  return <u32>(hash >> 32);
}

/** Copies in steps of 16 bytes, up to 15 bytes beyond the end: nothing valid may be there yet. */
export function copyAhead(to: u32, from: u32, length: u32): void {
  let at: u32 = 0;
  while (at < length) {
    v128.store(to + at, v128.load(from + at));
    at += 16;
  }
}
