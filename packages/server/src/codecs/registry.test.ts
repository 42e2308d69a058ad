import { expect, test } from 'vitest';
import { gelfCodec } from './format/gelf/codec.ts';
import { CODECS } from './registry.ts';

test('every codec has a number of its own that fits a byte of a journal record; 240 and above are for tests', () => {
  const numbers = CODECS.types.map(({ journalId }) => journalId);
  expect(new Set(numbers).size).toBe(numbers.length);
  for (const number of numbers) {
    expect(number).toBe(number & 0xff);
    expect(number).toBeLessThan(240);
  }
});

test('GELF keeps the number that journals without codecs have', () => {
  expect(CODECS.find('gelf')).toBe(gelfCodec);
  expect(gelfCodec.journalId).toBe(0);
});
