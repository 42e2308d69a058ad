import { expect, test } from 'vitest';
import { InvalidConfiguration } from '#core/index.ts';
import { numeric } from './numeric.ts';

function converted(text: string): unknown {
  const conversion = numeric.create({ grokPatterns: new Map() }, {});
  if (conversion instanceof InvalidConfiguration || conversion.kind !== 'value') throw new Error('not valid');
  return conversion.convert(text, 0);
}

test.each([
  ['a whole number', '42', 42],
  ['one with a sign', '-42', -42],
  ['a fraction', '4.5', 4.5],
  ['a power of ten', '1e3', 1000],
  ['the largest long', '9223372036854775807', 9_223_372_036_854_775_807n],
  ['no number', 'twelve', 'twelve'],
  ['an empty text', '', ''],
  ['what no number can hold', '1e400', '1e400'],
  ['the same below zero', '-1e400', '-1e400'],
])('numeric: %s', (_, text, expected) => {
  expect(converted(text)).toEqual(expected);
});
