/** SQL for values that are matched as a whole. */
import { and, type Condition, type Cost, NEVER, or, sql, words } from './conditions.ts';
import { fuzzyExpression } from './fuzzy-sql.ts';
import type { ValueTest } from './meaning.ts';
import {
  couldBeInNumber,
  integerBound,
  isBeyondFloat,
  MAX_NUMBER_LENGTH,
  NUMBER_PATTERN,
  type NumberBound,
} from './numbers.ts';
import { compileRegex } from './regexes.ts';
import type { SqlParameters } from './sql-parameters.ts';
import { likePattern } from './wildcards.ts';
import { wordsOf } from './words.ts';

/** SQL expressions for the value of one field, for each type it can have; NULL where it has another or none. */
export interface ValueColumns {
  readonly text?: string;
  /** Any number but 64-bit integers. */
  readonly float?: string;
  readonly integer?: string;
  readonly boolean?: string;
  /** Whether the words of the text are in the index over `text`. */
  readonly isIndexed: boolean;
  readonly cost: Cost;
}

export function valueCondition(test: ValueTest, columns: ValueColumns, parameters: SqlParameters): Condition {
  const { text, float, integer, boolean, cost } = columns;
  const any = (parts: readonly (string | undefined)[]) =>
    or(
      parts.flatMap((part) => (part === undefined ? [] : [sql(`ifNull(${part}, 0)`, cost)])),
      parameters,
    );
  switch (test.type) {
    case 'nothing':
      return NEVER;
    case 'equals':
      return equalsCondition(test, columns, parameters);
    case 'wildcard':
      return wildcardCondition(test, columns, parameters);
    case 'regex': {
      if (compileRegex(test.source) === undefined) return NEVER;
      const pattern = parameters.add(test.source, 'String');
      return any([text, ...otherTexts(columns)].map((each) => each && `match(${each}, ${pattern})`));
    }
    case 'fuzzy':
      return any([text && fuzzyExpression(`lowerUTF8(${text})`, test.text, test.distance, parameters)]);
    case 'numbers': {
      const isNumber = `length(${text}) <= ${MAX_NUMBER_LENGTH} AND match(${text}, ${parameters.add(NUMBER_PATTERN, 'String')})`;
      return any([
        float && floatRange(float, test.lower, test.upper, parameters),
        integer && integerRange(integer, test.lower, test.upper, parameters),
        boolean && undefined,
        text &&
          `${isNumber} AND ${floatRange(`toFloat64OrNull(${text})`, test.lower, test.upper, parameters)}`,
      ]);
    }
    case 'texts': {
      const ends = [
        test.lower && `${test.lower.inclusive ? '>=' : '>'} ${parameters.add(test.lower.text, 'String')}`,
        test.upper && `${test.upper.inclusive ? '<=' : '<'} ${parameters.add(test.upper.text, 'String')}`,
      ].filter((end) => end !== undefined);
      return any([text && ends.map((end) => `lowerUTF8(${text}) ${end}`).join(' AND ')]);
    }
  }
}

export type EqualsTest = Extract<ValueTest, { type: 'equals' }>;

function equalsCondition(test: EqualsTest, columns: ValueColumns, parameters: SqlParameters): Condition {
  return anyOfCondition([test], columns, parameters);
}

/**
 * Equal to one of these. However many they are, they are one list for the engine, which takes seconds to understand a
 * statement with hundreds of conditions.
 */
