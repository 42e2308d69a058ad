/** Columns of the types that Millrace's own tables do not have. */
import { ByteBuffer } from '#storage/clickhouse/byte-buffer.ts';
import type { NativeColumn } from '#storage/clickhouse/native.ts';
import { FixedWidthColumn, Int64Column } from '#storage/clickhouse/native-columns.ts';

const MAX_UINT64 = 2n ** 64n - 1n;

export class UInt8Column extends FixedWidthColumn<number> {
  readonly type = 'UInt8';

  append(value: number): void {
    if ((value & 0xff) !== value) throw new RangeError(`${value} is not a UInt8`);
    this.values.appendByte(value);
    this.rows++;
  }
}

export class UInt16Column extends FixedWidthColumn<number> {
  readonly type = 'UInt16';

  append(value: number): void {
    this.values.reserve(2);
    this.values.bytes.writeUInt16LE(value, this.values.length);
    this.values.length += 2;
    this.rows++;
  }
}

export class UInt32Column extends FixedWidthColumn<number> {
  readonly type = 'UInt32';

  append(value: number): void {
    this.values.reserve(4);
    this.values.bytes.writeUInt32LE(value, this.values.length);
    this.values.length += 4;
    this.rows++;
  }
}

/** Whole numbers, as `number` up to 2^53 or as `bigint`. */
export class UInt64Column extends FixedWidthColumn<number | bigint> {
  readonly type = 'UInt64';

  append(value: number | bigint): void {
    if (typeof value === 'number') {
      if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} is not a UInt64`);
      this.values.appendUInt64(value);
    } else {
      if (value < 0n || value > MAX_UINT64) throw new RangeError(`${value} is not a UInt64`);
      this.values.reserve(8);
      this.values.bytes.writeBigUInt64LE(value, this.values.length);
      this.values.length += 8;
    }
    this.rows++;
  }
}

/** Milliseconds since the epoch. The type is text, since it carries the time zone of the table. */
export class DateTime64Column extends Int64Column {
  override readonly type: string;

  constructor(type = "DateTime64(3, 'UTC')") {
    super();
    this.type = type;
  }
}

/** The columns that others can be made of: what can be appended one value at a time. */
export interface ElementColumn<Value> extends NativeColumn {
  append(value: Value): void;
}

/** Prefix: that of the elements. Values: for every row a u64 with the end of its elements, the elements. */
export class ArrayColumn<Value> implements NativeColumn {
  readonly type: string;
  rows = 0;
  readonly #elements: ElementColumn<Value>;
  readonly #offsets = new ByteBuffer();

  constructor(elements: ElementColumn<Value>) {
    this.#elements = elements;
    this.type = `Array(${elements.type})`;
  }

  append(values: readonly Value[]): void {
    for (const value of values) this.#elements.append(value);
    this.#offsets.appendUInt64(this.#elements.rows);
    this.rows++;
  }

  writePrefix(out: ByteBuffer): void {
    this.#elements.writePrefix(out);
  }

  writeValues(out: ByteBuffer): void {
    out.appendBytes(this.#offsets.bytes, this.#offsets.length);
    this.#elements.writeValues(out);
  }

  clear(): void {
    this.rows = 0;
    this.#offsets.clear();
    this.#elements.clear();
  }
}

/** Values: for every row a byte that is 1 for NULL, then all values, with a stand-in for those. */
export class NullableColumn<Value> implements NativeColumn {
  readonly type: string;
  rows = 0;
  readonly #values: ElementColumn<Value>;
  readonly #standIn: Value;
  readonly #nulls = new ByteBuffer();

  constructor(values: ElementColumn<Value>, standIn: Value) {
    this.#values = values;
    this.#standIn = standIn;
    this.type = `Nullable(${values.type})`;
  }

  append(value: Value | null): void {
    this.#nulls.appendByte(value === null ? 1 : 0);
    this.#values.append(value === null ? this.#standIn : value);
    this.rows++;
  }

  writePrefix(out: ByteBuffer): void {
    this.#values.writePrefix(out);
  }

  writeValues(out: ByteBuffer): void {
    out.appendBytes(this.#nulls.bytes, this.#nulls.length);
    this.#values.writeValues(out);
  }

  clear(): void {
    this.rows = 0;
    this.#nulls.clear();
    this.#values.clear();
  }
}
