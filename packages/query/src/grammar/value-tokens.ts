/** Two tokens that exist only in certain places, where the parser asks for them. */
import { ExternalTokenizer, type InputStream } from '@lezer/lr';
import { Bound, SignedTerm } from './parser.terms.ts';

const BACKSLASH = 92;
const PLUS = 43;
const MINUS = 45;
const END_OF_TEXT = -1;

const endings = (characters: string) => new Set([...characters].map((character) => character.charCodeAt(0)));
const WHITE_SPACE = ' \t\n\r\u00a0\u3000\u2028\u2029';
/** The characters that end a term; the same as in `inside` in the grammar. */
const TERM_ENDINGS = endings(`${WHITE_SPACE}()[]{}":^~*?`);
/** A value after `>=` may be a time (`12:30`) or date math (`now-1d`). */
const BOUND_ENDINGS = endings(`${WHITE_SPACE}()[]{}"^`);

/** Advances to one of the endings, over whole escapes. Returns whether there was any text. */
function advanceTo(input: InputStream, ends: ReadonlySet<number>): boolean {
  const start = input.pos;
  while (input.next !== END_OF_TEXT && !ends.has(input.next)) {
    // A backslash at the end of the text escapes nothing and is its own token.
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
