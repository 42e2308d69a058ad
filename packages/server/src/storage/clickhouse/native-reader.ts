/**
 * Reads blocks in the Native format, limited to what this program writes: for the rare case that single rows of a block
 * must be examined, and for tests. See native.ts and the column classes for the layouts.
 */
export type NativeValue = number | bigint | string | boolean | readonly string[] | NativeFields;
/** The paths that one row has in a JSON column. */
export type NativeFields = ReadonlyMap<string, number | bigint | string | boolean>;

export interface ReadBlock {
  readonly rows: number;
  /** The values of a column by its name. Throws if the block has no such column. */
  column(name: string): readonly NativeValue[];
}

export function readNativeBlock(block: Buffer): ReadBlock {
  const cursor = new Cursor(block);
  const columnCount = cursor.varint();
  const rows = cursor.varint();
  const columns = new Map<string, readonly NativeValue[]>();
  for (let left = columnCount; left > 0; left--) {
    const name = cursor.string();
    const type = cursor.string();
    columns.set(name, rows === 0 ? [] : readColumn(cursor, type, rows));
  }
  return {
    rows,
    column(name) {
      const values = columns.get(name);
      if (values === undefined) throw new Error(`the block has no column ${name}`);
      return values;
    },
  };
}

class Cursor {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  #skip(count: number): number {
    const at = this.#at;
    this.#at += count;
    return at;
  }

  varint(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 0x80) {
      const byte = this.byte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  }

  byte(): number {
    return this.#bytes.readUInt8(this.#skip(1));
  }

  string(): string {
    const length = this.varint();
    const at = this.#skip(length);
    return this.#bytes.toString('utf8', at, at + length);
  }

  uint(width: 1 | 2 | 4): number {
    return this.#bytes.readUIntLE(this.#skip(width), width);
  }

  int32(): number {
    return this.#bytes.readInt32LE(this.#skip(4));
  }

  uint64(): bigint {
    return this.#bytes.readBigUInt64LE(this.#skip(8));
  }

  int64(): bigint {
    return this.#bytes.readBigInt64LE(this.#skip(8));
  }

  float64(): number {
    return this.#bytes.readDoubleLE(this.#skip(8));
  }
}

const SIMPLE: Readonly<Record<string, (cursor: Cursor) => number | bigint | string | boolean>> = {
  UInt8: (cursor) => cursor.uint(1),
  UInt16: (cursor) => cursor.uint(2),
  UInt32: (cursor) => cursor.uint(4),
  Int32: (cursor) => cursor.int32(),
  UInt64: (cursor) => cursor.uint64(),
  Int64: (cursor) => cursor.int64(),
  Float64: (cursor) => cursor.float64(),
  Bool: (cursor) => cursor.byte() === 1,
  String: (cursor) => cursor.string(),
};

function readColumn(cursor: Cursor, type: string, rows: number): readonly NativeValue[] {
  if (type.startsWith('DateTime64(')) return times(rows, () => cursor.int64());
  if (type.startsWith('JSON')) return readFields(cursor, rows);
  if (type === 'LowCardinality(String)') {
    cursor.uint64();
    return readDictionary(cursor, rows);
  }
  if (type === 'Array(LowCardinality(String))') return readArrays(cursor, rows);
  return readSimple(cursor, type, rows);
}

function readSimple(cursor: Cursor, type: string, rows: number): (number | bigint | string | boolean)[] {
  const read = SIMPLE[type];
  if (read === undefined) throw new Error(`columns of type ${type} are not read`);
  return times(rows, () => read(cursor));
}

function readDictionary(cursor: Cursor, rows: number): string[] {
  if (rows === 0) return [];
  const width = ([1, 2, 4] as const)[Number(cursor.uint64() & 0xffn)];
  if (width === undefined) throw new Error('unknown width of dictionary indexes');
  const keys = times(Number(cursor.uint64()), () => cursor.string());
  return times(Number(cursor.uint64()), () => keys[cursor.uint(width)] ?? '');
}

function readArrays(cursor: Cursor, rows: number): readonly (readonly string[])[] {
  cursor.uint64();
  const ends = times(rows, () => Number(cursor.uint64()));
  const elements = readDictionary(cursor, ends.at(-1) ?? 0);
  return ends.map((end, row) => elements.slice(row === 0 ? 0 : ends[row - 1], end));
}

function readFields(cursor: Cursor, rows: number): NativeFields[] {
  cursor.uint64();
  const names = times(cursor.varint(), () => cursor.string());
  const types = names.map(() => {
    cursor.uint64();
    return times(cursor.varint(), () => cursor.string());
  });
  const result = times(rows, () => new Map<string, number | bigint | string | boolean>());
  names.forEach((name, path) => {
    const positions = times(rows, () => cursor.byte());
    (types[path] ?? []).forEach((type, position) => {
      const own = positions.flatMap((each, row) => (each === position ? [row] : []));
      readSimple(cursor, type, own.length).forEach((value, index) => {
        result[own[index] ?? 0]?.set(name, value);
      });
    });
  });
  return result;
}

function times<T>(count: number, make: () => T): T[] {
  return Array.from({ length: count }, make);
}
