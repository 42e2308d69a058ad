import { RE2JS } from 're2js';
import { describe, expect, test } from 'vitest';
import { charactersOf, fuzzyAlphabet, fuzzyPieces, fuzzyTest } from './fuzzy.ts';
import { integerBound, numberRangeTest, parseNumber, type QueryNumber, valueText } from './numbers.ts';
import { regexScope } from './regexes.ts';
import { compareTexts } from './value-tests.ts';
import { createWildcard, likePattern } from './wildcards.ts';
import { hasPhrase, hasSloppyPhrase, phrasePattern, wordsOf } from './words.ts';

describe('words', () => {
  test.each([
    ['', []],
    ['a-b_c', ['a', 'b', 'c']],
    ['über\u001f東京 🚀x', ['über', '東京', '🚀x']],
    ['1.2.3', ['1', '2', '3']],
  ])('%s', (text, words) => expect(wordsOf(text)).toEqual(words));

  test('hasPhrase and phrasePattern agree', () => {
    const texts = [
      'a b',
      'a-b',
      'xa b',
      'a bx',
      'a\u001fb',
      'a a b',
      'ab',
      'a  ..  b c',
      'a',
      'a éb',
      'a b é',
    ];
    for (const words of [['a'], ['a', 'b'], ['b'], ['a', 'a', 'b']]) {
      const pattern = RE2JS.compile(phrasePattern(words));
      for (const text of texts) {
        expect([words, text, hasPhrase(text, words)]).toEqual([words, text, pattern.test(text)]);
      }
    }
  });

  test('slop counts distance and swapped words as Lucene does', () => {
    expect(hasSloppyPhrase('a x b', ['a', 'b'], 1)).toBe(true);
    expect(hasSloppyPhrase('a x y b', ['a', 'b'], 1)).toBe(false);
    expect(hasSloppyPhrase('b a', ['a', 'b'], 1)).toBe(false);
    expect(hasSloppyPhrase('b a', ['a', 'b'], 2)).toBe(true);
    expect(hasSloppyPhrase('a\u001fb', ['a', 'b'], 9)).toBe(false);
  });
});

describe('numbers', () => {
  test.each([
    ['42', { float: 42, integer: 42n }],
    ['-1.5e3', { float: -1500, integer: -1500n }],
    ['0.5', { float: 0.5, integer: undefined }],
    ['9007199254740993', { float: 9007199254740992, integer: 9007199254740993n }],
    ['99999999999999999999', { float: 1e20, integer: undefined }],
    ['1e400', undefined],
    ['0x10', undefined],
    ['1,5', undefined],
    ['', undefined],
  ])('%s', (text, number) => expect(parseNumber(text)).toEqual(number));

  test('bounds of integers become inclusive', () => {
    const at = (text: string, inclusive: boolean) => ({
      number: parseNumber(text) as QueryNumber,
      inclusive,
    });
    expect(integerBound(at('1.5', true), 'lower')).toBe(2n);
    expect(integerBound(at('1.5', false), 'upper')).toBe(1n);
    expect(integerBound(at('2', false), 'lower')).toBe(3n);
    expect(integerBound(at('9223372036854775807', false), 'lower')).toBeNull();
    expect(integerBound(at('1e30', true), 'upper')).toBeUndefined();
    const isBig = numberRangeTest(at('9007199254740992', false), undefined);
    expect([isBig(9007199254740993n), isBig(5n), isBig(1e300), isBig(9007199254740992)]).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });

  test('numbers are written as the engine writes them', () => {
    expect([1e21, -0, 1e-7, 0.1, 2n ** 60n, true].map(valueText)).toEqual([
      '1e21',
      '0',
      '1e-7',
      '0.1',
      '1152921504606846976',
      'true',
    ]);
  });
});

test('texts are ordered by code point, as in UTF-8', () => {
  const texts = ['', 'a', 'ab', 'b', 'é', '\uffff', '🚀', '🚁', '🚀a'];
  for (const a of texts) {
    for (const b of texts) {
      expect([a, b, Math.sign(compareTexts(a, b))]).toEqual([
        a,
        b,
        Buffer.compare(Buffer.from(a), Buffer.from(b)),
      ]);
    }
  }
});

describe('fuzzy', () => {
  test.each([
    ['abc', 'abc', 0],
    ['abc', 'acb', 1],
    ['abc', 'ab', 1],
    ['abc', 'xabc', 1],
    ['ca', 'abc', 3],
    ['über', 'uber', 1],
    ['🚀🚀', '🚀', 1],
    ['', 'ab', 2],
  ])('%s and %s', (a, b, distance) => {
    for (let allowed = 1; allowed <= 2; allowed++) {
      expect(fuzzyTest(a, allowed)(b)).toBe(distance <= allowed);
      expect(fuzzyTest(b, allowed)(a)).toBe(distance <= allowed);
    }
  });

  test('every distinct character has its own byte', () => {
    const alphabet = fuzzyAlphabet('naïve-🚀');
    expect(alphabet?.encoded.length).toBe(7);
    expect(new Set(alphabet?.encoded).size).toBe(7);
    expect(alphabet?.from).toBe('ï🚀');
    const many = Array.from({ length: 130 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join('');
    expect(fuzzyAlphabet(many)).toBeUndefined();
  });

  test('every word within the distance contains one of the pieces', () => {
    const word = 'connection';
    for (let at = 0; at < word.length; at++) {
      const characters = charactersOf(word);
      const exchanged = [...characters];
      [exchanged[at], exchanged[at + 1]] = [exchanged[at + 1] ?? '', exchanged[at] ?? ''];
      for (const near of [characters.toSpliced(at, 1), characters.toSpliced(at, 0, 'x'), exchanged]) {
        expect(fuzzyPieces(word, 1).some((piece) => near.join('').includes(piece))).toBe(true);
      }
    }
    expect(fuzzyPieces('short', 1)).toEqual([]);
  });
});

test('wildcards escape the special characters of LIKE and list their complete words', () => {
  const wildcard = createWildcard([
    { type: 'text', text: 'Foo-100%_\\' },
    { type: 'any' },
    { type: 'any' },
    { type: 'text', text: 'bar baz' },
    { type: 'one' },
  ]);
  expect(likePattern(wildcard)).toBe('foo-100\\%\\_\\\\%bar baz_');
  expect(wildcard.words).toEqual(['foo', '100']);
});

describe('the scope of a regular expression', () => {
  test.each([
    ['a.b', 'a[^\u001f]b'],
    ['a\\.b', 'a\\.b'],
    ['[^x]+\\S\\W', '[^\u001fx]+[^\t\n\f\r \u001f][^0-9A-Za-z_\u001f]'],
    ['[.a]\\d{3}', '[.a]\\d{3}'],
    ['(?i)a|b', '(?i)a|b'],
  ])('%s: in all texts at once', (source, rewritten) => {
    expect(regexScope(source)).toEqual({ type: 'joined', source: rewritten });
  });
  test.each(['\\x1f', '[\\x00-z]', '[[:^alpha:]]', '[^-a]', '[^]a]', '(?-s).', '\\pL', '[\\W]', '\\037'])(
    '%s: in each piece',
    (source) => expect(regexScope(source)).toEqual({ type: 'pieces' }),
  );
  test.each(['^a', 'a$', '\\ba', 'a\\B', '\\Aa', 'a\\z', '[a]$', '\\[^a', '(^|x)', '\\Q^\\E'])(
    '%s: in each value',
    (source) => expect(regexScope(source)).toEqual({ type: 'values' }),
  );
});
