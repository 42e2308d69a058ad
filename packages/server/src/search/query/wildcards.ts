/**
 * Patterns with `*` and `?`. A value must match as a whole. In a text, a pattern matches a run without white space that
 * starts and ends at a word boundary: `err*` finds `error` and `err-7`, not `stderr`.
 */
import type { WildcardPart } from '@millrace/query';
import { foldCase, isWordUnit, VALUE_SEPARATOR, WORD_CLASS, WORD_END, WORD_START, wordsOf } from './words.ts';

export interface Wildcard {
  /** In lower case, without adjacent `*` and without adjacent texts. */
  readonly parts: readonly WildcardPart[];
  /** Words that every matching text contains. */
  readonly words: readonly string[];
  /** The longest text in it; empty when there is none. */
  readonly longestText: string;
}

const INNER_CHARACTER = `[^\t\n\f\r ${VALUE_SEPARATOR}]`;
const INNER_NO_WORD = `[^${WORD_CLASS}\t\n\f\r ${VALUE_SEPARATOR}]`;

export function createWildcard(pattern: readonly WildcardPart[]): Wildcard {
  const parts: WildcardPart[] = [];
  for (const part of pattern) {
    const last = parts.at(-1);
    if (part.type === 'any' && last?.type === 'any') continue;
    if (part.type === 'text' && last?.type === 'text') {
      parts[parts.length - 1] = { type: 'text', text: last.text + foldCase(part.text) };
    } else if (part.type !== 'text') {
      parts.push(part);
    } else if (part.text !== '') {
      parts.push({ type: 'text', text: foldCase(part.text) });
    }
  }
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return {
    parts,
    words: parts.flatMap((part, index) =>
      part.type === 'text' ? completeWords(part.text, index === 0, index === parts.length - 1) : [],
    ),
    longestText: texts.reduce((longest, text) => (text.length > longest.length ? text : longest), ''),
  };
}

/** The words of a piece that an adjacent `*` or `?` cannot extend. */
function completeWords(text: string, isFirst: boolean, isLast: boolean): readonly string[] {
  const words = wordsOf(text);
  if (!isFirst && isWordUnit(text.charCodeAt(0))) words.shift();
  if (!isLast && isWordUnit(text.charCodeAt(text.length - 1))) words.pop();
  return words;
}

/** For `LIKE` over a whole value. */
export function likePattern({ parts }: Wildcard): string {
  return parts.map(likePart).join('');
}

function likePart(part: WildcardPart): string {
  if (part.type === 'any') return '%';
  return part.type === 'one' ? '_' : part.text.replaceAll(/[\\%_]/g, '\\$&');
}

/** RE2, over a whole value. */
export function wholePattern({ parts }: Pick<Wildcard, 'parts'>): string {
  const inner = parts.map((part) => {
    if (part.type === 'any') return '.*';
    return part.type === 'one' ? '.' : quoteRegex(part.text);
  });
  return `(?s)^${inner.join('')}$`;
}

/** RE2, to search a text in lower case. */
export function innerPattern({ parts }: Wildcard): string {
  const isOpenAtStart = parts[0]?.type === 'any';
  const isOpenAtEnd = parts.length > 0 && parts.at(-1)?.type === 'any';
  // A `*` at either end can always extend to the end of the run, which is a word boundary.
  const inner = parts.slice(isOpenAtStart ? 1 : 0, isOpenAtEnd && parts.length > 1 ? -1 : undefined);
  if (inner.length === 1 && inner[0]?.type === 'one' && !isOpenAtStart && !isOpenAtEnd) {
    return `${WORD_START}[${WORD_CLASS}]${WORD_END}|${INNER_NO_WORD}`;
  }
  return inner
    .map((part, index) => {
      const isStart = index === 0 && !isOpenAtStart;
      const isEnd = index === inner.length - 1 && !isOpenAtEnd;
      if (part.type === 'any') return `${INNER_CHARACTER}*`;
      return part.type === 'one' ? innerOne(isStart, isEnd) : innerText(part.text, isStart, isEnd);
    })
    .join('');
}

function innerOne(isStart: boolean, isEnd: boolean): string {
  if (!isStart && !isEnd) return INNER_CHARACTER;
  const word = `${isStart ? WORD_START : ''}[${WORD_CLASS}]${isEnd ? WORD_END : ''}`;
  return `(?:${word}|${INNER_NO_WORD})`;
}

function innerText(text: string, isStart: boolean, isEnd: boolean): string {
  const before = isStart && isWordUnit(text.charCodeAt(0)) ? WORD_START : '';
  const after = isEnd && isWordUnit(text.charCodeAt(text.length - 1)) ? WORD_END : '';
  return before + quoteRegex(text) + after;
}

export function quoteRegex(text: string): string {
  return text.replaceAll(/[\\.+*?()|[\]{}^$]/g, '\\$&');
}
