/**
 * What a part of a query means for a text, a value or a time. Both evaluators, SQL and the predicate, take the meaning
 * from here, so they can differ only in how they compute it.
 */
import type { RangeEnd, ValueMatch } from '@millrace/query';
import { type MomentContext, parseMoment } from './moments.ts';
import { type NumberBound, parseBoolean, parseNumber, type QueryNumber } from './numbers.ts';
import { createWildcard, type Wildcard } from './wildcards.ts';
import { foldCase, VALUE_SEPARATOR, wordsOf } from './words.ts';

export interface Nothing {
  readonly type: 'nothing';
}

/** For texts that are matched by words. All texts here are in lower case, except regular expressions. */
export type TextTest =
  | Nothing
  | { readonly type: 'words'; readonly words: readonly string[]; readonly slop: number }
  /** A text without a word in it, such as `--`. */
  | { readonly type: 'contains'; readonly text: string }
  | { readonly type: 'wildcard'; readonly wildcard: Wildcard }
  | { readonly type: 'regex'; readonly source: string }
  /** Consecutive words, each within the distance. */
  | { readonly type: 'fuzzy'; readonly words: readonly string[]; readonly distance: number };

/** For values that are matched as a whole. */
export type ValueTest =
  | Nothing
  | {
      readonly type: 'equals';
      readonly text: string;
      readonly number: QueryNumber | undefined;
      readonly boolean: boolean | undefined;
    }
  | { readonly type: 'wildcard'; readonly wildcard: Wildcard }
  | { readonly type: 'regex'; readonly source: string }
  | { readonly type: 'fuzzy'; readonly text: string; readonly distance: number }
  | {
      readonly type: 'numbers';
      readonly lower: NumberBound | undefined;
      readonly upper: NumberBound | undefined;
    }
  | { readonly type: 'texts'; readonly lower: RangeEnd | undefined; readonly upper: RangeEnd | undefined };

/** Milliseconds, both inclusive. */
export interface TimeTest {
  readonly from: number;
  readonly to: number;
}

const NOTHING: Nothing = { type: 'nothing' };
const MAX_SLOP = 1000;
/** The slop of longer phrases is ignored. */
const MAX_SLOPPY_WORDS = 64;

export type RangeMatch = Extract<ValueMatch, { type: 'range' }>;

export function textTest(match: Exclude<ValueMatch, RangeMatch>): TextTest {
  switch (match.type) {
    case 'term':
      return wordsTest(match.text, 0);
    case 'phrase':
      return wordsTest(match.text, Math.min(match.slop, MAX_SLOP));
    case 'wildcard':
      return { type: 'wildcard', wildcard: createWildcard(match.pattern) };
    case 'regex':
      return { type: 'regex', source: match.source };
    case 'fuzzy': {
      const words = wordsOf(foldCase(match.text));
      if (match.distance === 0 || words.length === 0) return wordsTest(match.text, 0);
      return { type: 'fuzzy', words, distance: match.distance };
    }
  }
}

function wordsTest(text: string, slop: number): TextTest {
  const folded = foldCase(text);
  const words = wordsOf(folded);
  const isSloppy = words.length > 1 && words.length <= MAX_SLOPPY_WORDS;
  if (words.length > 0) return { type: 'words', words, slop: isSloppy ? slop : 0 };
  if (folded.trim() === '' || folded.includes(VALUE_SEPARATOR)) return NOTHING;
  return { type: 'contains', text: folded };
}

export function valueTest(match: ValueMatch): ValueTest {
  switch (match.type) {
    case 'term':
    case 'phrase':
      return equalsTest(match.text);
    case 'wildcard':
      return { type: 'wildcard', wildcard: createWildcard(match.pattern) };
    case 'regex':
      return { type: 'regex', source: match.source };
    case 'fuzzy':
      if (match.distance === 0 || match.text === '') return equalsTest(match.text);
      return { type: 'fuzzy', text: foldCase(match.text), distance: match.distance };
    case 'range':
      return rangeTest(match);
  }
}

function equalsTest(text: string): ValueTest {
  const folded = foldCase(text);
  return { type: 'equals', text: folded, number: parseNumber(text.trim()), boolean: parseBoolean(folded) };
}

/** Compares numbers if every given end is a number, texts otherwise. */
function rangeTest({ lower, upper }: RangeMatch): ValueTest {
  if (lower === undefined && upper === undefined) return NOTHING;
  const from = lower && parseNumber(lower.text.trim());
  const to = upper && parseNumber(upper.text.trim());
  if ((lower === undefined || from !== undefined) && (upper === undefined || to !== undefined)) {
    return {
      type: 'numbers',
      lower: from && lower && { number: from, inclusive: lower.inclusive },
      upper: to && upper && { number: to, inclusive: upper.inclusive },
    };
  }
  return { type: 'texts', lower: lower && foldEnd(lower), upper: upper && foldEnd(upper) };
}

function foldEnd(end: RangeEnd): RangeEnd {
  return { text: foldCase(end.text), inclusive: end.inclusive };
}

/**
 * A day as a term or as an inclusive end includes the whole day; as an exclusive end it excludes the whole day. The same
 * as in Elasticsearch.
 */
export function timeTest(match: ValueMatch, context: MomentContext): TimeTest | Nothing {
  switch (match.type) {
    case 'term':
    case 'phrase': {
      const moment = parseMoment(match.text, context);
      return moment ?? NOTHING;
    }
    case 'range': {
      const lower = match.lower && parseMoment(match.lower.text, context);
      const upper = match.upper && parseMoment(match.upper.text, context);
      if ((match.lower && !lower) || (match.upper && !upper) || (!lower && !upper)) return NOTHING;
      return {
        from:
          lower === undefined ? Number.NEGATIVE_INFINITY : match.lower?.inclusive ? lower.from : lower.to + 1,
        to:
          upper === undefined ? Number.POSITIVE_INFINITY : match.upper?.inclusive ? upper.to : upper.from - 1,
      };
    }
    default:
      return NOTHING;
  }
}

export function matchesNothing(test: object): test is Nothing {
  return 'type' in test && test.type === 'nothing';
}
