import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  ArrayColumn,
  DateTime64Column,
  NullableColumn,
  UInt8Column,
  UInt16Column,
  UInt32Column,
  UInt64Column,
} from '#testing/native-columns.ts';
import { ByteBuffer } from './byte-buffer.ts';
import { createNativeBatch, type NativeColumn } from './native.ts';
import {
  BoolColumn,
  Float64Column,
  Int64Column,
  LowCardinalityStringColumn,
  StringColumn,
} from './native-columns.ts';
import { JsonColumn } from './native-json.ts';

/** The bytes of a column, as hex, prefix and values apart. */
function bytesOf(column: NativeColumn): string {
  const out = new ByteBuffer();
  column.writePrefix(out);
  const prefix = out.length;
  column.writeValues(out);
  const hex = (begin: number, end: number) => out.bytes.toString('hex', begin, end);
  return prefix === 0 ? hex(0, out.length) : `${hex(0, prefix)} ${hex(prefix, out.length)}`;
}

function filled<Value, Column extends NativeColumn & { append(value: Value): void }>(
  column: Column,
  values: readonly Value[],
): Column {
  for (const value of values) column.append(value);
  return column;
}

const u64 = (value: number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes.toString('hex');
};

test('simple values are packed, little-endian', () => {
  expect(bytesOf(filled(new UInt8Column(), [1, 255]))).toBe('01ff');
  expect(bytesOf(filled(new BoolColumn(), [true, false]))).toBe('0100');
  expect(bytesOf(filled(new UInt16Column(), [1, 0xfffe]))).toBe('0100feff');
  expect(bytesOf(filled(new UInt32Column(), [1, 0xfffffffe]))).toBe('01000000feffffff');
  expect(bytesOf(filled(new UInt64Column(), [2 ** 32 + 1, 2n ** 64n - 2n]))).toBe(
    '0100000001000000feffffffffffffff',
  );
  expect(bytesOf(filled(new Int64Column(), [-1, -(2 ** 32), -2n]))).toBe(
    'ffffffffffffffff00000000fffffffffeffffffffffffff',
  );
  expect(bytesOf(filled(new DateTime64Column(), [-1, 1000]))).toBe('ffffffffffffffffe803000000000000');
  expect(bytesOf(filled(new Float64Column(), [1]))).toBe('000000000000f03f');
});

test.each([
  ['UInt8', () => new UInt8Column().append(256)],
  ['UInt8', () => new UInt8Column().append(-1)],
  ['UInt16', () => new UInt16Column().append(65536)],
  ['UInt32', () => new UInt32Column().append(2 ** 32)],
  ['UInt64', () => new UInt64Column().append(-1)],
  ['UInt64', () => new UInt64Column().append(0.5)],
  ['UInt64', () => new UInt64Column().append(2n ** 64n)],
  ['Int64', () => new Int64Column().append(2 ** 53)],
  ['Int64', () => new Int64Column().append(2n ** 63n)],
  ['Int64 in JSON', () => new JsonColumn().set('a', -(2n ** 63n) - 1n)],
])('a value that does not fit into %s is refused, not bent', (_, append) => {
  expect(append).toThrow(RangeError);
});

test('strings are preceded by their length in bytes', () => {
  expect(bytesOf(filled(new StringColumn(), ['', 'ab', 'ü']))).toBe('00026162' + '02c3bc');
  expect(bytesOf(filled(new StringColumn(), ['x'.repeat(128)]))).toBe(`8001${'78'.repeat(128)}`);
  // 100 characters, 200 bytes: the length takes a byte more than the number of characters suggests.
  expect(bytesOf(filled(new StringColumn(), ['ü'.repeat(100)]))).toBe(`c801${'c3bc'.repeat(100)}`);
});

/** Any UTF-16 units, halves of pairs among them; mostly ASCII every other time. */
const anyText = fc
  .tuple(fc.constantFrom(0x7f, 0x7ff, 0xffff), fc.array(fc.nat(0xffff), { maxLength: 200 }))
  .map(([limit, units]) => String.fromCharCode(...units.map((unit) => unit & limit)));

test('every string is written as Buffer.from writes it', () => {
  fc.assert(
    fc.property(fc.array(anyText, { maxLength: 5 }), (texts) => {
      const out = new ByteBuffer(1);
      for (const text of texts) out.appendString(text);
      const expected = texts.flatMap((text) => {
        const bytes = Buffer.from(text);
        const { length } = bytes;
        return [Buffer.from(length < 128 ? [length] : [(length & 127) | 128, length >> 7]), bytes];
      });
      expect(out.bytes.subarray(0, out.length).equals(Buffer.concat(expected))).toBe(true);
    }),
  );
});

test('varints of every size', () => {
  const hexOf = (value: number) => {
    const out = new ByteBuffer(1);
    out.appendVarint(value);
    return out.bytes.toString('hex', 0, out.length);
  };
  expect([0, 127, 128, 16383, 16384, 2 ** 32].map(hexOf)).toEqual([
    '00',
    '7f',
    '8001',
    'ff7f',
    '808001',
    '8080808010',
  ]);
});

