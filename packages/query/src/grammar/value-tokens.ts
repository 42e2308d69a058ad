/** The two tokens that are only tokens in one place; the parser asks for them there and nowhere else. */
import { ExternalTokenizer, type InputStream } from '@lezer/lr';
import { Bound, SignedTerm } from './parser.terms.ts';

const BACKSLASH = 92;
const PLUS = 43;
const MINUS = 45;
const END_OF_TEXT = -1;

const endings = (characters: string) => new Set([...characters].map((character) => character.charCodeAt(0)));
const WHITE_SPACE = ' \t\n\r\u00a0\u3000\u2028\u2029';
/** What ends a term: the same characters as `inside` in the grammar leaves out. */
const TERM_ENDINGS = endings(`${WHITE_SPACE}()[]{}":^~*?`);
/** A value behind `>=` may be a time (`12:30`) or date math (`now-1d`). */
const BOUND_ENDINGS = endings(`${WHITE_SPACE}()[]{}"^`);

/** Moves over the text up to one of the endings, escapes in pairs, and says whether there was any. */
function advanceTo(input: InputStream, ends: ReadonlySet<number>): boolean {
  const start = input.pos;
  while (input.next !== END_OF_TEXT && !ends.has(input.next)) {
    // The last backslash of a text escapes nothing and stays a token of its own.
    if (input.next === BACKSLASH && input.peek(1) === END_OF_TEXT) break;
    input.advance(input.next === BACKSLASH ? 2 : 1);
  }
  return input.pos > start;
}

export const signedTerm: ExternalTokenizer = new ExternalTokenizer((input) => {
  if (input.next !== PLUS && input.next !== MINUS) return;
  input.advance();
  if (advanceTo(input, TERM_ENDINGS)) input.acceptToken(SignedTerm);
});

export const bound: ExternalTokenizer = new ExternalTokenizer((input) => {
  if (advanceTo(input, BOUND_ENDINGS)) input.acceptToken(Bound);
});
