import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withoutIgnoreCaseGroups } from './ignore-case-groups.ts';

test.each([
  ['(?i:error)x', 'u', '(?:[eE][rR][rR][oO][rR])x'],
  ['a(?is:b.)c', 'v', 'a(?s:[bB].)c'],
  ['(?i-s:a)', 'v', '(?-s:[aA])'],
  ['(?i:[a-c_]|[^x])', 'u', '(?:[a-c_ABC]|[^xX])'],
  ['(?i:a(?-i:b)c)', 'v', '(?:[aA](?:b)[cC])'],
  ['(?i:é\\d+\\x61)', 'u', '(?:[éÉ]\\d+[\\x61A])'],
  ['(?i:[[a-b]x])', 'v', '(?:[[a-bAB]xX])'],
  ['(?s:a)|b', 'v', '(?s:a)|b'],
  ['a(?i:b)', 'vi', 'a(?:b)'],
])('%s in mode %s is %s', (source, flags, expected) => {
  expect(withoutIgnoreCaseGroups(source, flags)).toBe(expected);
});

test.each([
  ['a reference', '(a)(?i:\\1)', 'v'],
  ['a property', '(?i:\\p{Lu})', 'v'],
  ['an operation on classes', '(?i:[a-z--b])', 'v'],
  ['a part that does not ignore case', '(?i:a)(?-i:b)', 'vi'],
])('%s stays', (_what, source, flags) => {
  expect(withoutIgnoreCaseGroups(source, flags)).toBe(source);
});

test('it matches what the expression with the flag matches', () => {
  const bodies = [
    'a|er',
    '.*a',
    '(?:a|e)r+',
    '[a-c]+x',
    '[^b]r',
    '(e)(r)?',
    'x{2,}',
    '(?<=a)e',
    '(?!r)[er]',
    '^a$',
  ];
  const text = fc.string({
    unit: fc.constantFrom('a', 'A', 'e', 'E', 'r', 'R', 'x', 'X', 'b', '\n'),
    maxLength: 12,
  });
  fc.assert(
    fc.property(fc.constantFrom(...bodies), fc.constantFrom('u', 'v', ''), text, (body, flags, given) => {
      const source = withoutIgnoreCaseGroups(`(?i:${body})`, flags);
      expect(source).not.toContain('(?i');
      const [found, wanted] = [
        new RegExp(source, flags).exec(given),
        new RegExp(body, `${flags}i`).exec(given),
      ];
      expect(found && [found.index, ...found]).toEqual(wanted && [wanted.index, ...wanted]);
    }),
    { numRuns: 1000 },
  );
});
