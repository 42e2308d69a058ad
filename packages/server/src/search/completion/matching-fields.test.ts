import { expect, test } from 'vitest';
import { matchingFields } from './matching-fields.ts';

const NAMES = ['user', 'user_id', 'http_user', 'superuser', 'gl2_user', 'level', 'timestamp'];

test('exact, beginning, beginning of a word, anywhere', () => {
  expect(matchingFields('user', NAMES, 10)).toEqual([
    'user',
    'user_id',
    'gl2_user',
    'http_user',
    'superuser',
  ]);
  expect(matchingFields('USER', NAMES, 2)).toEqual(['user', 'user_id']);
});

test('nothing written: all, the internal ones last', () => {
  expect(matchingFields('', NAMES, 10).at(-1)).toBe('gl2_user');
  expect(matchingFields('', NAMES, 10)).toHaveLength(NAMES.length);
});

test('a slip of the pen, if nothing else fits', () => {
  expect(matchingFields('levle', NAMES, 10)).toEqual(['level']);
  expect(matchingFields('lewel', NAMES, 10)).toEqual(['level']);
  expect(matchingFields('timstamp', NAMES, 10)).toEqual(['timestamp']);
  expect(matchingFields('xy', NAMES, 10)).toEqual([]);
});

test('what is too long for a slip of the pen is compared with nothing', () => {
  const long = 'x'.repeat(101);
  expect(matchingFields(`${long}y`, [`${long}z`], 10)).toEqual([]);
});
