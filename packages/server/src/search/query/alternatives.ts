/** Groups the parts of an OR that the engine can test in one condition. */
import type { QueryNode, ValueMatch } from '@millrace/query';
import { fieldColumn, isExactWord } from '#storage/index.ts';
import { INDEX_FIELD } from './index-condition.ts';
import { textTest, valueTest } from './meaning.ts';
import { parseBoolean, parseNumber } from './numbers.ts';
import type { EqualsTest } from './value-conditions.ts';
import { foldCase } from './words.ts';

export interface Alternatives {
  /** By field: the values it may have. */
  readonly values: ReadonlyMap<string, readonly EqualsTest[]>;
  /** By text field, or undefined for anywhere: phrases, at least two for each. */
  readonly phrases: ReadonlyMap<string | undefined, readonly (readonly string[])[]>;
  /** All other parts. */
  readonly rest: readonly QueryNode[];
}

export function groupAlternatives(parts: readonly QueryNode[]): Alternatives {
  const values = new Map<string, EqualsTest[]>();
  const phrases = new Map<string | undefined, { part: QueryNode; words: readonly string[] }[]>();
  const rest: QueryNode[] = [];
  for (const part of parts) {
    const value = fieldValueOf(part);
    const words = value === undefined ? phraseWordsOf(part) : undefined;
    if (value !== undefined) values.set(value.field, [...(values.get(value.field) ?? []), value.test]);
    else if (words !== undefined && part.type === 'match') {
      phrases.set(part.field, [...(phrases.get(part.field) ?? []), { part, words }]);
    } else rest.push(part);
  }
  const several = [...phrases].filter(([, group]) => group.length > 1);
  const single = [...phrases.values()].filter((group) => group.length === 1);
  return {
    values,
    phrases: new Map(several.map(([field, group]) => [field, group.map(({ words }) => words)])),
    rest: [...rest, ...single.flat().map(({ part }) => part)],
  };
}

function fieldValueOf(part: QueryNode): { readonly field: string; readonly test: EqualsTest } | undefined {
  if (part.type !== 'match' || part.field === undefined || part.field === INDEX_FIELD) return undefined;
  if (fieldColumn(part.field).kind !== 'dynamic') return undefined;
  const test = valueTest(part.match);
  return test.type === 'equals' ? { field: part.field, test } : undefined;
}

/** The words of a phrase that the index alone cannot find. */
function phraseWordsOf(part: QueryNode): readonly string[] | undefined {
  if (part.type !== 'match' || part.match.type === 'range') return undefined;
  const isBare = part.field === undefined;
  if (!isBare && part.field !== 'message' && part.field !== 'full_message') return undefined;
  const test = textTest(part.match);
  if (test.type !== 'words' || test.slop > 0) return undefined;
  if (!isBare) return test.words;
  const isKnownToIndex = test.words.length === 1 && test.words.every(isExactWord);
  return isKnownToIndex || mayBeValue(part.match) ? undefined : test.words;
}

/** A term without a field that is a number or a boolean also finds fields with that value. */
function mayBeValue(match: ValueMatch): boolean {
  if (match.type !== 'term') return false;
  return parseNumber(match.text.trim()) !== undefined || parseBoolean(foldCase(match.text)) !== undefined;
}
