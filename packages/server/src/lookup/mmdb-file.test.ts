import { describe, expect, test } from 'vitest';
import { Encoded, testMmdb, uint } from '#testing/mmdb.ts';
import { openMmdbFile } from './mmdb-file.ts';

/** Arrays of eight pointers to the next array, from this offset of the data on: 8 ** levels values. */
function bomb(levels: number, at = 0): Buffer {
  const each = 2 + 8 * 2;
  return Buffer.concat([
    ...Array.from({ length: levels }, (_, level) => {
      const target = at + (level + 1) * each;
      const pointer = Buffer.from([(1 << 5) | (target >> 8), target & 0xff]);
      return Buffer.concat([Buffer.from([8, 4]), ...Array.from({ length: 8 }, () => pointer)]);
    }),
    Buffer.from([0x40]),
  ]);
}

const MARKER = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');

describe('a file in the MaxMind DB format', () => {
  test('answers for addresses of both families', () => {
    const file = openMmdbFile(testMmdb({ a: 'text', list: ['x', { b: 1.5 }] }, { ip_version: uint(5, 6) }));
    expect(file.get('ff::1')).toBeNull();
    expect(file.get('8000::1')).toEqual({ a: 'text', list: ['x', { b: 1.5 }] });
    // IPv4 addresses are below ::/96 there, of which this file knows nothing.
    expect(file.get('200.1.1.1')).toBeNull();
    expect(file.get('::ffff:200.1.1.1')).toBeNull();
  });

  test('of IPv4 addresses knows nothing of IPv6 addresses that begin with the same bits', () => {
    const file = openMmdbFile(testMmdb({ a: 'text' }));
    expect(file.get('200.1.1.1')).toEqual({ a: 'text' });
    expect(file.get('1.1.1.1')).toBeNull();
    expect(file.get('8000::1')).toBeNull();
    // The same addresses, as IPv6 sockets write them.
    expect(file.get('::ffff:200.1.1.1')).toEqual({ a: 'text' });
    expect(file.get('::ffff:1.1.1.1')).toBeNull();
  });

  test('whose metadata would never end is refused', () => {
    expect(() => openMmdbFile(Buffer.concat([MARKER, bomb(20)]))).toThrow('more than 10000 values');
    // Each array says that it has 16 million elements.
    const long = Buffer.concat(Array.from({ length: 60 }, () => Buffer.from([0x1f, 4, 0xff, 0xff, 0xff])));
    expect(() => openMmdbFile(Buffer.concat([MARKER, long]))).toThrow('more than 10000 values');
    // A pointer to itself.
    expect(() => openMmdbFile(Buffer.concat([MARKER, Buffer.from([0x20, 0])]))).toThrow('64 deep');
  });

  test('has records that would never end, and others that work', () => {
    const file = openMmdbFile(testMmdb(new Encoded(bomb(20))));
    expect(() => file.get('200.1.1.1')).toThrow('more than 10000 values');
    expect(() => file.get('200.1.1.1')).toThrow('more than 10000 values');
    expect(file.get('1.1.1.1')).toBeNull();
    const text = Buffer.concat([Buffer.from([0x5f, 0x1f, 0xff, 0xff]), Buffer.alloc(2 ** 21 + 65_821, 'x')]);
    expect(() => openMmdbFile(testMmdb(new Encoded(text))).get('200.1.1.1')).toThrow('bytes of text');
  });

  test('that is cut, empty or something else is refused', () => {
    expect(() => openMmdbFile(Buffer.alloc(0))).toThrow('no metadata');
    expect(() => openMmdbFile(Buffer.from('key,value\n'))).toThrow('no metadata');
    expect(() => openMmdbFile(MARKER)).toThrow('outside of the file');
    expect(() => openMmdbFile(Buffer.concat([MARKER, Buffer.from([0xe0])]))).toThrow('not complete');
    expect(() => openMmdbFile(testMmdb({ a: 'b' }).subarray(-150))).toThrow();
  });
});