test('a dictionary: version, flags, keys, indexes', () => {
  const column = filled(new LowCardinalityStringColumn(), ['a', 'b', 'a']);
  expect(bytesOf(column)).toBe(`${u64(1)} ${u64(0x600)}${u64(2)}01610162${u64(3)}000100`);
  const many = filled(
    new LowCardinalityStringColumn(),
    Array.from({ length: 300 }, (_, index) => `k${index}`),
  );
  expect(bytesOf(many)).toContain(`${u64(0x601)}${u64(300)}`);
  expect(bytesOf(many).endsWith('2a012b01')).toBe(true);
});

test('an array: prefix of the elements, ends of the rows, elements', () => {
  const column = filled(new ArrayColumn(new LowCardinalityStringColumn()), [['a', 'a'], [], ['b']]);
  expect(column.type).toBe('Array(LowCardinality(String))');
  expect(bytesOf(column)).toBe(
    `${u64(1)} ${u64(2)}${u64(2)}${u64(3)}${u64(0x600)}${u64(2)}01610162${u64(3)}000001`,
  );
});

test('nullable: a byte per row, then all values', () => {
  const column = filled(new NullableColumn(new UInt8Column(), 0), [7, null]);
  expect(column.type).toBe('Nullable(UInt8)');
  expect(bytesOf(column)).toBe('0001' + '0700');
});

describe('flattened JSON', () => {
  test('paths, their types, and for each path the type of every row and the values', () => {
    const column = new JsonColumn();
    column.set('a', 1);
    column.set('b', 'x');
    column.endRow();
    column.endRow();
    column.set('a', 'y');
    column.endRow();
    const float = '0746' + '6c6f61743634';
    const string = '06' + '537472696e67';
    expect(bytesOf(column)).toBe(
      `${u64(3)}0201610162${u64(3)}02${float}${string}${u64(3)}01${string} ` +
        `000201${'000000000000f03f'}0179${'000101'}0178`,
    );
  });

  test('a name that occurs twice in a row keeps its first value', () => {
    const column = new JsonColumn();
    column.set('a', true);
    column.set('a', false);
    column.endRow();
    expect(bytesOf(column)).toBe(`${u64(3)}010161${u64(3)}0104426f6f6c 0001`);
  });

  test('names of earlier batches are dropped', () => {
    const column = new JsonColumn();
    for (let batch = 0; batch < 3; batch++) {
      column.set(`only ${batch}`, batch);
      column.endRow();
      expect(column.pathCount).toBe(1);
      column.clear();
    }
    column.endRow();
    expect(bytesOf(column)).toBe(`${u64(3)}00 `);
  });

  test('a refused value leaves the column as it was', () => {
    const column = new JsonColumn();
    expect(() => column.set('a', 2n ** 70n)).toThrow(RangeError);
    column.endRow();
    column.set('a', 'fine');
    column.endRow();
    expect(column.pathCount).toBe(1);
  });
});

describe('a batch', () => {
  test('is one block: sizes, then every column with name and type', () => {
    const batch = createNativeBatch({ id: new UInt8Column(), s: new StringColumn() });
    batch.columns.id.append(9);
    batch.columns.s.append('x');
    batch.endRow();
    const name = (text: string) =>
      Buffer.from([text.length]).toString('hex') + Buffer.from(text).toString('hex');
    expect(batch.encode().toString('hex')).toBe(
      `0201${name('id')}${name('UInt8')}09${name('s')}${name('String')}0178`,
    );
  });

  test('that was encoded can be cleared and filled again; the block stays', () => {
    const batch = createNativeBatch({ id: new UInt8Column() });
    batch.columns.id.append(1);
    batch.endRow();
    const first = batch.encode();
    const copy = Buffer.from(first);
    batch.clear();
    batch.columns.id.append(2);
    batch.endRow();
    expect(batch.encode().at(-1)).toBe(2);
    expect(first.equals(copy)).toBe(true);
  });

  test('with a missing value is refused with the name of the column', () => {
    const batch = createNativeBatch({ id: new UInt8Column(), other: new UInt8Column() });
    batch.columns.id.append(1);
    batch.endRow();
    expect(() => batch.encode()).toThrow('column other has 0 values in a batch of 1 rows');
  });
});

test('memory is kept for batches of the same size; that of an exceptional batch is released', () => {
  const out = new ByteBuffer();
  out.appendString('x'.repeat(40 * 2 ** 20));
  const { bytes } = out;
  out.clear();
  expect(out.bytes).toBe(bytes);
  out.appendString('x');
  out.clear();
  expect(out.bytes.length).toBeLessThan(2 ** 20);
  expect(out.length).toBe(0);
});

test('memory of a usual batch outlasts a few small ones, not many', () => {
  const out = new ByteBuffer();
  out.appendString('x'.repeat(4 * 2 ** 20));
  const { bytes } = out;
  const clearSmallOnes = (count: number) => {
    for (let batch = 0; batch < count; batch++) {
      out.appendString('x');
      out.clear();
    }
  };
  out.clear();
  clearSmallOnes(20);
  expect(out.bytes).toBe(bytes);
  out.appendString('x'.repeat(4 * 2 ** 20));
  out.clear();
  clearSmallOnes(20);
  expect(out.bytes).toBe(bytes);
  clearSmallOnes(20);
  expect(out.bytes.length).toBeLessThan(2 ** 20);
});
