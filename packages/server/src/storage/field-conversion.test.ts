import { expect, test } from 'vitest';
import type { FieldValue } from '#core/index.ts';
import { conversionsOf } from './field-conversion.ts';

test.each<[type: 'string' | 'string_fts' | 'long' | 'double' | 'boolean', FieldValue, FieldValue]>([
  ['string', 5, '5'],
  ['string', true, 'true'],
  ['string', 12345678901234567890n, '12345678901234567890'],
  ['string_fts', 0.5, '0.5'],
  ['long', '42', 42],
  ['long', ' -7 ', -7],
  ['long', '3.9', 3],
  ['long', 3.9, 3],
  ['long', '9007199254740993', 9007199254740993n],
  ['long', 'twelve', 'twelve'],
  ['long', '', ''],
  ['long', '0x10', '0x10'],
  ['long', '1e999', '1e999'],
  ['long', true, true],
  ['double', '1e3', 1000],
  ['double', '.5', 0.5],
  ['double', 'NaN', 'NaN'],
  ['double', '1'.repeat(101), '1'.repeat(101)],
  ['double', 2, 2],
  ['boolean', 'true', true],
  ['boolean', 'false', false],
  ['boolean', 'yes', 'yes'],
  ['boolean', 1, 1],
])('as %s, %s is %s', (type, value, converted) => {
  const [other, conversion] = conversionsOf(['a', 'b'], { b: type }) ?? [];
  expect(other).toBeUndefined();
  expect(conversion?.(value)).toBe(converted);
});

test('nothing is converted without a chosen type', () => {
  expect(conversionsOf(['a', 'toString'], { b: 'long' })).toBeUndefined();
  expect(conversionsOf(['a'], undefined)).toBeUndefined();
});
