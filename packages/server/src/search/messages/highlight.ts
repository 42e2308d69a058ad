/** Finds the words of a query in the texts of a message, to highlight them. */
import type { QueryNode, ValueMatch, WildcardPart } from '@millrace/query';
import { RE2JS } from 're2js';
import { ANY_CASE_WORD_CLASS } from '../query/index.ts';
import type { FoundMessage } from './message-rows.ts';

export interface HighlightRange {
  /** In UTF-16 units. */
  readonly start: number;
  readonly length: number;
}

export type HighlightRanges = Record<string, HighlightRange[]>;

const MAX_RANGES = 100;
const MAX_TEXT_LENGTH = 65_536;
/** Patterns are slower than words: RE2 takes hundreds of nanoseconds per character. */
const MAX_PATTERN_TEXT_LENGTH = 2048;
const MAX_WILDCARD_STARS = 3;
const WORD_CHARACTER = `[${ANY_CASE_WORD_CLASS}]`;
const NO_WORD_CHARACTER = `[^${ANY_CASE_WORD_CLASS}]`;

/**
 * What highlighting one page may take, in nanoseconds, roughly: a query can have a thousand words, and this runs in the main
 * thread. What is left then stays unmarked.
 */
const MAX_COST = 400e6;

interface Highlighter extends Finder {
  /** Undefined for all texts. */
  readonly field: string | undefined;
}

interface Finder {
  readonly ranges: (text: string) => HighlightRange[];
  /** It reads no more of a text. */
  readonly maxLength: number;
  /** For a character. */
  readonly cost: number;
}

/** Fields that are not shown as text. */
const NEVER_HIGHLIGHTED = new Set([
  'streams',
  'gl2_source_input',
  'gl2_source_node',
  'gl2_receive_timestamp',
]);

type Highlight = (message: FoundMessage) => HighlightRanges | undefined;

/** Makes the highlighting of one page after the other. Undefined when the query has no words to highlight. */
export function createHighlighter(query: QueryNode): (() => Highlight) | undefined {
  const highlighters = highlightersOf(query);
  return highlighters.length === 0 ? undefined : () => highlightOf(highlighters);
}

function highlightOf(highlighters: readonly Highlighter[]): Highlight {
  let left = MAX_COST;
  const rangesIn = ({ ranges, maxLength, cost }: Finder, text: string) => {
    left -= cost * Math.min(text.length, maxLength);
    return left < 0 ? [] : ranges(text);
  };
  return (message) => {
    const found: HighlightRanges = {};
    for (const [field, value] of message.fields) {
      if (typeof value !== 'string' || NEVER_HIGHLIGHTED.has(field)) continue;
      const own = highlighters.filter((each) => each.field === undefined || each.field === field);
      const ranges = mergeRanges(own.flatMap((each) => rangesIn(each, value)));
      if (ranges.length > 0) found[field] = ranges;
    }
    return Object.keys(found).length === 0 ? undefined : found;
  };
}

/** Highlights terms, phrases and wildcards; not negated parts, ranges or regular expressions. */
function highlightersOf(query: QueryNode): Highlighter[] {
  switch (query.type) {
    case 'and':
    case 'or':
      return query.parts.flatMap(highlightersOf);
    case 'match': {
      const finder = finderOf(query.match);
      return finder === undefined ? [] : [{ field: query.field, ...finder }];
    }
    default:
      return [];
  }
}

function finderOf(match: ValueMatch): Finder | undefined {
  switch (match.type) {
    case 'term':
    case 'phrase': {
      const words = match.text.match(new RegExp(`${WORD_CHARACTER}+`, 'g'));
      return words === null ? undefined : wordFinder(words);
    }
    case 'wildcard':
      return wildcardFinder(match.pattern);
    default:
      return undefined;
  }
}

/** Words and the gaps between them have no character in common, so there is no backtracking: linear time. */
function wordFinder(words: readonly string[]): Finder {
  const sequence = words.map((word) => RegExp.escape(word)).join(`${NO_WORD_CHARACTER}+`);
  const pattern = new RegExp(`(?<!${WORD_CHARACTER})${sequence}(?!${WORD_CHARACTER})`, 'gi');
  const ranges = (text: string) => {
    const found: HighlightRange[] = [];
    for (const match of text.slice(0, MAX_TEXT_LENGTH).matchAll(pattern)) {
      found.push({ start: match.index, length: match[0].length });
      if (found.length >= MAX_RANGES) break;
    }
    return found;
  };
  return { ranges, maxLength: MAX_TEXT_LENGTH, cost: 3 };
}

/** With RE2, which is linear for any number of `*`. It has no look-around, so word boundaries are checked here. */
function wildcardFinder(pattern: readonly WildcardPart[]): Finder | undefined {
  if (pattern.filter(({ type }) => type === 'any').length > MAX_WILDCARD_STARS) return undefined;
  const parts = pattern.map((part) =>
    part.type === 'text' ? RE2JS.quote(part.text) : part.type === 'any' ? '\\S*' : '\\S',
  );
  const compiled = RE2JS.compile(parts.join(''), RE2JS.CASE_INSENSITIVE);
  const ranges = (text: string) => {
    const found: HighlightRange[] = [];
    const matcher = compiled.matcher(text.slice(0, MAX_PATTERN_TEXT_LENGTH));
    while (found.length < MAX_RANGES && matcher.find()) {
      const range = trimToWords(text, matcher.start(), matcher.end());
      if (range !== undefined) found.push(range);
    }
    return found;
  };
  return { ranges, maxLength: MAX_PATTERN_TEXT_LENGTH, cost: 400 };
}

/** Trims punctuation at both ends; undefined for a range that starts or ends inside a word. */
function trimToWords(text: string, from: number, to: number): HighlightRange | undefined {
  let start = from;
  let end = to;
  while (start < end && !isWordCharacter(text, start)) start++;
  while (end > start && !isWordCharacter(text, end - 1)) end--;
  if (start === end || isWordCharacter(text, start - 1) || isWordCharacter(text, end)) return undefined;
  return { start, length: end - start };
}

const WORD = new RegExp(WORD_CHARACTER);

function isWordCharacter(text: string, position: number): boolean {
  return position >= 0 && position < text.length && WORD.test(text.charAt(position));
}

/** Sorts the ranges and merges those that touch or overlap. */
function mergeRanges(ranges: readonly HighlightRange[]): HighlightRange[] {
  const result: HighlightRange[] = [];
  for (const range of [...ranges].sort((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last === undefined || range.start > last.start + last.length) result.push(range);
    else {
      const end = Math.max(last.start + last.length, range.start + range.length);
      result[result.length - 1] = { start: last.start, length: end - last.start };
    }
  }
  return result;
}
