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

function equalsCondition(
  test: Extract<ValueTest, { type: 'equals' }>,
  { text, float, integer, boolean, isIndexed, cost }: ValueColumns,
  parameters: SqlParameters,
): Condition {
  const parts: Condition[] = [];
  const add = (part: string) => void parts.push(sql(`ifNull(${part}, 0)`, cost));
  const { number } = test;
  if (float !== undefined && number !== undefined) {
    add(`${float} = ${parameters.add(number.float, 'Float64')}`);
  }
  if (integer !== undefined && number?.integer !== undefined && isBeyondFloat(number.integer)) {
    add(`${integer} = ${parameters.add(number.integer, 'Int64')}`);
  }
  if (boolean !== undefined && test.boolean !== undefined) {
    add(`${boolean} = ${test.boolean ? 'true' : 'false'}`);
  }
  if (text !== undefined) {
    const same = sql(`ifNull(lowerUTF8(${text}) = ${parameters.add(test.text, 'String')}, 0)`, cost);
    parts.push(and([words(isIndexed ? wordsOf(test.text) : []), same]));
  }
  return or(parts, parameters);
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
