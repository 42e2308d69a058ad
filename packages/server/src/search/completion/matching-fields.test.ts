import { expect, test } from 'vitest';
import { matchingFields } from './matching-fields.ts';

const NAMES = ['user', 'user_id', 'http_user', 'superuser', 'gl2_user', 'level', 'timestamp'];

test('exact match, then prefix, prefix of a word, anywhere', () => {
  expect(matchingFields('user', NAMES, 10)).toEqual([
    'user',
    'user_id',
    'gl2_user',
    'http_user',
    'superuser',
  ]);
  expect(matchingFields('USER', NAMES, 2)).toEqual(['user', 'user_id']);
});

test('an empty input matches all, internal fields last', () => {
  expect(matchingFields('', NAMES, 10).at(-1)).toBe('gl2_user');
  expect(matchingFields('', NAMES, 10)).toHaveLength(NAMES.length);
});

test('a name with a typing error, if nothing else matches', () => {
  expect(matchingFields('levle', NAMES, 10)).toEqual(['level']);
  expect(matchingFields('lewel', NAMES, 10)).toEqual(['level']);
  expect(matchingFields('timstamp', NAMES, 10)).toEqual(['timestamp']);
  expect(matchingFields('xy', NAMES, 10)).toEqual([]);
});

test('a long input is not compared', () => {
  const long = 'x'.repeat(101);
  expect(matchingFields(`${long}y`, [`${long}z`], 10)).toEqual([]);
});
