import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { regexLiterals } from './regex-literals.ts';
import { compileRegex } from './regexes.ts';
import { foldCase, wordsOf } from './words.ts';

describe('the words of every match', () => {
  test.each([
    // Words that begin or end with the expression may go on.
    ['timeout', []],
    ['connection to (.*) refused by peer', ['refused']],
    ['the quick fox', ['quick']],
    ['^Connection refused$', ['connection', 'refused']],
    ['\\AConnection refused\\z', ['connection', 'refused']],
    ['[ :]error=\\d', ['error']],
    ['\\serror\\s', ['error']],
    ['/api/orders/', ['orders', 'api']],
    ['\\/api\\/orders\\/', ['orders', 'api']],
    ['user_name:', ['name']],
    ['(?P<at>-at-)(?:-least-)', ['least']],
    // Case does not matter to the index, but to `s`.
    ['-TimeOut-', ['timeout']],
    ['(?i)-Timeout-refused-', ['timeout']],
    // What is repeated, optional or one of several.
    ['-error+-', []],
    ['-error()+s-', []],
    ['-errors?-', []],
    ['-(error)?-', []],
    ['-(error){0,2}-', []],
    ['-(-error-)+', ['error']],
    ['-(-error-){2}', ['error']],
    [' {2}error *', []],
    [' {2}error +', ['error']],
    ['-error-|-warning-', []],
    ['-lost-(-error-|-warning-)', ['lost']],
    // What may be a letter.
    ['-error.-', []],
    ['-error\\d-', []],
    ['-error\\W', []],
    ['\\berror\\b', []],
    ['[ -~]error[^a-z]', []],
    ['[]a-]error-', []],
    ['-ï-ältere-error-', ['error']],
    // No more than a few, the longest, and none that is in every other text.
    ['-a-to-one-three-fourth-of-seventeen-and-twenty-', ['seventeen', 'fourth', 'twenty', 'three']],
    // What is not understood.
    ['-error-\\x41', []],
    ['-error-\\pL', []],
    ['\\Q-error-\\E', []],
    ['-error-(?i:x)', []],
  ])('%s: %j', (source, words) => {
    expect(regexLiterals(source).words).toEqual(words);
  });
});

test.each([
  ['products\\/\\d+ 503', 'products/'],
  ['OK|no', ''],
  ['a+bc', 'bc'],
  ['x*', ''],
  ['', ''],
])('the longest text of %s is %j', (source, longest) => {
  expect(regexLiterals(source).longestText).toBe(longest);
});

/** A regular expression and a text that it matches, most of the time. */
interface Example {
  readonly source: string;
  readonly text: string;
}

const item = (source: string, ...texts: string[]) =>
  fc.constantFrom(...(texts.length === 0 ? [source] : texts)).map((text): Example => ({ source, text }));
const literal = fc.oneof(
  ...['error', 'Lost', 'kit', 'x9', '4217', 'é', 'İ', 'Σ', '-', ' ', '_', '/', ':'].map((each) => item(each)),
  item('\\.', '.'),
  item('\\/', '/'),
  item('\\n', '\n'),
);
const oneOf = fc.oneof(
  item('.', 'a', ' ', 'é', '9'),
  item('\\d', '4'),
  item('\\w', 'a', '_'),
  item('\\s', ' ', '\t'),
  item('\\W', 'é', '-'),
  item('[a-c]', 'b'),
  item('[ :]', ' ', ':'),
  item('[\\s,]', ','),
  item('[^ ]', 'z', '-'),
  item('[]x]', ']', 'x'),
  item('[[:alpha:]]', 'q'),
  item('^', ''),
  item('$', ''),
  item('\\b', ''),
);
const quantified = (inner: fc.Arbitrary<Example>) =>
  fc.oneof(
    { weight: 8, arbitrary: inner },
    fc
      .tuple(
        inner,
        fc.constantFrom(
          ...([
            ['*', 0],
            ['*?', 2],
            ['+', 2],
            ['+?', 1],
            ['?', 0],
            ['{0,1}', 0],
            ['{1,2}', 2],
            ['{2}', 2],
          ] as const),
        ),
      )
      .map(([{ source, text }, [quantifier, times]]) => ({
        source: `${source.length > 1 && !/^[\\[(]/.test(source) ? `(?:${source})` : source}${quantifier}`,
        text: text.repeat(times),
      })),
  );
const joined = (parts: readonly Example[]): Example => ({
  source: parts.map(({ source }) => source).join(''),
  text: parts.map(({ text }) => text).join(''),
});
const { expression } = fc.letrec<{ expression: Example; group: Example }>((tie) => ({
  expression: fc
    .array(
      quantified(fc.oneof({ weight: 8, arbitrary: literal }, { weight: 3, arbitrary: oneOf }, tie('group'))),
      { minLength: 1, maxLength: 8 },
    )
    .map(joined),
  group: fc
    .tuple(
      fc.constantFrom('(', '(?:', '(?P<name>'),
      fc.array(tie('expression'), { minLength: 1, maxLength: 2 }),
    )
    .map(([open, choices]) => ({
      source: `${open}${choices.map(({ source }) => source).join('|')})`,
      text: choices.at(-1)?.text ?? '',
    })),
}));
/** What stands beside a match. */
const beside = fc.constantFrom('', 'x', 'é', ' ', '9', '\n');
/** Other cases of the same letters. */
const recased = fc.constantFrom(
  (text: string) => text,
  (text: string) => text.toUpperCase(),
  (text: string) => text.replaceAll(/s/gi, 'ſ').replaceAll(/k/gi, '\u212a'),
);

/** It is folded by its neighbours. */
const sigma = (folded: string) => folded.replaceAll('ς', 'σ');

test('whatever matches contains them', () => {
  let matches = 0;
  const flags = fc.constantFrom('', '', '(?i)', '(?s)', '(?m)', '(?is)');
  fc.assert(
    fc.property(flags, expression, beside, beside, recased, (flag, example, before, after, recase) => {
      const source = flag + example.source;
      const text = `${before}${recase(example.text)}${after}`;
      if (compileRegex(source)?.test(text) !== true) return;
      const { words, longestText } = regexLiterals(source);
      if (words.length > 0) matches += 1;
      const folded = foldCase(text);
      expect(wordsOf(folded)).toEqual(expect.arrayContaining([...words]));
      if (!flag.includes('i')) expect(sigma(folded)).toContain(sigma(longestText));
    }),
    { numRuns: 5000 },
  );
  // Otherwise it has tested nothing.
  expect(matches).toBeGreaterThan(100);
});

test('any text is read to its end', () => {
  fc.assert(
    fc.property(fc.string(), (source) => {
      expect(regexLiterals(source).words.length).toBeLessThanOrEqual(4);
    }),
  );
});
