import { expect, test } from 'vitest';
import { countOf, formatBytes, formatCount, formatRate, formatShare, formatShort } from './numbers.ts';

test('numbers are grouped by thousands with a space that does not break', () => {
  expect(formatCount(1204332)).toBe('1\u202f204\u202f332');
  expect(formatCount(12)).toBe('12');
  expect(countOf(1, 'message')).toBe('1 message');
  expect(countOf(2000, 'message')).toBe('2\u202f000 messages');
});

test('short forms keep three digits and never say 1000', () => {
  expect(formatShort(999)).toBe('999');
  expect(formatShort(1234)).toBe('1.23\u202fk');
  expect(formatShort(999_999)).toBe('1\u202fM');
  expect(formatBytes(412_000_000)).toBe('412\u202fMB');
  expect(formatRate(0)).toBe('0/s');
  expect(formatRate(0.2)).toBe('<1/s');
  expect(formatRate(12_400)).toBe('12.4\u202fk/s');
});

test('a share that is not nothing is not shown as nothing', () => {
  expect(formatShare(0)).toBe('0 %');
  expect(formatShare(0.0001)).toBe('<0.1 %');
  expect(formatShare(0.0412)).toBe('4.1 %');
  expect(formatShare(0.31)).toBe('31 %');
});
