/** The query that finds the messages of a pattern: all of them, and as few others as a query can say. */
import { isVariable, type TemplatePart } from './pattern-summary.ts';

/** Fields that are searched by words; in others a value is compared as a whole. */
const TEXT_FIELDS: ReadonlySet<string> = new Set(['message', 'full_message', 'source']);
/** More would make the query long and hardly any better. */
const MAX_PHRASES = 8;
const MAX_WORDS_OF_PHRASE = 12;

/** Undefined when nothing is the same in all messages. */
export function patternQuery(field: string, template: readonly TemplatePart[]): string | undefined {
  if (!TEXT_FIELDS.has(field)) return wildcardQuery(field, template);
  const phrases = template.flatMap((part, index) => {
    if (isVariable(part)) return [];
    return phraseOf(part.text, index > 0, index < template.length - 1);
  });
  const longest = [...phrases].sort((a, b) => b.length - a.length).slice(0, MAX_PHRASES);
  const kept = phrases.filter(
    (phrase, index) => longest.includes(phrase) && phrases.indexOf(phrase) === index,
  );
  return kept.length === 0 ? undefined : kept.map((phrase) => `${field}:"${phrase}"`).join(' AND ');
}

/** The whole words of a fixed text. Where it touches a variable, what touches may be a part of a longer word. */
function phraseOf(text: string, afterVariable: boolean, beforeVariable: boolean): string[] {
  let whole = text;
  if (afterVariable) whole = whole.replace(/^[A-Za-z0-9\u0080-\uffff]+/, '');
  if (beforeVariable) whole = whole.replace(/[A-Za-z0-9\u0080-\uffff]+$/, '');
  const words = whole.match(/[A-Za-z0-9\u0080-\uffff]+/g) ?? [];
  return words.length === 0 ? [] : [words.slice(0, MAX_WORDS_OF_PHRASE).join(' ')];
}

function wildcardQuery(field: string, template: readonly TemplatePart[]): string | undefined {
  if (template.every(isVariable)) return undefined;
  const pattern = template.map((part) => (isVariable(part) ? '*' : escapeText(part.text))).join('');
  // White space was made one blank, so a `*` stands for it; two of them side by side say no more than one.
  return `${escapeText(field)}:${pattern.replaceAll(/\*{2,}/g, '*')}`;
}

function escapeText(text: string): string {
  return text.replaceAll(/\s+/g, '*').replaceAll(/[&|:\\/+\-!(){}[\]^"~?<>=]/g, '\\$&');
}
