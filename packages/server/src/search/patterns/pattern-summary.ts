/** The template of a pattern: its fixed text, and the most frequent values of its variables. */
import { VARIES } from './candidates.ts';
import { type MaskedMessage, type MaskedWord, maskMessage } from './masking.ts';
import type { VariableKind } from './special-words.ts';

export interface CountedValue {
  readonly value: string;
  readonly count: number;
}

export interface PatternVariable {
  /** `rest`: the end of messages that are longer than the limits. */
  readonly variable: VariableKind | 'rest';
  /** The most frequent first. */
  readonly values: readonly CountedValue[];
  /** The number of distinct values; there may be more if `more`. */
  readonly distinct: number;
  readonly more: boolean;
}

export type TemplatePart = { readonly text: string } | PatternVariable;

export function isVariable(part: TemplatePart): part is PatternVariable {
  return 'variable' in part;
}

/** Distinct values that are counted in one place; further ones are ignored. */
const MAX_COUNTED_VALUES = 1000;
const MAX_VALUE_LENGTH = 200;
const CHARACTERS_BETWEEN_YIELDS = 100_000;

interface Place {
  readonly prefix: string;
  readonly suffix: string;
  readonly counts: Map<string, number>;
  kind: VariableKind | undefined;
  more: boolean;
}

/** The template of messages that all have these words. Yields now and then. */
export function* summarisePattern(
  words: readonly string[],
  messages: Iterable<string>,
  topValues: number,
): Generator<void, TemplatePart[]> {
  const places = words.map(placeOf);
  let first: MaskedMessage | undefined;
  let untilYield = CHARACTERS_BETWEEN_YIELDS;
  for (const text of messages) {
    const masked = maskMessage(text);
    first ??= masked;
    for (const [index, place] of places.entries()) {
      const word = masked.words[index];
      if (place !== undefined && word !== undefined) countValue(place, text, word);
    }
    untilYield -= text.length + 100;
    if (untilYield > 0) continue;
    untilYield = CHARACTERS_BETWEEN_YIELDS;
    yield;
  }
  return first === undefined ? [] : templateOf(words, places, first, topValues);
}

/** One line of text with variables as `<kind>`, or `<*>` when their values have no common kind. */
export function templateText(template: readonly TemplatePart[]): string {
  return template
    .map((part) => (isVariable(part) ? (part.variable === 'any' ? '<*>' : `<${part.variable}>`) : part.text))
    .join('');
}

function placeOf(word: string): Place | undefined {
  const at = word.indexOf(VARIES);
  if (at < 0) return undefined;
  const prefix = word.slice(0, at);
  const suffix = word.slice(at + VARIES.length);
  return { prefix, suffix, counts: new Map(), kind: undefined, more: false };
}

function countValue(place: Place, text: string, word: MaskedWord): void {
  const from = word.from + place.prefix.length;
  const to = Math.max(from, word.to - place.suffix.length);
  const value = text.slice(from, Math.min(to, from + MAX_VALUE_LENGTH));
  // In a place that varies as a whole, the value is the whole word, even if the word alone looks partly fixed.
  const isWhole = word.prefix === place.prefix && word.suffix === place.suffix;
  const kind = isWhole && word.kind !== undefined ? word.kind : 'any';
  if (place.kind === undefined) place.kind = kind;
  else if (place.kind !== kind) place.kind = 'any';
  const counted = place.counts.get(value);
  if (counted === undefined && place.counts.size >= MAX_COUNTED_VALUES) place.more = true;
  else place.counts.set(value, (counted ?? 0) + 1);
}

function templateOf(
  words: readonly string[],
  places: readonly (Place | undefined)[],
  first: MaskedMessage,
  topValues: number,
): TemplatePart[] {
  const parts: TemplatePart[] = [];
  let text = '';
  const closeText = () => {
    if (text !== '') parts.push({ text });
    text = '';
  };
  for (const [index, word] of words.entries()) {
    const place = places[index];
    text += index === 0 ? (first.words[0]?.gap ?? '').trimStart() : (first.words[index]?.gap ?? '');
    if (place === undefined) {
      text += word;
      continue;
    }
    text += place.prefix;
    closeText();
    parts.push(variableOf(place, topValues));
    text = place.suffix;
  }
  text += first.end;
  closeText();
  if (first.cut) parts.push({ variable: 'rest', values: [], distinct: 0, more: true });
  return parts;
}

function variableOf(place: Place, topValues: number): PatternVariable {
  const values = [...place.counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, topValues);
  return { variable: place.kind ?? 'any', values, distinct: place.counts.size, more: place.more };
}
