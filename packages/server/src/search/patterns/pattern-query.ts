/** A query that finds all messages of a pattern, and as few others as possible. */
import {
  MAX_QUERY_LENGTH,
  printQuery,
  type QueryNode,
  type ValueMatch,
  type WildcardPart,
} from '@millrace/query';
import { fieldColumn } from '#storage/index.ts';
import { ANY_CASE_WORD_CLASS } from '../query/index.ts';
import { isVariable, type TemplatePart } from './pattern-summary.ts';

/** More would make the query longer but hardly more precise. */
const MAX_PHRASES = 8;
const MAX_WORDS_OF_PHRASE = 12;
const MAX_WILDCARD_PARTS = 64;
const NOWHERE = { from: 0, to: 0 };

/**
 * Undefined when the messages have nothing in common, or when the query would be too long.
 *
 * @param padded whether some messages start or end with white space, which a template does not show
 */
export function patternQuery(
  field: string,
  template: readonly TemplatePart[],
  padded: boolean,
): string | undefined {
  // Text fields are searched by words; the value of any other field is compared as a whole.
  const isText = fieldColumn(field).kind === 'text';
  const matches = isText ? phrases(template) : wildcards(template, padded);
  const parts = matches.map((match): QueryNode => ({ type: 'match', field, match, at: NOWHERE }));
  const [first] = parts;
  if (first === undefined) return undefined;
  const text = printQuery(parts.length === 1 ? first : { type: 'and', parts });
  return text.length > MAX_QUERY_LENGTH ? undefined : text;
}

function phrases(template: readonly TemplatePart[]): ValueMatch[] {
  const texts = template.flatMap((part, index) =>
    isVariable(part) ? [] : phraseOf(part.text, index > 0, index < template.length - 1),
  );
  const longest = [...texts].sort((a, b) => b.length - a.length).slice(0, MAX_PHRASES);
  return [...new Set(texts)]
    .filter((text) => longest.includes(text))
    .map((text) => ({ type: 'phrase', text, slop: 0 }));
}

const WORDS = new RegExp(`[${ANY_CASE_WORD_CLASS}]+`, 'g');
const WORD_AT_START = new RegExp(`^[${ANY_CASE_WORD_CLASS}]+`);
const WORD_AT_END = new RegExp(`[${ANY_CASE_WORD_CLASS}]+$`);

/** The whole words of a fixed text. A word next to a variable may be part of a longer word, so it is left out. */
function phraseOf(text: string, afterVariable: boolean, beforeVariable: boolean): string[] {
  let whole = text;
  if (afterVariable) whole = whole.replace(WORD_AT_START, '');
  if (beforeVariable) whole = whole.replace(WORD_AT_END, '');
  const words = whole.match(WORDS) ?? [];
  return words.length === 0 ? [] : [words.slice(0, MAX_WORDS_OF_PHRASE).join(' ')];
}

/** A `*` for each variable, and for white space, which a template does not preserve. */
function wildcards(template: readonly TemplatePart[], padded: boolean): ValueMatch[] {
  const parts: WildcardPart[] = padded ? [{ type: 'any' }] : [];
  for (const part of template) {
    const texts = isVariable(part) ? ['', ''] : part.text.split(/\s+/);
    for (const [index, text] of texts.entries()) {
      if (index > 0 && parts.at(-1)?.type !== 'any') parts.push({ type: 'any' });
      if (text !== '') parts.push({ type: 'text', text });
    }
  }
  if (parts.every(({ type }) => type === 'any')) return [];
  const isCut = parts.length > MAX_WILDCARD_PARTS;
  const pattern = parts.slice(0, MAX_WILDCARD_PARTS);
  if ((padded || isCut) && pattern.at(-1)?.type !== 'any') pattern.push({ type: 'any' });
  const [only] = pattern;
  // A plain value needs no wildcard.
  if (pattern.length === 1 && only?.type === 'text') return [{ type: 'phrase', text: only.text, slop: 0 }];
  return [{ type: 'wildcard', pattern }];
}
