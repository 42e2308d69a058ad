import { expect, test } from 'vitest';
import { patternParts } from './dates/parse-date.ts';
import { MAX_REMEMBERED_LENGTH } from './message-limits.ts';
import { javaRegex } from './patterns/regex-cache.ts';
import { knownCidr } from './values/cidrs.ts';

/** Messages may bring arguments, and a thousand long ones would fill the memory. */
test.each<[string, (argument: string) => unknown, string]>([
  ['date patterns', patternParts, '-'],
  ['networks', (argument) => knownCidr(`10.0.0.0/8${argument}`), ' '],
  ['regular expressions', javaRegex, '-'],
])('%s are remembered unless they are long', (_, compile, letter) => {
  const [short, long] = [letter.repeat(7), letter.repeat(MAX_REMEMBERED_LENGTH + 1)];
  expect(compile(short)).toBe(compile(short));
  expect(compile(long)).not.toBe(compile(long));
});
