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
/** Patterns are slower than words: RE2 takes microseconds per character. */
const MAX_PATTERN_TEXT_LENGTH = 2048;
const MAX_WILDCARD_STARS = 3;
const WORD_CHARACTER = `[${ANY_CASE_WORD_CLASS}]`;
const NO_WORD_CHARACTER = `[^${ANY_CASE_WORD_CLASS}]`;

interface Highlighter {
  /** Undefined for all texts. */
  readonly field: string | undefined;
  readonly ranges: (text: string) => HighlightRange[];
}

/** Fields that are not shown as text. */
const NEVER_HIGHLIGHTED = new Set([
  'streams',
  'gl2_source_input',
  'gl2_source_node',
  'gl2_receive_timestamp',
]);

/** Undefined when the query has no words to highlight. */
export function createHighlighter(
  query: QueryNode,
): ((message: FoundMessage) => HighlightRanges | undefined) | undefined {
  const highlighters = highlightersOf(query);
  if (highlighters.length === 0) return undefined;
  return (message) => {
    const found: HighlightRanges = {};
    for (const [field, value] of message.fields) {
      if (typeof value !== 'string' || NEVER_HIGHLIGHTED.has(field)) continue;
      const own = highlighters.filter((each) => each.field === undefined || each.field === field);
      const ranges = mergeRanges(own.flatMap(({ ranges: find }) => find(value.slice(0, MAX_TEXT_LENGTH))));
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
      const ranges = finderOf(query.match);
      return ranges === undefined ? [] : [{ field: query.field, ranges }];
    }
    default:
      return [];
  }
}

function finderOf(match: ValueMatch): Highlighter['ranges'] | undefined {
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
function wordFinder(words: readonly string[]): Highlighter['ranges'] {
  const sequence = words.map((word) => RegExp.escape(word)).join(`${NO_WORD_CHARACTER}+`);
  const pattern = new RegExp(`(?<!${WORD_CHARACTER})${sequence}(?!${WORD_CHARACTER})`, 'gi');
  return (text) => {
    const ranges: HighlightRange[] = [];
    for (const found of text.matchAll(pattern)) {
      ranges.push({ start: found.index, length: found[0].length });
      if (ranges.length >= MAX_RANGES) break;
    }
    return ranges;
  };
}

/** With RE2, which is linear for any number of `*`. It has no look-around, so word boundaries are checked here. */
function wildcardFinder(pattern: readonly WildcardPart[]): Highlighter['ranges'] | undefined {
  if (pattern.filter(({ type }) => type === 'any').length > MAX_WILDCARD_STARS) return undefined;
  const parts = pattern.map((part) =>
    part.type === 'text' ? RE2JS.quote(part.text) : part.type === 'any' ? '\\S*' : '\\S',
  );
  const compiled = RE2JS.compile(parts.join(''), RE2JS.CASE_INSENSITIVE);
  return (text) => {
    const ranges: HighlightRange[] = [];
    const matcher = compiled.matcher(text.slice(0, MAX_PATTERN_TEXT_LENGTH));
    while (ranges.length < MAX_RANGES && matcher.find()) {
      const range = trimToWords(text, matcher.start(), matcher.end());
      if (range !== undefined) ranges.push(range);
    }
    return ranges;
  };
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
