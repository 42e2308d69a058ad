import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileRegex } from '../rules/regex.ts';
import { isIndexable, LiteralIndex } from './literal-index.ts';

function candidates(rules: readonly [literal: string, ignoreCase?: 'i'][], text: string): string[] {
  const index = new LiteralIndex(
    rules.map(([literal, ignoreCase]) => ({ rule: literal, literal, ignoreCase: ignoreCase === 'i' })),
  );
  const found: string[] = [];
  const count = index.find(text, found);
  return [...new Set(found.slice(0, count))].sort();
}

describe('the index of literals', () => {
  test('finds the rules whose literal is in the text, and few others', () => {
    const rules = Array.from({ length: 500 }, (_, number): [string] => [`tenant ${number} failed`]);
    expect(candidates(rules, 'request of tenant 123 failed')).toEqual(
      expect.arrayContaining(['tenant 123 failed']),
    );
    expect(candidates(rules, 'request of tenant 123 failed').length).toBeLessThan(30);
    expect(candidates(rules, 'nothing of interest')).toEqual([]);
  });

  test('finds a rule once, however often its literal is in the text', () => {
    const index = new LiteralIndex([{ rule: 'r', literal: 'aaa', ignoreCase: false }]);
    const found: string[] = [];
    expect(index.find('a'.repeat(10_000), found)).toBe(1);
    expect(index.find('a'.repeat(10_000), found)).toBe(1);
  });

  test('needs three ASCII characters in a row', () => {
    expect([isIndexable('ab'), isIndexable('aäb'), isIndexable('äabc'), isIndexable('')]).toEqual([
      false,
      false,
      true,
      false,
    ]);
  });

  test('characters outside of ASCII may match ASCII letters when case is ignored', () => {
    expect(candidates([['kelvin', 'i']], '273 \u212aelvin')).toEqual(['kelvin']);
    expect(compileRegex('(?i)kelvin').regex.test('273 \u212aelvin')).toBe(true);
  });

  test('never misses a rule', () => {
    const character = fc.constantFrom('a', 'b', 'B', 'c', ' ', 'ä', '\0', '1');
    const word = fc.array(character, { minLength: 3, maxLength: 6 }).map((letters) => letters.join(''));
    const literal = word.filter(isIndexable);
    const text = fc.array(character, { maxLength: 30 }).map((letters) => letters.join(''));
    fc.assert(
      fc.property(
        fc.array(literal, { minLength: 1, maxLength: 20 }),
        text,
        fc.nat(),
        (literals, around, at) => {
          const planted = literals[at % literals.length] ?? '';
          const place = at % (around.length + 1);
          const sample = around.slice(0, place) + planted + around.slice(place);
          const found = candidates(
            literals.map((one) => [one]),
            sample,
          );
          for (const one of literals) if (sample.includes(one)) expect(found).toContain(one);
          const folded = candidates(
            literals.map((one) => [one, 'i']),
            sample.toUpperCase(),
          );
          for (const one of literals) if (sample.includes(one)) expect(folded).toContain(one);
        },
      ),
    );
  });
});

describe('the literal a regular expression needs', () => {
  test.each([
    ['connection .* refused$', 'connection '],
    ['^db-7\\.', 'db-7.'],
    ['(?i)^/API/v1/.*', '/API/v1/'],
    ['ab+cdef', 'bcdef'],
    ['abc?def', 'def'],
    ['(abc)(def)x', 'abcdefx'],
    ['a(?:bc){2}d', 'a'],
    ['foo\\b bar', 'foo bar'],
    ['foo|bar', ''],
    ['a(foo|bar)b', 'a'],
    ['(?i:foo)bar', 'bar'],
    ['\\d+', ''],
    ['(?!foo)bar', 'bar'],
  ])('%s needs "%s"', (expression, literal) => {
    expect(compileRegex(expression).literal).toBe(literal);
  });

  test('is in every text that matches', () => {
    const part = fc.constantFrom(
      'a',
      'b',
      'ab',
      '.',
      'a+',
      'b?',
      'c{2}',
      '(ab)',
      '(a|b)',
      '(?:ba)+',
      '\\b',
      '[ab]',
    );
    const expression = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(''));
    const text = fc.array(fc.constantFrom('a', 'b', 'c', ' '), { maxLength: 10 }).map((c) => c.join(''));
    fc.assert(
      fc.property(expression, text, (source, sample) => {
        const { regex, literal } = compileRegex(source);
        if (regex.test(sample)) expect(sample).toContain(literal);
      }),
      { numRuns: 3000 },
    );
  });
});
