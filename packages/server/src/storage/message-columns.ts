/**
 * Columns of the message table that are faster than the general ones because more is known about their values. Numbers
 * are kept in typed arrays, which take a value in a nanosecond or two; all supported platforms are little-endian.
 */
import { ByteBuffer, type NativeColumn } from './clickhouse/index.ts';

const FIRST_CAPACITY = 256;
const TWO_TO_32 = 2 ** 32;

/** Integers of 16 or 32 bits. */
export class SmallNumberColumn implements NativeColumn {
  readonly type: 'UInt16' | 'UInt32' | 'Int32';
  rows = 0;
  #values: Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer>;

  constructor(type: 'UInt16' | 'UInt32' | 'Int32') {
    this.type = type;
    // A negative number has the same bits, signed or unsigned.
    this.#values = type === 'UInt16' ? new Uint16Array(FIRST_CAPACITY) : new Uint32Array(FIRST_CAPACITY);
  }

  append(value: number): void {
    if (this.rows === this.#values.length) this.#grow();
    this.#values[this.rows++] = value;
  }

  appendAll(values: Uint32Array): void {
    while (this.rows + values.length > this.#values.length) this.#grow();
    this.#values.set(values, this.rows);
    this.rows += values.length;
  }

  #grow(): void {
    const capacity = this.#values.length * 2;
    const larger = this.type === 'UInt16' ? new Uint16Array(capacity) : new Uint32Array(capacity);
    larger.set(this.#values);
    this.#values = larger;
  }

  writePrefix(_out: ByteBuffer): void {}

  writeValues(out: ByteBuffer): void {
    out.appendBytes(new Uint8Array(this.#values.buffer, 0, this.rows * this.#values.BYTES_PER_ELEMENT));
  }

  clear(): void {
    this.rows = 0;
  }
}

/** Integers up to 2^53, positive or negative, stored in 64 bits. */
export class LargeNumberColumn implements NativeColumn {
  readonly type: string;
  rows = 0;
  #words = new Uint32Array(FIRST_CAPACITY * 2);

  constructor(type: string) {
    this.type = type;
  }

  append(value: number): void {
    const at = this.rows * 2;
    if (at === this.#words.length) this.#grow();
    this.#words[at] = value;
    this.#words[at + 1] = Math.floor(value / TWO_TO_32);
    this.rows++;
  }

  #grow(): void {
    const larger = new Uint32Array(this.#words.length * 2);
    larger.set(this.#words);
    this.#words = larger;
  }

  writePrefix(_out: ByteBuffer): void {}

  writeValues(out: ByteBuffer): void {
    out.appendBytes(new Uint8Array(this.#words.buffer, 0, this.rows * 8));
  }

  clear(): void {
    this.rows = 0;
  }
}

/** The same number in every row, known only when the block is sent. */
export class SameNumberColumn implements NativeColumn {
  readonly type = 'UInt32';
  rows = 0;
  value = 0;

  writePrefix(_out: ByteBuffer): void {}

  writeValues(out: ByteBuffer): void {
    const values = new Uint32Array(this.rows).fill(this.value);
    out.appendBytes(new Uint8Array(values.buffer));
  }

  clear(): void {
    this.rows = 0;
  }
}

/** Lists of texts. Rows often share a list object, and each object is processed once per block. */
export class SharedListColumn implements NativeColumn {
  readonly type = 'Array(LowCardinality(String))';
  rows = 0;
  readonly #known = new Map<readonly string[], Uint32Array<ArrayBuffer>>();
  readonly #keys = new Map<string, number>();
  #elements = new Uint32Array(FIRST_CAPACITY);
  #count = 0;
  readonly #ends = new LargeNumberColumn('UInt64');
  #lastList: readonly string[] | undefined;
  #lastIndexes = new Uint32Array();

  append(list: readonly string[]): void {
    if (list !== this.#lastList) {
      this.#lastIndexes = this.#known.get(list) ?? this.#learn(list);
      this.#lastList = list;
    }
    const indexes = this.#lastIndexes;
    if (this.#count + indexes.length > this.#elements.length) this.#grow(indexes.length);
    for (let position = 0; position < indexes.length; position++) {
      this.#elements[this.#count++] = indexes[position] ?? 0;
    }
    this.#ends.append(this.#count);
    this.rows++;
  }

  #learn(list: readonly string[]): Uint32Array<ArrayBuffer> {
    const indexes = Uint32Array.from(list, (text) => {
      const known = this.#keys.get(text) ?? this.#keys.size;
      this.#keys.set(text, known);
      return known;
    });
    this.#known.set(list, indexes);
    return indexes;
  }

  #grow(room: number): void {
    const larger = new Uint32Array(this.#elements.length * 2 + room);
    larger.set(this.#elements);
    this.#elements = larger;
  }

  writePrefix(out: ByteBuffer): void {
    out.appendUInt64(LOW_CARDINALITY_VERSION);
  }

  writeValues(out: ByteBuffer): void {
    this.#ends.writeValues(out);
    if (this.#count === 0) return;
    const keys = this.#keys.size;
    const width = keys <= 2 ** 8 ? 0 : keys <= 2 ** 16 ? 1 : 2;
    out.appendUInt64(LOW_CARDINALITY_FLAGS + width);
    out.appendUInt64(keys);
    for (const key of this.#keys.keys()) out.appendString(key);
    out.appendUInt64(this.#count);
    const elements = this.#elements.subarray(0, this.#count);
    const narrowed =
      width === 2 ? elements : width === 1 ? Uint16Array.from(elements) : Uint8Array.from(elements);
    out.appendBytes(new Uint8Array(narrowed.buffer, narrowed.byteOffset, narrowed.byteLength));
  }

  clear(): void {
    this.rows = 0;
    this.#count = 0;
    this.#ends.clear();
    this.#known.clear();
    this.#keys.clear();
    this.#lastList = undefined;
  }
}

/** As in `LowCardinalityStringColumn`, which documents the layout. */
const LOW_CARDINALITY_VERSION = 1;
const LOW_CARDINALITY_FLAGS = 0x600;

/** The same text in every row. */
export class SameTextColumn implements NativeColumn {
  readonly type = 'LowCardinality(String)';
  rows = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  writePrefix(out: ByteBuffer): void {
    out.appendUInt64(LOW_CARDINALITY_VERSION);
  }

  writeValues(out: ByteBuffer): void {
    out.appendUInt64(LOW_CARDINALITY_FLAGS);
    out.appendUInt64(1);
    out.appendString(this.#text);
    out.appendUInt64(this.rows);
    out.appendBytes(new Uint8Array(this.rows));
  }

  clear(): void {
    this.rows = 0;
  }
}

const LENGTH_BYTES = 4;
const MAX_LENGTH = 2 ** (7 * LENGTH_BYTES) - 1;
/** ASCII's unit separator stands between pieces, so that no phrase matches across two of them. */
const PIECE_SEPARATOR = 0x1f;

/**
 * Texts that are assembled from pieces: `begin`, `append` for every piece, `end`. The length precedes the text but is
 * known only after it, so it has a fixed size: a varint of four bytes, the first three always with the continuation bit.
 */
export class JoinedTextColumn implements NativeColumn {
  readonly type = 'String';
  rows = 0;
  readonly #values = new ByteBuffer();
  #start = 0;
  #first = '';
  #isFirstAscii = false;

  get byteLength(): number {
    return this.#values.length;
  }

  /** Whole rows, as this column has them. */
  appendRows(bytes: Uint8Array, rows: number): void {
    this.#values.appendBytes(bytes);
    this.rows += rows;
  }

  /** Starts a row with its first piece and returns the bytes of that piece. */
  begin(text: string): number {
    this.#values.reserve(LENGTH_BYTES);
    this.#start = this.#values.length;
    this.#values.length += LENGTH_BYTES;
    this.#first = text;
    const written = this.#values.appendText(text);
    this.#isFirstAscii = written === text.length;
    return written;
  }

  append(text: string): number {
    this.#values.appendByte(PIECE_SEPARATOR);
    return this.#values.appendText(text);
  }

  /**
   * Appends a piece, unless its words already occur in the first piece of the row, one after the other. Returns whether the
   * piece is certainly ASCII, which whoever writes it again can make use of.
   */
  appendUnlessThere(text: string): boolean {
    const first = this.#first;
    const at = first.indexOf(text);
    if (at >= 0 && !isWordAt(first, at - 1) && !isWordAt(first, at + text.length)) return this.#isFirstAscii;
    return this.append(text) === text.length;
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

/** Whether the text has a character that the index counts as part of a word. */
function isWordAt(text: string, position: number): boolean {
  const code = text.charCodeAt(position);
  return (
    (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code >= 128
  );
}
