/** Columns of the message table that can do more than a general one, because of what is known of them. */
import { ByteBuffer, type NativeColumn } from './clickhouse/index.ts';

/** The same number in every row, known only when the block is sent. */
export class SameNumberColumn implements NativeColumn {
  readonly type = 'UInt32';
  rows = 0;
  value = 0;

  writePrefix(_out: ByteBuffer): void {}

  writeValues(out: ByteBuffer): void {
    out.reserve(this.rows * 4);
    const begin = out.length;
    for (let row = 0; row < this.rows; row++) out.bytes.writeUInt32LE(this.value, begin + row * 4);
    out.length = begin + this.rows * 4;
  }

  clear(): void {
    this.rows = 0;
  }
}

const LENGTH_BYTES = 4;
const MAX_LENGTH = 2 ** (7 * LENGTH_BYTES) - 1;
const LINE_FEED = 10;

/**
 * Texts that are put together from pieces, one below the other: `begin`, `append` for every piece, `end`. The
 * length comes before the text and is known after it, so it has a fixed size: four bytes of a varint, the
 * first three with the bit that says "more", whatever they hold.
 */
export class JoinedTextColumn implements NativeColumn {
  readonly type = 'String';
  rows = 0;
  readonly #values = new ByteBuffer();
  #start = 0;

  get byteLength(): number {
    return this.#values.length;
  }

  /** Starts a row with its first piece; how many bytes it has. */
  begin(text: string): number {
    this.#values.reserve(LENGTH_BYTES);
    this.#start = this.#values.length;
    this.#values.length += LENGTH_BYTES;
    return this.#values.appendText(text);
  }

  append(text: string): number {
    this.#values.appendByte(LINE_FEED);
    return this.#values.appendText(text);
  }

  end(): void {
    const { bytes } = this.#values;
    const length = this.#values.length - this.#start - LENGTH_BYTES;
    if (length > MAX_LENGTH) throw new RangeError(`a text of ${length} bytes is too long to be stored`);
    bytes[this.#start] = (length & 0x7f) | 0x80;
    bytes[this.#start + 1] = ((length >>> 7) & 0x7f) | 0x80;
    bytes[this.#start + 2] = ((length >>> 14) & 0x7f) | 0x80;
    bytes[this.#start + 3] = length >>> 21;
    this.rows++;
  }

  writePrefix(_out: ByteBuffer): void {}

  writeValues(out: ByteBuffer): void {
    out.appendBytes(this.#values.bytes, this.#values.length);
  }

  clear(): void {
    this.rows = 0;
    this.#values.clear();
  }
}
