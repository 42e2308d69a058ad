import { checkRegex } from '@millrace/query';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { expect, test } from 'vitest';

/**
 * The query language checks regular expressions by itself, so that the browser can. What it lets pass must be one for
 * the library that runs them; what it refuses may be more, where RE2 and the library differ.
 */
function compiles(source: string): boolean {
  try {
    RE2JS.compile(source, RE2JS.DOTALL);
    return true;
  } catch {
    return false;
  }
}

const PIECES =
  'a b - ^ $ . | ( ) (?: (?i) (?P<n> (?<m> (?= (?<! [ ] [^ [: :] [[:alpha:]] \\d \\b \\1 \\12 \\x41 \\x{41} \\pL \\p{Greek} \\p{Foo} \\Q \\E \\. \\- \\_ \\Z * + ? {2} {2,} {2,3} {3,2} {1001} {, { } é \u{1f642}'.split(
    ' ',
  );
const source = fc
  .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 8 })
  .map((parts) => parts.join(''));

test('what passes can be run', () => {
  fc.assert(
    fc.property(source, (pattern) => {
      fc.pre(!pattern.includes('\\p{Foo}') && !endsInBackslash(pattern));
      if (checkRegex(pattern).problem === undefined) expect(compiles(pattern), pattern).toBe(true);
    }),
    { numRuns: 20_000 },
  );
});

test('what can be run passes', () => {
  fc.assert(
    fc.property(source, (pattern) => {
      // The library knows more than RE2 (look-behind), and some oddities are refused on purpose.
      fc.pre(!/\(\?<!|\(\?\)|\\[1-9]|\[:|(\(\?i\)|\\Q\\E)[*+?{]/.test(pattern) && !endsInBackslash(pattern));
      if (compiles(pattern)) expect(checkRegex(pattern).problem?.message, pattern).toBeUndefined();
    }),
    { numRuns: 20_000 },
  );
});

/** The grammar has no such expressions: the backslash would escape the slash. */
function endsInBackslash(pattern: string): boolean {
  return pattern.replaceAll(/\\./gs, '').endsWith('\\');
}
