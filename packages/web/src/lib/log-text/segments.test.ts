import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { textSegments } from './segments.ts';

const joined = (text: string, options = {}) =>
  textSegments(text, options)
    .map((segment) => segment.text)
    .join('');

test('plain text is itself', () => {
  expect(textSegments('a <b> & "c"')).toEqual([{ text: 'a <b> & "c"' }]);
  expect(textSegments('')).toEqual([]);
  expect(textSegments('a\n\tb')).toEqual([{ text: 'a' }, { text: '\n' }, { text: '\t' }, { text: 'b' }]);
});

test('no text is lost and nothing that hides or reorders gets through', () => {
  const nasty = fc.string({
    unit: fc.constantFrom(
      'a',
      ' ',
      '\u001b',
      '[',
      '3',
      '1',
      'm',
      '\u202e',
      '\u0000',
      '\n',
      'http://x',
      '<',
      '\u200b',
    ),
    maxLength: 40,
  });
  fc.assert(
    fc.property(nasty, fc.array(fc.record({ start: fc.nat(40), length: fc.nat(9) })), (text, marks) => {
      const segments = textSegments(text, { marks });
      // biome-ignore lint/suspicious/noControlCharactersInRegex: that is the point
      expect(joined(text, { marks })).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202e\u200b]/);
      const plain = segments.filter(({ signFor }) => signFor === undefined).map((segment) => segment.text);
      const expected = text
        // biome-ignore lint/suspicious/noControlCharactersInRegex: that is the point
        .replace(/\u001b\[[\d;]*m/g, '')
        // biome-ignore lint/suspicious/noControlCharactersInRegex: that is the point
        .replace(/[\u0000\u001b\u202e\u200b]/g, '');
      expect(plain.join('')).toBe(expected);
    }),
    { numRuns: 2000 },
  );
});

describe('what cannot be shown has a sign', () => {
  test.each([
    ['\u0000', '␀', 'U+0000'],
    ['\u007f', '␡', 'U+007F'],
    ['\u0085', '‹U+0085›', 'U+0085'],
    ['\u202e', '‹U+202E›', 'U+202E'],
  ])('%j is %s', (character, text, signFor) => {
    expect(textSegments(`a${character}b`)).toEqual([{ text: 'a' }, { text, signFor }, { text: 'b' }]);
  });
  test('a line break too, in a row of one line', () => {
    expect(joined('a\nb', { isOneLine: true })).toBe('a⏎b');
  });
});

test('colours of a terminal become styles', () => {
  expect(textSegments('\u001b[1;31mbad\u001b[0m ok \u001b[38;5;200mx\u001b[92my')).toEqual([
    { text: 'bad', style: { isBold: true, color: 1 } },
    { text: ' ok ' },
    { text: 'x' },
    { text: 'y', style: { color: 2 } },
  ]);
});

test('only http links are links, without the punctuation after them', () => {
  expect(textSegments('see https://a.example/x?y=1. or javascript:alert(1)')).toEqual([
    { text: 'see ' },
    { text: 'https://a.example/x?y=1', href: 'https://a.example/x?y=1' },
    { text: '.' },
    { text: ' or javascript:alert(1)' },
  ]);
});

test('what was found is marked, also across parts', () => {
  expect(
    textSegments('abcdef', {
      marks: [
        { start: 4, length: 9 },
        { start: 1, length: 2 },
      ],
    }),
  ).toEqual([{ text: 'a' }, { text: 'bc', isMarked: true }, { text: 'd' }, { text: 'ef', isMarked: true }]);
  expect(textSegments('abcdef', { limit: 2 })).toEqual([{ text: 'ab' }]);
});
