/** Checksums that Node does not have. All of UTF-8. */

const CASTAGNOLI = 0x82f63b78;
const TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ CASTAGNOLI : value >>> 1;
  return value;
});

export function crc32c(text: string): number {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text)) crc = (TABLE[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

const rotated = (value: number, bits: number) => (value << bits) | (value >>> (32 - bits));

/** MurmurHash3_x86_32 with seed 0, as bytes in the order of a little-endian machine. */
export function murmur32(text: string): string {
  const bytes = Buffer.from(text);
  let hash = 0;
  const mixed = (block: number) => Math.imul(rotated(Math.imul(block, 0xcc9e2d51), 15), 0x1b873593);
  const whole = bytes.length - (bytes.length % 4);
  for (let at = 0; at < whole; at += 4) {
    hash = (Math.imul(rotated(hash ^ mixed(bytes.readUInt32LE(at)), 13), 5) + 0xe6546b64) | 0;
  }
  let rest = 0;
  for (let at = bytes.length - 1; at >= whole; at--) rest = (rest << 8) | (bytes[at] ?? 0);
  if (bytes.length > whole) hash ^= mixed(rest);
  hash ^= bytes.length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  const result = Buffer.alloc(4);
  result.writeUInt32LE((hash ^ (hash >>> 16)) >>> 0);
  return result.toString('hex');
}

const MASK = 2n ** 64n - 1n;
const C1 = 0x87c37b91114253d5n;
const C2 = 0x4cf5ad432745937fn;
const rotated64 = (value: bigint, bits: bigint) => ((value << bits) | (value >> (64n - bits))) & MASK;
const times = (left: bigint, right: bigint) => (left * right) & MASK;

function finished(value: bigint): bigint {
  let mix = times(value ^ (value >> 33n), 0xff51afd7ed558ccdn);
  mix = times(mix ^ (mix >> 33n), 0xc4ceb9fe1a85ec53n);
  return mix ^ (mix >> 33n);
}

/** MurmurHash3_x64_128 with seed 0, as bytes in the order of a little-endian machine. */
export function murmur128(text: string): string {
  const bytes = Buffer.from(text);
  const whole = bytes.length - (bytes.length % 16);
  let first = 0n;
  let second = 0n;
  for (let at = 0; at < whole; at += 16) {
    first ^= times(rotated64(times(bytes.readBigUInt64LE(at), C1), 31n), C2);
    first = (times((rotated64(first, 27n) + second) & MASK, 5n) + 0x52dce729n) & MASK;
    second ^= times(rotated64(times(bytes.readBigUInt64LE(at + 8), C2), 33n), C1);
    second = (times((rotated64(second, 31n) + first) & MASK, 5n) + 0x38495ab5n) & MASK;
  }
  const rest = Buffer.alloc(16);
  bytes.copy(rest, 0, whole);
  second ^= times(rotated64(times(rest.readBigUInt64LE(8), C2), 33n), C1);
  first ^= times(rotated64(times(rest.readBigUInt64LE(0), C1), 31n), C2);
  const length = BigInt(bytes.length);
  first = ((first ^ length) + (second ^ length)) & MASK;
  second = ((second ^ length) + first) & MASK;
  first = finished(first);
  second = finished(second);
  first = (first + second) & MASK;
  second = (second + first) & MASK;
  const result = Buffer.alloc(16);
  result.writeBigUInt64LE(first, 0);
  result.writeBigUInt64LE(second, 8);
  return result.toString('hex');
}
