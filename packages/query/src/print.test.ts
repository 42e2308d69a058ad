import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { QueryNode, RangeEnd, ValueMatch, WildcardPart } from './ast.ts';
import { allOf, anyOf, explainQuery, negated, parseQuery, printQuery } from './index.ts';
import { checkRegex } from './regex.ts';

/** Letters, all special characters, operators as words, and arbitrary Unicode. */
const text = fc.oneof(
  fc
    .array(fc.constantFrom(...'ab1. \t\\"\':/()[]{}^~*?+-!&|<>=@_#%$,;\n\u3000é🙂\u200b'), {
      minLength: 1,
      maxLength: 8,
    })
    .map((characters) => characters.join('')),
  fc.constantFrom(
    'AND',
    'OR',
    'NOT',
    'TO',
    'and',
    'Or',
    'not',
    'to',
    '&&',
    '||',
    '*',
    '_exists_',
    '12:30',
    'DOMAIN\\user',
  ),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }),
);
const at = { from: 0, to: 0 };
const end = fc.record({ text, inclusive: fc.boolean() });

function pattern(parts: readonly WildcardPart[]): ValueMatch | undefined {
  const merged = parts.filter((part, index) => part.type === 'one' || part.type !== parts[index - 1]?.type);
  if (merged.every(({ type }) => type === 'any') || merged.every(({ type }) => type === 'text'))
    return undefined;
  return { type: 'wildcard', pattern: merged };
}

const wildcardPart: fc.Arbitrary<WildcardPart> = fc.oneof(
  text.map((value) => ({ type: 'text', text: value }) as const),
  fc.constant({ type: 'any' } as const),
  fc.constant({ type: 'one' } as const),
);
const wildcard = fc
  .array(wildcardPart, { minLength: 1, maxLength: 5 })
  .map(pattern)
  .filter((match) => match !== undefined);

const isBlank = (value: string) => value.trim() === '';
const bareMatch: fc.Arbitrary<ValueMatch> = fc.oneof(
  text.map((value) => ({ type: 'term', text: value }) as const),
  fc.record({
    type: fc.constant('phrase' as const),
    text: text.filter((value) => !isBlank(value)),
    slop: fc.constantFrom(0, 1, 5),
  }),
  fc.record({
    type: fc.constant('fuzzy' as const),
    text,
    distance: fc.constantFrom(0 as const, 1 as const, 2 as const),
  }),
  wildcard,
  fc
    .constantFrom('a', 'a/b', '^/api/[^/]+$', '\\d{2,3}', '(?i)x|y z', 'a\\\\/b', '[/"]', '\\.')
    .map((source) => ({ type: 'regex', source }) as const),
);
const range: fc.Arbitrary<ValueMatch> = fc
  .record({ lower: fc.option(end, { nil: undefined }), upper: fc.option(end, { nil: undefined }) })
  .filter(({ lower, upper }) => (lower ?? upper) !== undefined && !isBackwards(lower, upper))
  .map((ends) => ({ type: 'range', ...ends }) as const);

/** These cause warnings, which this test does not cover. */
function isBackwards(lower: RangeEnd | undefined, upper: RangeEnd | undefined): boolean {
  return lower !== undefined && upper !== undefined && Number(lower.text) > Number(upper.text);
}

const field = text.filter((name) => name !== '_exists_' && name !== '_missing_' && !/^\d+$/.test(name));
const leaf: fc.Arbitrary<QueryNode> = fc.oneof(
  bareMatch.map((match) => ({ type: 'match', field: undefined, match, at }) as const),
  fc.record({
    type: fc.constant('match' as const),
    field,
    match: fc.oneof(bareMatch, range, fc.constant({ type: 'phrase', text: '', slop: 0 } as const)),
    at: fc.constant(at),
  }),
  fc.record({
    type: fc.constant('some-field' as const),
    pattern: wildcard.map((each) => (each.type === 'wildcard' ? each.pattern : [])),
    match: fc.option(fc.oneof(bareMatch, range), { nil: undefined }),
    at: fc.constant(at),
  }),
  text.map((name) => ({ type: 'exists', field: name, at }) as const),
);
const { query } = fc.letrec<{ query: QueryNode }>((tie) => ({
  query: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('query'), { minLength: 1, maxLength: 3 }).map(allOf),
    fc.array(tie('query'), { minLength: 1, maxLength: 3 }).map(anyOf),
    tie('query').map(negated),
  ),
}));

