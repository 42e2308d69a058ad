import { expect, test } from 'vitest';
import { xxHash32 } from './checksum.ts';

test('the published test vectors of xxHash32', () => {
  const f = (text: string, seed: number, expected: number): void => {
    // At an odd place in a larger buffer: records are not aligned.
    const bytes = Buffer.from(`abc${text}xyz`, 'latin1');
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    expect(xxHash32(view, 3, 3 + text.length, seed).toString(16)).toBe(expected.toString(16));
  };
  f('', 0, 0x02cc5d05);
  f('', 0x9e3779b1, 0x36b78ae7);
  f('a', 0, 0x550d7456);
  f('abc', 0, 0x32d153ff);
  f('Nobody inspects the spammish repetition', 0, 0xe2293b2f);
});
