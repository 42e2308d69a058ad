/** Where in the texts of a message the words of a query stand, for those who show it. */
import type { QueryNode, ValueMatch } from '@millrace/query';
import type { FoundMessage } from './message-rows.ts';

export interface HighlightRange {
  /** In UTF-16 units. */
  readonly start: number;
  readonly length: number;
}

export type HighlightRanges = Record<string, HighlightRange[]>;

/** More ranges in one text help nobody. */
const MAX_RANGES = 100;
const MAX_TEXT_LENGTH = 65_536;
const WORD_CHARACTER = '[0-9A-Za-z\\u0080-\\uffff]';

interface Highlighter {
  /** Undefined for all texts. */
  readonly field: string | undefined;
  readonly pattern: RegExp;
}

/** Fields that are looked up by exact values and shown nowhere as text. */
const NEVER = new Set(['streams', 'gl2_source_input', 'gl2_source_node', 'gl2_receive_timestamp']);

/** Finds the ranges of each message; undefined when the query has no words to show. */
export function createHighlighter(
  query: QueryNode,
): ((message: FoundMessage) => HighlightRanges | undefined) | undefined {
  const highlighters = highlightersOf(query);
  if (highlighters.length === 0) return undefined;
  return (message) => {
    const found: HighlightRanges = {};
    for (const [field, value] of message.fields) {
      if (typeof value !== 'string' || NEVER.has(field)) continue;
      const own = highlighters.filter((each) => each.field === undefined || each.field === field);
      const ranges = merged(own.flatMap(({ pattern }) => rangesOf(value, pattern)));
      if (ranges.length > 0) found[field] = ranges;
    }
    return Object.keys(found).length === 0 ? undefined : found;
  };
}

/** What must not be there is not shown, and neither are ranges and expressions, which are no words. */
function highlightersOf(query: QueryNode): Highlighter[] {
  switch (query.type) {
    case 'and':
    case 'or':
      return query.parts.flatMap(highlightersOf);
    case 'match': {
      const pattern = patternOf(query.match);
      return pattern === undefined ? [] : [{ field: query.field, pattern }];
    }
    default:
      return [];
  }
}

function patternOf(match: ValueMatch): RegExp | undefined {
  switch (match.type) {
    case 'term':
    case 'phrase': {
      const words = match.text.match(new RegExp(`${WORD_CHARACTER}+`, 'g'));
      if (words === null) return undefined;
      return atWordEdges(
        words.map((word) => RegExp.escape(word)).join('[\\x00-\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-\\x7f]+'),
      );
    }
    case 'wildcard': {
      const parts = match.pattern.map((part) =>
        part.type === 'text' ? RegExp.escape(part.text) : part.type === 'any' ? '\\S{0,256}' : '\\S',
      );
      return atWordEdges(parts.join(''));
    }
    default:
      return undefined;
  }
}

function atWordEdges(pattern: string): RegExp {
  return new RegExp(`(?<!${WORD_CHARACTER})${pattern}(?!${WORD_CHARACTER})`, 'gi');
}

function rangesOf(text: string, pattern: RegExp): HighlightRange[] {
  const ranges: HighlightRange[] = [];
  for (const found of text.slice(0, MAX_TEXT_LENGTH).matchAll(pattern)) {
    if (found[0].length > 0) ranges.push({ start: found.index, length: found[0].length });
    if (ranges.length >= MAX_RANGES) break;
  }
  return ranges;
}

/** In order, those that touch as one. */
function merged(ranges: readonly HighlightRange[]): HighlightRange[] {
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