export function anyOfCondition(
  tests: readonly EqualsTest[],
  { text, float, integer, boolean, isIndexed, cost }: ValueColumns,
  parameters: SqlParameters,
): Condition {
  const parts: Condition[] = [];
  const isOneOf = (value: string | undefined, wanted: readonly unknown[], type: string) => {
    if (value === undefined || wanted.length === 0) return undefined;
    return wanted.length === 1
      ? `ifNull(${value} = ${parameters.add(wanted[0], type)}, 0)`
      : `ifNull(${value} IN ${parameters.add(wanted, `Array(${type})`)}, 0)`;
  };
  const add = (part: string | undefined) => part !== undefined && parts.push(sql(part, cost));
  const numbers = tests.flatMap(({ number }) => number ?? []);
  add(isOneOf(float, unique(numbers.map((number) => number.float)), 'Float64'));
  const integers = numbers.flatMap(({ integer: whole }) =>
    whole !== undefined && isBeyondFloat(whole) ? [whole] : [],
  );
  add(isOneOf(integer, unique(integers), 'Int64'));
  for (const wanted of unique(tests.flatMap((test) => test.boolean ?? []))) {
    if (boolean !== undefined) add(`ifNull(${boolean} = ${wanted ? 'true' : 'false'}, 0)`);
  }
  const texts = unique(tests.map((test) => test.text));
  const same = isOneOf(text && `lowerUTF8(${text})`, texts, 'String');
  if (same !== undefined) {
    parts.push(and([isIndexed ? wordsOfAny(texts, parameters) : words([]), sql(same, cost)]));
  }
  return or(parts, parameters);
}

/** What the index can say of a list of values: all words of a single one, the longest word of each of several. */
function wordsOfAny(texts: readonly string[], parameters: SqlParameters): Condition {
  const [first = ''] = texts;
  if (texts.length === 1) return words(wordsOf(first));
  const longest = texts.map((text) =>
    wordsOf(text).reduce((best, word) => (word.length > best.length ? word : best), ''),
  );
  // A value without a word could be anywhere.
  return longest.includes('')
    ? words([])
    : or(
        longest.map((word) => words([word])),
        parameters,
      );
}

function unique<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)];
}

function wildcardCondition(
  { wildcard }: Extract<ValueTest, { type: 'wildcard' }>,
  columns: ValueColumns,
  parameters: SqlParameters,
): Condition {
  const { text, isIndexed, cost } = columns;
  const pattern = parameters.add(likePattern(wildcard), 'String');
  const parts: Condition[] = [];
  if (text !== undefined) {
    const same = sql(`ifNull(lowerUTF8(${text}) LIKE ${pattern}, 0)`, cost);
    parts.push(and([words(isIndexed ? wildcard.words : []), same]));
  }
  if (couldBeInNumber(wildcard.longestText)) {
    for (const other of otherTexts(columns)) parts.push(sql(`ifNull(${other} LIKE ${pattern}, 0)`, cost));
  }
  return or(parts, parameters);
}

/** Numbers and booleans as texts; see `valueText`. */
function otherTexts({ float, integer, boolean }: ValueColumns): string[] {
  return [
    ...(float === undefined ? [] : [`toString(${float} + 0)`]),
    ...(integer === undefined ? [] : [`toString(${integer})`]),
    ...(boolean === undefined ? [] : [`toString(${boolean})`]),
  ];
}

function floatRange(
  value: string,
  lower: NumberBound | undefined,
  upper: NumberBound | undefined,
  parameters: SqlParameters,
): string {
  const ends: string[] = [];
  if (lower) ends.push(`${lower.inclusive ? '>=' : '>'} ${parameters.add(lower.number.float, 'Float64')}`);
  if (upper) ends.push(`${upper.inclusive ? '<=' : '<'} ${parameters.add(upper.number.float, 'Float64')}`);
  return ends.map((end) => `${value} ${end}`).join(' AND ');
}

/** Undefined when no 64-bit integer is within. */
function integerRange(
  value: string,
  lower: NumberBound | undefined,
  upper: NumberBound | undefined,
  parameters: SqlParameters,
): string | undefined {
  const least = lower && integerBound(lower, 'lower');
  const most = upper && integerBound(upper, 'upper');
  if (least === null || most === null) return undefined;
  const isSmall = (bound: bigint | undefined) => bound !== undefined && !isBeyondFloat(bound);
  if (isSmall(least) && isSmall(most)) return undefined;
  const ends: string[] = [];
  if (least !== undefined) ends.push(`${value} >= ${parameters.add(least, 'Int64')}`);
  if (most !== undefined) ends.push(`${value} <= ${parameters.add(most, 'Int64')}`);
  return ends.length === 0 ? `${value} IS NOT NULL` : ends.join(' AND ');
}
