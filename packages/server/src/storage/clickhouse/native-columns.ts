import { ByteBuffer } from './byte-buffer.ts';
import type { NativeColumn } from './native.ts';

/** Columns of the simple types. See native.ts for how a block is made of them. */

const TWO_TO_32 = 2 ** 32;
const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;

/** Values of a fixed width, packed. */
export abstract class FixedWidthColumn<Value> implements NativeColumn {
  abstract readonly type: string;
  rows = 0;
  protected readonly values = new ByteBuffer();

  abstract append(value: Value): void;

  writePrefix(_out: ByteBuffer): void {}

  writeValues(out: ByteBuffer): void {
    out.appendBytes(this.values.bytes, this.values.length);
  }

  clear(): void {
    this.rows = 0;
    this.values.clear();
  }
}

export class BoolColumn extends FixedWidthColumn<boolean> {
  readonly type = 'Bool';

  append(value: boolean): void {
    this.values.appendByte(value ? 1 : 0);
    this.rows++;
  }

  /** Bytes of 0 and 1. */
  appendAll(values: Uint8Array): void {
    this.values.appendBytes(values);
    this.rows += values.length;
  }
}

/** Whole numbers, as `number` up to 2^53 or as `bigint`. */
export class Int64Column extends FixedWidthColumn<number | bigint> {
  readonly type: string = 'Int64';

  append(value: number | bigint): void {
    const values = this.values;
    values.reserve(8);
    if (typeof value === 'number') {
      if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is not an Int64`);
      values.bytes.writeUInt32LE(value >>> 0, values.length);
      values.bytes.writeInt32LE(Math.floor(value / TWO_TO_32), values.length + 4);
    } else {
      if (value < MIN_INT64 || value > MAX_INT64) throw new RangeError(`${value} is not an Int64`);
      values.bytes.writeBigInt64LE(value, values.length);
    }
    values.length += 8;
    this.rows++;
  }
}

export class Float64Column implements NativeColumn {
  readonly type = 'Float64';
  rows = 0;
  /** All supported platforms are little-endian, as the format is. */
  #values = new Float64Array(16);

  append(value: number): void {
    if (this.rows === this.#values.length) this.#grow();
    this.#values[this.rows++] = value;
  }

  appendAll(values: Float64Array): void {
    while (this.rows + values.length > this.#values.length) this.#grow();
    this.#values.set(values, this.rows);
    this.rows += values.length;
  }

  #grow(): void {
    const larger = new Float64Array(this.#values.length * 2);
    larger.set(this.#values);
    this.#values = larger;
  }

  writePrefix(_out: ByteBuffer): void {}

  writeValues(out: ByteBuffer): void {
    out.appendBytes(new Uint8Array(this.#values.buffer, 0, this.rows * 8));
  }

  clear(): void {
    this.rows = 0;
  }
}

/** Strings, each preceded by its length. */
export class StringColumn implements NativeColumn {
  readonly type = 'String';
  rows = 0;
  readonly #values = new ByteBuffer();

  append(value: string): void {
    this.#values.appendString(value);
    this.rows++;
  }

  appendAscii(value: string): void {
    this.#values.appendAsciiString(value);
    this.rows++;
  }

  /** Strings with their lengths before them, as this column has them. */
  appendAll(bytes: Uint8Array, rows: number): void {
    this.#values.appendBytes(bytes);
    this.rows += rows;
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

/** Version of the `LowCardinality` serialization: dictionaries travel with the block. */
const LOW_CARDINALITY_VERSION = 1;
/** The block has its own keys (bit 9), and they replace any earlier dictionary (bit 10). */
const LOW_CARDINALITY_FLAGS = 0x600;

/**
 * Strings that repeat. Prefix: u64 version. Values: u64 flags with the width of an index in the low byte
 * (0, 1, 2 for 1, 2, 4 bytes), u64 number of keys, the keys as strings, u64 number of rows, the indexes.
 */
export class LowCardinalityStringColumn implements NativeColumn {
  readonly type = 'LowCardinality(String)';
  rows = 0;
  readonly #keys = new Map<string, number>();
  readonly #keyBytes = new ByteBuffer();
  #indexes = new Uint32Array(256);
  #lastKey: string | undefined;
  #lastIndex = 0;

  append(value: string): void {
    if (value !== this.#lastKey) this.#look(value);
    if (this.rows === this.#indexes.length) this.#indexes = grown(this.#indexes);
    this.#indexes[this.rows++] = this.#lastIndex;
  }

  #look(value: string): void {
    let index = this.#keys.get(value);
    if (index === undefined) {
      index = this.#keys.size;
      this.#keys.set(value, index);
      this.#keyBytes.appendString(value);
    }
    this.#lastKey = value;
    this.#lastIndex = index;
  }

  writePrefix(out: ByteBuffer): void {
    out.appendUInt64(LOW_CARDINALITY_VERSION);
  }

  writeValues(out: ByteBuffer): void {
    if (this.rows === 0) return;
    const keys = this.#keys.size;
    const width = keys <= 2 ** 8 ? 0 : keys <= 2 ** 16 ? 1 : 2;
    out.appendUInt64(LOW_CARDINALITY_FLAGS + width);
    out.appendUInt64(keys);
    out.appendBytes(this.#keyBytes.bytes, this.#keyBytes.length);
    out.appendUInt64(this.rows);
    this.#writeIndexes(out, 2 ** width);
  }

  #writeIndexes(out: ByteBuffer, width: number): void {
    out.reserve(this.rows * width);
    const { bytes } = out;
    let position = out.length;
    for (let row = 0; row < this.rows; row++) {
      const index = this.#indexes[row] ?? 0;
      bytes[position++] = index;
      if (width > 1) bytes[position++] = index >>> 8;
      if (width > 2) {
        bytes[position++] = index >>> 16;
        bytes[position++] = index >>> 24;
      }
    }
    out.length = position;
  }

  clear(): void {
    this.rows = 0;
    this.#keys.clear();
    this.#keyBytes.clear();
    this.#lastKey = undefined;
  }
}

function grown(array: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(array.length * 2);
  larger.set(array);
  return larger;
}
