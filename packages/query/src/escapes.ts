/** How texts stand in a query: what a backslash takes away, and where one is needed. */

/** AND, OR and NOT in any case: as words they need a backslash, in lower case to be told from a mistake. */
const OPERATOR_WORD = /^(and|or|not)$/i;

/**
 * The text that is meant. A backslash takes the meaning of the character behind it, if that is not a letter or a
 * digit: those have none to take, and in DOMAIN\user it is a backslash.
 */
export function withoutEscapes(raw: string): string {
  if (!raw.includes('\\')) return raw;
  if (raw.startsWith('\\') && OPERATOR_WORD.test(raw.slice(1))) return raw.slice(1);
  return raw.replaceAll(/\\([^\p{L}\p{N}])/gu, '$1');
}

/** The characters of a term that mean something, wherever they stand in it. */
const SPECIAL = /[\s\u00a0\u3000\u2028\u2029()[\]{}"\\:^~*?]/gu;
/** And those that do so as its first. */
const SPECIAL_FIRST = /^[+\-!&|/<>]/;

/** As a term without quotes; not for the empty text. */
export function asTerm(text: string): string {
  if (OPERATOR_WORD.test(text)) return `\\${text}`;
  return text.replaceAll(SPECIAL, '\\$&').replace(SPECIAL_FIRST, '\\$&');
}

export function asPhrase(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}
