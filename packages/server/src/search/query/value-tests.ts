/** Tests over whole values, for the predicate. */
import type { RangeEnd } from '@millrace/query';
import type { FieldValue } from '#core/index.ts';
import { fuzzyTest } from './fuzzy.ts';
import type { ValueTest } from './meaning.ts';
import { equalsNumber, mayBeInNumberOrBoolean, numberRangeTest, textAsNumber, valueText } from './numbers.ts';
import { compileRegex } from './regexes.ts';
import { compileValueRegex, NEVER } from './text-tests.ts';
import { type Wildcard, wholePattern } from './wildcards.ts';
import { foldCase } from './words.ts';

export type ValuePredicate = (value: FieldValue) => boolean;

export function compileValueTest(test: ValueTest): ValuePredicate {
  switch (test.type) {
    case 'nothing':
      return NEVER;
    case 'equals':
      return compileEquals(test);
    case 'wildcard':
      return compileWholeWildcard(test.wildcard);
    case 'regex': {
      const regex = compileValueRegex(test.source);
      return (value) => regex.test(valueText(value));
    }
    case 'fuzzy': {
      const isNear = fuzzyTest(test.text, test.distance);
      return (value) => typeof value === 'string' && isNear(foldCase(value));
    }
    case 'numbers': {
      const isWithin = numberRangeTest(test.lower, test.upper);
      return (value) => {
        if (typeof value === 'boolean') return false;
        if (typeof value !== 'string') return isWithin(value);
        const number = textAsNumber(value);
        return number !== undefined && isWithin(number);
      };
    }
    case 'texts':
      return (value) => typeof value === 'string' && isTextWithin(foldCase(value), test.lower, test.upper);
  }
}

function compileEquals({ text, number, boolean }: Extract<ValueTest, { type: 'equals' }>): ValuePredicate {
  return (value) => {
    switch (typeof value) {
      case 'string':
        return value === text || foldCase(value) === text;
      case 'boolean':
        return value === boolean;
      default:
        return number !== undefined && equalsNumber(value, number);
    }
  };
}

function compileWholeWildcard(wildcard: Wildcard): ValuePredicate {
  const matches = compileWholeText(wildcard);
  const { longestText } = wildcard;
  const onlyTexts = !mayBeInNumberOrBoolean(longestText);
  return (value) => {
    if (typeof value === 'string') return matches(foldCase(value));
    return !onlyTexts && matches(valueText(value));
  };
}

function compileWholeText(wildcard: Wildcard): (folded: string) => boolean {
  const { parts, longestText } = wildcard;
  const [first, second, third] = parts;
  if (parts.length === 2 && first?.type === 'text' && second?.type === 'any') {
    return (folded) => folded.startsWith(first.text);
  }
  if (parts.length === 2 && first?.type === 'any' && second?.type === 'text') {
    return (folded) => folded.endsWith(second.text);
  }
  if (parts.length === 3 && first?.type === 'any' && second?.type === 'text' && third?.type === 'any') {
    return (folded) => folded.includes(second.text);
  }
  const regex = compileRegex(wholePattern(wildcard));
  if (regex === undefined) return NEVER;
  return (folded) => folded.includes(longestText) && regex.test(folded);
}

function isTextWithin(text: string, lower: RangeEnd | undefined, upper: RangeEnd | undefined): boolean {
  if (lower !== undefined) {
    const order = compareTexts(text, lower.text);
    if (order < 0 || (order === 0 && !lower.inclusive)) return false;
  }
  if (upper === undefined) return true;
  const order = compareTexts(text, upper.text);
  return order < 0 || (order === 0 && upper.inclusive);
}

/** By code point, as ClickHouse orders UTF-8. JavaScript orders by UTF-16 unit, which differs beyond U+FFFF. */
export function compareTexts(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    if (a.charCodeAt(at) !== b.charCodeAt(at)) return codePointAround(a, at) - codePointAround(b, at);
  }
  return a.length - b.length;
}

/** The code point around a unit, which may be the second half of a surrogate pair. */
function codePointAround(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  const isSecondHalf = unit >= 0xdc00 && unit <= 0xdfff;
  return text.codePointAt(isSecondHalf && at > 0 ? at - 1 : at) ?? unit;
}
