/**
 * What `write` calls after it has looked at its arguments, which takes as long as writing a short text. Serializers such as
 * protobufjs call them, too; the documentation and the types leave them out.
 */
interface DirectWrites {
  utf8Write(text: string, offset: number): number;
  latin1Write(text: string, offset: number): number;
}

function newBytes(length: number): Buffer & DirectWrites {
  return Buffer.allocUnsafeSlow(length) as Buffer & DirectWrites;
}

/**
 * A growing run of bytes that keeps its memory between batches, so that appending allocates nothing once it
 * is large enough.
 */
export class ByteBuffer {
  /** Only the bytes before `length` are valid. Growing replaces the buffer: never keep a reference to it. */
  bytes: Buffer & DirectWrites;
  length = 0;
  /** By so many batches in a row. */
  #hardlyUsed = 0;

  /** @param memory its size, or the memory itself, whose content is overwritten */
  constructor(memory: number | Buffer = 256) {
    this.bytes = typeof memory === 'number' ? newBytes(memory) : (memory as Buffer & DirectWrites);
  }

  /** Makes room for `count` more bytes. */
  reserve(count: number): void {
    const needed = this.length + count;
    if (needed <= this.bytes.length) return;
    const grown = newBytes(Math.max(needed, this.bytes.length * 2));
    this.bytes.copy(grown, 0, 0, this.length);
    this.bytes = grown;
  }

  appendByte(value: number): void {
    if (this.length === this.bytes.length) this.reserve(1);
    this.bytes[this.length++] = value;
  }

  /** LEB128, as ClickHouse writes lengths. */
  appendVarint(value: number): void {
    this.reserve(10);
    if (value < 0x80) {
      this.bytes[this.length++] = value;
      return;
    }
    let rest = value;
    while (rest >= 0x80) {
      this.bytes[this.length++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.bytes[this.length++] = rest;
  }

  appendUInt64(value: number): void {
    this.reserve(8);
    this.bytes.writeUInt32LE(value >>> 0, this.length);
    this.bytes.writeUInt32LE(Math.floor(value / 2 ** 32), this.length + 4);
    this.length += 8;
  }

  /** Length and UTF-8 bytes. Halves of surrogate pairs become U+FFFD, as everywhere in Node. */
  appendString(text: string): void {
    const characters = text.length;
    if (characters <= SHORT_STRING && this.#appendShortAscii(text, characters)) return;
    // A UTF-16 unit takes at most three bytes in UTF-8.
    this.reserve(MAX_LENGTH_BYTES + characters * 3);
    // Most text is ASCII: leave room for the length it has then, and move the text if that was wrong.
    const guess = varintSize(characters);
    const written = this.bytes.utf8Write(text, this.length + guess);
    const actual = varintSize(written);
    if (actual !== guess) {
      const begin = this.length + guess;
      this.bytes.copyWithin(this.length + actual, begin, begin + written);
    }
    this.appendVarint(written);
    this.length += written;
  }

  /** The same for a text that is known to be ASCII: it takes half the time. */
  appendAsciiString(text: string): void {
    const characters = text.length;
    if (characters <= SHORT_STRING && this.#appendShortAscii(text, characters)) return;
    this.reserve(MAX_LENGTH_BYTES + characters);
    this.appendVarint(characters);
    this.length += this.bytes.latin1Write(text, this.length);
  }

  /** Appends the UTF-8 bytes without a length and returns how many there are. */
  appendText(text: string): number {
    const characters = text.length;
    this.reserve(characters * 3);
    const begin = this.length;
    if (characters <= SHORT_STRING && this.#appendAscii(text, characters, begin)) return characters;
    const written = this.bytes.utf8Write(text, begin);
    this.length = begin + written;
    return written;
  }

  #appendShortAscii(text: string, characters: number): boolean {
    this.reserve(characters + 1);
    const begin = this.length;
    if (!this.#appendAscii(text, characters, begin + 1)) return false;
    this.bytes[begin] = characters;
    return true;
  }

  /** Calling native code costs more than a short loop. The caller has reserved room. */
  #appendAscii(text: string, characters: number, begin: number): boolean {
    const bytes = this.bytes;
    let position = begin;
    for (let index = 0; index < characters; index++) {
      const unit = text.charCodeAt(index);
      if (unit >= 0x80) return false;
      bytes[position++] = unit;
    }
    this.length = position;
    return true;
  }

  appendBytes(source: Uint8Array, length = source.length): void {
    this.reserve(length);
    this.bytes.set(length === source.length ? source : source.subarray(0, length), this.length);
    this.length += length;
  }

  /**
   * Drops the content. Memory that was hardly used was for an exceptional batch: most of it is released. A load that begins
   * or ends has a few small batches, too, and to grow again after each of these would cost more than it saves: what a usual
   * batch needs is kept until many in a row have hardly used it.
   */
  clear(): void {
    const used = this.length;
    this.length = 0;
    const isHardlyUsed = this.bytes.length > KEPT_BYTES && used < this.bytes.length / 4;
    this.#hardlyUsed = isHardlyUsed ? this.#hardlyUsed + 1 : 0;
    const patience = this.bytes.length <= USUAL_BYTES ? KEPT_FOR_BATCHES : 0;
    if (this.#hardlyUsed <= patience) return;
    this.#hardlyUsed = 0;
    this.bytes = newBytes(Math.max(INITIAL_AFTER_RELEASE, used));
  }
}

const SHORT_STRING = 16;
const MAX_LENGTH_BYTES = 10;
const KEPT_BYTES = 2 ** 20;
/** More than a column of a full batch takes up. */
const USUAL_BYTES = 32 * 2 ** 20;
/** Ten seconds of a node with little to do. */
const KEPT_FOR_BATCHES = 32;
const INITIAL_AFTER_RELEASE = 64 * 2 ** 10;

export function varintSize(value: number): number {
  if (value < 2 ** 7) return 1;
  if (value < 2 ** 14) return 2;
  if (value < 2 ** 21) return 3;
  if (value < 2 ** 28) return 4;
  return value < 2 ** 35 ? 5 : 6;
}
