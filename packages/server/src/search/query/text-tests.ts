/** Tests over texts that are matched by words, for the predicate. */
import { fuzzyPieces, fuzzyTest } from './fuzzy.ts';
import type { TextTest } from './meaning.ts';
import { type CompiledRegex, compileRegex } from './regexes.ts';
import { innerPattern, type Wildcard } from './wildcards.ts';
import { hasPhrase, hasSloppyPhrase, isWordUnit, VALUE_SEPARATOR, wordsOf } from './words.ts';

export type TextPredicate = (folded: string) => boolean;

export const NEVER = (): boolean => false;

/** For everything but regular expressions, which need the original case. */
export function compileTextTest(test: Exclude<TextTest, { type: 'regex' }>): TextPredicate {
  switch (test.type) {
    case 'nothing':
      return NEVER;
    case 'words': {
      const { words, slop } = test;
      if (slop > 0) return (folded) => hasAll(folded, words) && hasSloppyPhrase(folded, words, slop);
      return (folded) => hasPhrase(folded, words);
    }
    case 'contains':
      return (folded) => folded.includes(test.text);
    case 'wildcard':
      return compileInnerWildcard(test.wildcard);
    case 'fuzzy':
      return compileFuzzyPhrase(test.words, test.distance);
  }
}

function hasAll(folded: string, words: readonly string[]): boolean {
  return words.every((word) => folded.includes(word));
}

function compileInnerWildcard(wildcard: Wildcard): TextPredicate {
  const { parts, longestText } = wildcard;
  const isOpenAtStart = parts[0]?.type === 'any';
  const isOpenAtEnd = parts.at(-1)?.type === 'any';
  if (parts.length === 1 + Number(isOpenAtStart) + Number(isOpenAtEnd) && longestText !== '') {
    return (folded) => containsAtWordEdges(folded, longestText, !isOpenAtStart, !isOpenAtEnd);
  }
  const regex = compileRegex(innerPattern(wildcard));
  if (regex === undefined) return NEVER;
  return (folded) => folded.includes(longestText) && regex.test(folded);
}

/** Replaces the regular expression for patterns with a single text. */
function containsAtWordEdges(folded: string, text: string, fromStart: boolean, toEnd: boolean): boolean {
  const startsWithWord = fromStart && isWordUnit(text.charCodeAt(0));
  const endsWithWord = toEnd && isWordUnit(text.charCodeAt(text.length - 1));
  for (let at = folded.indexOf(text); at >= 0; at = folded.indexOf(text, at + 1)) {
    if (startsWithWord && isWordUnit(folded.charCodeAt(at - 1))) continue;
    if (!endsWithWord || !isWordUnit(folded.charCodeAt(at + text.length))) return true;
  }
  return false;
}

function compileFuzzyPhrase(words: readonly string[], distance: number): TextPredicate {
  const tests = words.map((word) => fuzzyTest(word, distance));
  const [first] = tests;
  // Searching for pieces is much cheaper than splitting every text into words.
  const hints = words.map((word) => fuzzyPieces(word, distance)).filter((pieces) => pieces.length > 0);
  const isPossible = (folded: string) =>
    hints.every((pieces) => pieces.some((piece) => folded.includes(piece)));
  if (tests.length === 1 && first !== undefined) {
    return (folded) => isPossible(folded) && wordsOf(folded).some(first);
  }
  return (folded) =>
    isPossible(folded) &&
    folded.split(VALUE_SEPARATOR).some((value) => {
      const found = wordsOf(value);
      return found.some((_, start) =>
        tests.every((test, index) => {
          const word = found[start + index];
          return word !== undefined && test(word);
        }),
      );
    });
}

/** Matches nothing if the expression is invalid. */
export function compileValueRegex(source: string): CompiledRegex {
  return compileRegex(source) ?? { test: NEVER };
}
