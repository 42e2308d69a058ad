/** Reads JSON values. What is not plain is left to the other side: the reader says that it cannot. */

export const TYPE_NUMBER: u8 = 0;
export const TYPE_STRING: u8 = 2;
export const TYPE_BOOLEAN: u8 = 3;
/** `null`: the shape knows that there is no value. */
export const TYPE_NONE: u8 = 4;

/** Bits above the type in a token. */
export const ESCAPED: u32 = 0x100;
export const NOT_ASCII: u32 = 0x200;

const QUOTE: u8 = 0x22;
const BACKSLASH: u8 = 0x5c;

/** What `stringEnd` found beside the end. */
export let stringFlags: u32 = 0;

/** The quote that ends the string that begins at `from`; 0 when it is not a string that we read. */
export function stringEnd(from: u32, limit: u32): u32 {
  let at = from;
  stringFlags = 0;
  while (true) {
    const bytes = v128.load(at);
    // Signed, so that bytes beyond ASCII are below the space, too.
    const special = v128.or(
      v128.or(i8x16.eq(bytes, i8x16.splat(QUOTE)), i8x16.eq(bytes, i8x16.splat(BACKSLASH))),
      i8x16.lt_s(bytes, i8x16.splat(0x20)),
    );
    const mask = i8x16.bitmask(special);
    if (mask == 0) {
      at += 16;
      if (at >= limit) return 0;
      continue;
    }
    at += ctz(mask);
    if (at >= limit) return 0;
    const byte = load<u8>(at);
    if (byte == QUOTE) return at;
    const length: u32 = byte == BACKSLASH ? escapeLength(at) : byte < 0x20 ? 0 : sequenceLength(at);
    if (length == 0) return 0;
    stringFlags |= byte == BACKSLASH ? ESCAPED : NOT_ASCII;
    at += length;
  }
}

/** 0 when it is none, and for halves of surrogate pairs. */
function escapeLength(at: u32): u32 {
  switch (load<u8>(at, 1)) {
    case 0x22: // "
    case 0x5c: // \
    case 0x2f: // /
    case 0x62: // b
    case 0x66: // f
    case 0x6e: // n
    case 0x72: // r
    case 0x74: // t
      return 2;
    case 0x75: {
      const unit = escapedUnit(at);
      return unit < 0 || (unit & 0xf800) == 0xd800 ? 0 : 6;
    }
    default:
      return 0;
  }
}

/** The number that the four hexadecimal digits after `\u` make; -1 if one of them is no such digit. */
export function escapedUnit(at: u32): i32 {
  let unit: i32 = 0;
  for (let position: u32 = 2; position < 6; position++) {
    const digit = hexDigit(load<u8>(at + position));
    if (digit < 0) return -1;
    unit = (unit << 4) | digit;
  }
  return unit;
}

function hexDigit(byte: u8): i32 {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

/** The length of the UTF-8 sequence; 0 when it is not valid, and for U+FFFD, which stands for what was not valid. */
function sequenceLength(at: u32): u32 {
  const first = load<u8>(at);
  const second = load<u8>(at, 1);
  if (first < 0xc2 || first > 0xf4) return 0;
  if (first < 0xe0) return isContinuation(second) ? 2 : 0;
  const third = load<u8>(at, 2);
  if (!isContinuation(second) || !isContinuation(third)) return 0;
  if (first < 0xf0) {
    if (first == 0xe0 && second < 0xa0) return 0;
    if (first == 0xed && second > 0x9f) return 0;
    return first == 0xef && second == 0xbf && third == 0xbd ? 0 : 3;
  }
  if (!isContinuation(load<u8>(at, 3))) return 0;
  if (first == 0xf0 && second < 0x90) return 0;
  return first == 0xf4 && second > 0x8f ? 0 : 4;
}

function isContinuation(byte: u8): bool {
  return (byte & 0xc0) == 0x80;
}

/** Whether a string has a character that is certainly not white space. */
export function hasText(from: u32, end: u32): bool {
  for (let at = from; at < end; at++) {
    const byte = load<u8>(at);
    if (byte == BACKSLASH) return false;
    if (byte > 0x20 && byte < 0x7f) return true;
  }
  return false;
}

// biome-ignore format: a table
const POWERS_OF_TEN: usize = memory.data<f64>([
  1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
]);
const MAX_SAFE_INTEGER: u64 = 9007199254740991;

/** What `numberEnd` has read. */
export let numberValue: f64 = 0;

/**
 * The end of a number that is exact as a quotient of an integer up to 2^53 and a power of ten, both of which are exact as
 * floating-point numbers, so that their quotient is rounded only once. 0 for others.
 */
export function numberEnd(from: u32): u32 {
  let at = from;
  const isNegative = load<u8>(at) == 0x2d;
  if (isNegative) at++;
  const first = at;
  let digits: u64 = 0;
  while (true) {
    const digit = <u32>load<u8>(at) - 0x30;
    if (digit > 9) break;
    digits = digits * 10 + digit;
    at++;
  }
  let count = at - first;
  if (count == 0 || (count > 1 && load<u8>(first) == 0x30)) return 0;
  let decimals: u32 = 0;
  if (load<u8>(at) == 0x2e) {
    at++;
    const point = at;
    while (true) {
      const digit = <u32>load<u8>(at) - 0x30;
      if (digit > 9) break;
      digits = digits * 10 + digit;
      at++;
    }
    decimals = at - point;
    if (decimals == 0) return 0;
    count += decimals;
  }
  // More digits may have overflowed; an exponent follows rarely.
  if (count > 18 || digits > MAX_SAFE_INTEGER || (load<u8>(at) | 0x20) == 0x65) return 0;
  const value = <f64>digits / load<f64>(POWERS_OF_TEN + (decimals << 3));
  numberValue = isNegative ? -value : value;
  return at;
}
