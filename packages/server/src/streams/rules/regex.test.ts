import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileRegex, RegexError } from './regex.ts';

const matches = (expression: string, text: string) => compileRegex(expression).regex.test(text);

function errorOf(expression: string): RegexError {
  try {
    compileRegex(expression);
  } catch (error) {
    if (error instanceof RegexError) return error;
    throw error;
  }
  throw new Error(`${expression} was accepted`);
}

describe('what an expression matches', () => {
  test.each([
    ['found anywhere', 'rror', 'an error here', true],
    ['anchored', '^error$', 'an error', false],
    ['anchored at both ends', '^error$', 'error', true],
    ['case counts', 'error', 'ERROR', false],
    ['(?i) at the start', '(?i)error', 'ERROR', true],
    ['(?i) with other letters', '(?i)STRASSE', 'strasse', true],
    ['(?i) in Unicode', '(?i)ä', 'Ä', true],
    ['flags together', '(?im)^error', 'first\nERROR', true],
    ['flags one after the other', '(?i)(?m)^error$', 'first\nERROR\nlast', true],
    ['without m ^ is the start of the text', '^error', 'first\nerror', false],
    ['. matches line breaks', 'a.b', 'a\nb', true],
    ['(?s) says so too', '(?s)a.b', 'a\nb', true],
    ['(?-s) says it does not', '(?-s)a.b', 'a\nb', false],
    ['(?i-s)', '(?i-s)A.b', 'a\nb', false],
    ['flags without effect', '(?u)(?U)(?d)x', 'x', true],
    ['Unicode mode: one character', '^.$', '😀', true],
    ['Unicode properties', '^\\p{Lu}+$', 'ÄÖÜ', true],
    ['an escape Unicode mode refuses', '^a\\-b\\_c$', 'a-b_c', true],
    ['modifiers inside', '(?i:err)or', 'ERRor', true],
    ['modifiers only there', '(?i:err)or', 'ERROR', false],
    ['look-around', '(?<!no )error(?! code)', 'error', true],
    ['a back reference', '(\\w)\\1', 'aab', true],
    ['an empty text', '^$', '', true],
    ['nothing matches everything', '', 'x', true],
    ['only .*', '.*', '', true],
    ['.+ needs something', '.+', '', false],
    ['.+x needs something in front', '.+x', 'x', false],
    ['.+x with something in front', '.+x', 'ax', true],
    ['^.*x$', '^.*x$', 'aaxb', false],
    ['^.*x.*$', '^.*x.*$', 'a\nx\nb', true],
    ['x.+$ needs something behind', 'x.+$', 'x', false],
    ['(?m) with .*$', '(?m)x.*$', 'x\ny', true],
    ['a{2,5} at the end', 'xa{2,5}', 'xa', false],
    ['a{2,5} enough', 'xa{2,5}', 'xaa', true],
  ])('%s', (_name, expression, text, expected) => {
    expect(matches(expression, text)).toBe(expected);
  });
});

describe('expressions that are rejected, with the position', () => {
  test.each([
    ['(', /unterminated group/, 2],
    ['abc(def', /unterminated group/, 8],
    ['[z-a]', /range out of order/i, 5],
    ['a**', /nothing to repeat/, 3],
    ['(?i)a**', /nothing to repeat/, 7],
    ['\\p{Nonsense}', /property name/, undefined],
    ['ab(?i)c', /only at the start/, 3],
    ['(?x)a b', /the flag "x" is not supported/, 3],
    ['(?im-x)a', /the flag "x" is not supported/, 6],
    ['\\Afoo', /\\A has no meaning in JavaScript; use \^/, 1],
    ['foo\\z', /\\z has no meaning in JavaScript; use \$/, 4],
    ['(?i)a\\hb', /\\h has no meaning/, 6],
    ['a++', /nothing to repeat/, 3],
    ['(?>a)', /group/, undefined],
  ])('%s', (expression, reason, position) => {
    const error = errorOf(expression);
    expect(error.message).toMatch(reason);
    if (position === undefined) expect(error.position).toBeGreaterThan(0);
    else expect(error.position).toBe(position);
  });

  test('escapes that JavaScript knows are accepted', () => {
    expect(matches('^\\t\\-\\d\\w\\s\\bx\\x41\\u0042\\cA', '\t-1w xAB\u0001')).toBe(true);
  });
});

describe('simplification', () => {
  const atom = fc.constantFrom('a', 'b', '.', '[ab]', '\\w', '(?:ab|a)', '(a)', '^', '$', '\\b');
  const quantifier = fc.constantFrom('', '', '*', '+', '?', '*?', '+?', '{2,}', '{1,2}');
  const part = fc
    .tuple(atom, quantifier)
    .map(([left, right]) => (/^(\^|\$|\\b)$/.test(left) ? left : left + right));
  const expression = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(''));
  const flags = fc.constantFrom('', '(?i)', '(?m)', '(?-s)', '(?im)');
  const text = fc.array(fc.constantFrom('a', 'b', 'A', '\n', ' '), { maxLength: 8 }).map((c) => c.join(''));

  test('never changes whether an expression is found', () => {
    fc.assert(
      fc.property(expression, flags, text, (source, inline, sample) => {
        const letters = `${inline.includes('-s') ? '' : 's'}u${inline.replace(/-s|[^im]/g, '')}`;
        expect(matches(inline + source, sample)).toBe(new RegExp(source, letters).test(sample));
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    ['.*error.*', 'error'],
    ['^.*error.*$', 'error'],
    ['.+error', '.error'],
    ['id=\\d+', 'id=\\d'],
    ['^foo.*bar$', '^foo.*bar$'],
    ['a|.*b', 'a|.*b'],
    ['(a)+', '(a)+'],
  ])('%s is searched as %s', (expression, simplified) => {
    expect(compileRegex(expression).regex.source).toBe(simplified);
  });
});
