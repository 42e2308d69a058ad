import fc from 'fast-check';
import { RE2JS } from 're2js';
import { expect, test } from 'vitest';
import { regexCost } from './url-allowlist.ts';

const atom = fc.constantFrom(
  'a',
  '.',
  '^',
  '[a-z]',
  '[^)]',
  '\\.',
  '\\)',
  '\\d',
  '\\pL',
  '\\x{41}',
  'é',
  '()',
  '{',
  '\\Q){\\E',
);
const repetition = fc.constantFrom('', '', '?', '*', '+?', '{2}', '{0}', '{0,3}', '{2,}', '{1,5}?', '{7}');
const { expression } = fc.letrec<{ expression: string; group: string }>((tie) => ({
  expression: fc
    .array(fc.tuple(fc.oneof({ maxDepth: 4 }, atom, tie('group')), repetition), { maxLength: 5 })
    .map((parts) => parts.flat().join('')),
  group: fc
    .tuple(fc.constantFrom('(', '(?:', '(?i:', '(|', '(?P<n>'), tie('expression'))
    .map(([open, inner]) => `${open}${inner})`),
}));

test('what an expression costs is at least the size of its program', () => {
  fc.assert(
    fc.property(expression, (source) => {
      let size = 0;
      try {
        size = RE2JS.compile(source).programSize();
      } catch {
        // Not valid, such as {2} at the beginning.
      }
      expect(regexCost(source)).toBeGreaterThanOrEqual(size);
    }),
    { numRuns: 2000, seed: 1 },
  );
});
