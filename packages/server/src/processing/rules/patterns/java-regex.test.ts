import { describe, expect, test } from 'vitest';
import { compileJavaRegex, PatternError } from './java-regex.ts';

describe('characters beyond 16 bits', () => {
  test.each([
    '\\uD83D\\uDE00',
    '\\ud83d\\ude00',
    '[\\uD83D\\uDE00]',
    '[a\\uD83D\\uDE00-\\uD83D\\uDE02]',
    '\\x{1F600}',
  ])('%s is the character', (expression) => {
    expect(compileJavaRegex(`^${expression}$`).regex.test('😀')).toBe(true);
    expect(compileJavaRegex(expression).regex.test('😈')).toBe(false);
  });

  test('halves that belong to no pair stay what they are', () => {
    expect(compileJavaRegex('^\\uD83Dx$').regex.test('\ud83dx')).toBe(true);
    expect(compileJavaRegex('^\\uDE00\\uD83D$').regex.test('\ude00\ud83d')).toBe(true);
    expect(compileJavaRegex('^\\uD83D\\u0041$').regex.test('\ud83dA')).toBe(true);
  });
});

describe('flags', () => {
  test.each(['(?U)\\w', '(?d)a.b', 'a(?iU:b)', '(?x) a'])(
    '%s would mean something else, so it is refused',
    (expression) => {
      expect(() => compileJavaRegex(expression)).toThrow(PatternError);
      expect(() => compileJavaRegex(expression)).toThrow(/the flag "[Udx]" is not supported; use i, m or s/);
    },
  );

  test('those that are off anyway may be switched off', () => {
    expect(compileJavaRegex('(?i-dU)a').regex.test('A')).toBe(true);
  });
});

test.each(['\\cA', '\\X', '\\N{DIGIT ONE}', '\\p{javaLowerCase}', '\\G'])('%s is refused', (expression) => {
  expect(() => compileJavaRegex(expression)).toThrow(PatternError);
});

test('a reference to a group that found nothing matches the empty text', () => {
  expect(compileJavaRegex('^(a)?\\1b$').regex.test('b')).toBe(true);
});