/** Without positions, which differ. */
function withoutPlaces(node: QueryNode | undefined): unknown {
  return JSON.parse(JSON.stringify(node ?? null, (key, value) => (key === 'at' ? undefined : value)));
}

test('a printed query parses to the same query, without warnings', () => {
  fc.assert(
    fc.property(query, (node) => {
      const printed = printQuery(node);
      const { query: again, problems } = parseQuery(printed);
      expect(
        problems.filter(({ severity }) => severity === 'error'),
        printed,
      ).toEqual([]);
      expect(withoutPlaces(again), printed).toEqual(withoutPlaces(node));
      expect(printQuery(again as QueryNode)).toBe(printed);
    }),
    { numRuns: 3000 },
  );
});

test('every query can be explained', () => {
  fc.assert(
    fc.property(query, (node) => {
      expect(explainQuery(node)).toMatch(/^(All messages|Messages .+)\.$/s);
    }),
  );
});

const EXPLANATIONS: readonly (readonly [string, string])[] = [
  ['_exists_:f_*', 'Messages that have a field like f_*.'],
  ['a AND NOT _exists_:f_*', 'Messages that contain “a” and that do not have a field like f_*.'],
  ['nu*:25', 'Messages whose nu* is “25”.'],
  ['*', 'All messages.'],
  ['timeout', 'Messages that contain “timeout”.'],
  [
    '"connection refused" AND level:<=3',
    'Messages that contain “connection refused” and whose level is at most 3.',
  ],
  ['a b', 'Messages that contain “a” or that contain “b”.'],
  [
    '(a OR b) AND NOT source:web*',
    'Messages (that contain “a” or that contain “b”) but not those whose source contains a word like “web*”.',
  ],
  ['NOT _exists_:user', 'Messages that do not have the field user.'],
  ['a NOT _exists_:user', 'Messages that contain “a” and that do not have the field user.'],
  ['-a -b', 'Messages except those that contain “a” and except those that contain “b”.'],
  [
    'a -b -(c d)',
    'Messages that contain “a” but not those that contain “b” and not those (that contain “c” or that contain “d”).',
  ],
  ['a OR NOT b', 'Messages that contain “a” or all except those that contain “b”.'],
  ['message:timeout user:ann', 'Messages whose message contains “timeout” or whose user is “ann”.'],
  ['took:[1 TO 5}', 'Messages whose took is at least 1 and less than 5.'],
  ['timout~1', 'Messages that contain a word that differs from “timout” by at most one letter.'],
  ['path:/^.api/', 'Messages whose path matches the regular expression /^.api/.'],
  ['"a b"~3', 'Messages that contain “a b”, with up to 3 words between or out of place.'],
];

test.each(EXPLANATIONS)('%s: %s', (written, words) => {
  const { query: node } = parseQuery(written);
  expect(explainQuery(node as QueryNode)).toBe(words);
});

/** Pieces of queries in any order, which have more errors per character than random text. */
const piece = fc.constantFrom(
  ...'a b1 . : / \\ " ( ) [ ] { } ^ ~ * ? + - ! & | < > = TO AND OR NOT and && || field: /re/ "a b" [1 TO 2] >=5 ~2 ^2 _exists_: \u{1f642} \ud800'.split(
    ' ',
  ),
  ' ',
  '\n',
);
const anyText = fc.oneof(
  fc.array(piece, { maxLength: 25 }).map((pieces) => pieces.join('')),
  fc.array(piece, { maxLength: 25 }).map((pieces) => pieces.join(' ')),
  fc.string({ unit: 'binary', maxLength: 60 }),
);

