/** Escapes in queries: resolving them, and adding them where necessary. */

/** As words, these need a backslash, also in lower case, which would otherwise cause a warning. */
const OPERATOR_WORD = /^(and|or|not)$/i;

/**
 * Resolves escapes. A backslash escapes the next character unless that is a letter or a digit, so the backslash in
 * DOMAIN\user stays.
 */
export function withoutEscapes(raw: string): string {
  if (!raw.includes('\\')) return raw;
  if (raw.startsWith('\\') && OPERATOR_WORD.test(raw.slice(1))) return raw.slice(1);
  return raw.replaceAll(/\\([^\p{L}\p{N}])/gu, '$1');
}

/** Characters that are special anywhere in a term. */
const SPECIAL = /[\s\u00a0\u3000\u2028\u2029()[\]{}"\\:^~*?]/gu;
/** Characters that are special at the start of a term. */
const SPECIAL_FIRST = /^[+\-!&|/<>]/;

/** A term without quotes. Not for the empty text. */
export function asTerm(text: string): string {
  if (OPERATOR_WORD.test(text)) return `\\${text}`;
  return text.replaceAll(SPECIAL, '\\$&').replace(SPECIAL_FIRST, '\\$&');
}

export function asPhrase(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}
