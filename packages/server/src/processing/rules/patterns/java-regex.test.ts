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

describe('expressions that are meant to hurt are compiled or refused at once', () => {
  test.each(['(?:^|$)', '(?:(?=a*)|$)', '(?:a*|$)'])('%s many times is not searched for', (part) => {
    expect(compileJavaRegex(`${part.repeat(60)}(?=c)`).groups).toEqual([]);
  });

  const nested = (opening: string, closing: string) => opening.repeat(20_000) + closing.repeat(20_000);

  test.each([
    ['groups', '()'.repeat(20_000), /more than 2000 groups/],
    ['groups inside each other', nested('(', ')'), /more than 2000 groups/],
    ['atomic groups inside each other', nested('(?>', ')'), /more than 2000 groups/],
    ['possessive repetitions', 'a++'.repeat(20_000), /more than 2000 groups/],
    ['classes inside each other', nested('[', ']'), /Maximum call stack/],
  ])('many %s', (_, expression, reason) => {
    expect(() => compileJavaRegex(expression)).toThrow(PatternError);
    expect(() => compileJavaRegex(expression)).toThrow(reason);
  });

  test('many groups that are not numbered', () => {
    expect(compileJavaRegex(nested('(?:', ')')).regex.test('a')).toBe(true);
  });
});

test('groups keep their numbers beside atomic ones', () => {
  const { regex, groups, names } = compileJavaRegex('(?>(a)(?<b>b)++)++(c)');
  const found = regex.exec('ababbc') ?? [];
  expect(groups.map((group) => found[group])).toEqual(['a', 'b', 'c']);
  expect(found[names.get('b') ?? 0]).toBe('b');
});