test('parsing never throws, and problems have valid positions', () => {
  fc.assert(
    fc.property(anyText, (written) => {
      const { query: node, problems } = parseQuery(written);
      const errors = problems.filter(({ severity }) => severity === 'error');
      expect(node === undefined).toBe(errors.length > 0);
      for (const problem of problems) {
        expect(problem.at.from).toBeGreaterThanOrEqual(0);
        expect(problem.at.to).toBeGreaterThan(problem.at.from);
        expect(problem.at.to).toBeLessThanOrEqual(written.length);
      }
    }),
    { numRuns: 5000 },
  );
});

test('the replacement for the only error of a query has no error', () => {
  fc.assert(
    fc.property(anyText, (written) => {
      const errors = parseQuery(written).problems.filter(({ severity }) => severity === 'error');
      const [only] = errors;
      if (errors.length !== 1 || only?.replacement === undefined) return;
      const again = parseQuery(only.replacement).problems.filter(({ severity }) => severity === 'error');
      expect(
        again.map(({ message }) => message),
        `${written} -> ${only.replacement}`,
      ).not.toContain(only.message);
    }),
    { numRuns: 5000 },
  );
});

test('a valid query is still valid when it is printed', () => {
  fc.assert(
    fc.property(anyText, (written) => {
      const { query: node } = parseQuery(written);
      if (node === undefined) return;
      expect(withoutPlaces(parseQuery(printQuery(node)).query), printQuery(node)).toEqual(
        withoutPlaces(node),
      );
    }),
    { numRuns: 5000 },
  );
});

test('features of other regular expression dialects are named in the error', () => {
  const problems = [
    ['(?=a)', 'uses look-ahead'],
    ['(?!a)', 'uses look-ahead'],
    ['(?<=a)', 'uses look-behind'],
    ['(?<!a)', 'uses look-behind'],
    ['(?>a)', 'atomic'],
    ['(a)\\1', 'has a back reference'],
    ['\\k<a>', 'has a back reference'],
    ['a**', 'repeats a repetition'],
    ['a++', 'repeats a repetition'],
    ['*a', 'nothing before it to repeat'],
    ['a|*', 'nothing before it to repeat'],
    ['(+a)', 'nothing before it to repeat'],
    ['(a', 'not closed'],
    ['[a', 'not closed'],
    ['a)', 'closes nothing'],
    ['[z-a]', 'ends before it starts'],
    ['[a-\\d]', 'ends in a class'],
    ['a{3,2}', 'ends before it starts'],
    ['a{1001}', 'more than 1000 times'],
    ['(a{100}){100}', 'more than 1000 times'],
    ['\\Z', 'unknown escape'],
    ['[\\b]', 'unknown escape'],
    ['[[:foo:]]', 'unknown character class'],
    ['(?x)a', 'unknown group'],
    ['(?P<n>a)(?P<n>b)', 'two groups'],
    ['', 'empty'],
  ] as const;
  for (const [source, words] of problems)
    expect(checkRegex(source).problem?.message, source).toContain(words);
});

test('regular expressions of RE2 pass', () => {
  const sources =
    'a{,3} ^* (?P<n>a) (?<n>a) \\Aa\\z [[:alpha:]] [^[:^alpha:]] \\pL \\p{Greek} \\p{^Greek} (?i-s:a) (?U)a () (|a) | []a] [^]a] [\\d-z] [a-] \\b+ (?:)* \\Qa(\\E \\x{263a} \\x41 \\12 { a{ a{1 a{2,}? (a*)* ((?i)a) [a\\]b] \\_ \u{1f642}+ [\u{1f641}-\u{1f642}] . .*'.split(
      ' ',
    );
  for (const source of sources) expect(checkRegex(source).problem, source).toBeUndefined();
});
