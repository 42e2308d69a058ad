/** SQL for values that are matched as a whole. */
import type { FieldColumn, FieldColumnType } from '#storage/index.ts';
import { ALWAYS, and, anyWords, type Condition, type Cost, NEVER, sql, words } from './conditions.ts';
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
import { likePattern, type Wildcard } from './wildcards.ts';
import { wordsOf } from './words.ts';

/** SQL expressions for one value, one for each type it can have: NULL where it has another, or where there is none. */
export interface TypedValues {
  readonly text?: string;
  /** Any number but 64-bit integers. */
  readonly float?: string;
  readonly integer?: string;
  readonly boolean?: string;
}

/** The value of one field. */
export interface ValueColumns extends TypedValues {
  /** The same out of one column: for tests that ask for several types, cheaper than a column for each. */
  readonly together?: TypedValues;
  /** Whether the words of the text are in the index over `text`. */
  readonly isIndexed: boolean;
  readonly cost: Cost;
}

type DynamicColumn = Extract<FieldColumn, { readonly kind: 'dynamic' }>;

/** A field that has no column of its own. */
export function dynamicValues({
  typed,
  element,
}: DynamicColumn): Required<TypedValues> & { readonly together: Required<TypedValues> } {
  const values = (of: (type: FieldColumnType) => string) => ({
    text: of('String'),
    float: of('Float64'),
    integer: of('Int64'),
    boolean: of('Bool'),
  });
  return { ...values(typed), together: values(element) };
}

export function valueCondition(test: ValueTest, columns: ValueColumns, parameters: SqlParameters): Condition {
  switch (test.type) {
    case 'nothing':
      return NEVER;
    case 'equals':
      return anyOfCondition([test], columns, parameters);
    case 'wildcard': {
      const tests = wildcardTests(test.wildcard, parameters);
      return anyTypeCondition(columns, tests, () => words(test.wildcard.words));
    }
    case 'regex':
      if (compileRegex(test.source) === undefined) return NEVER;
      return anyTypeCondition(columns, regexTests(test.source, parameters));
    case 'fuzzy': {
      const near = (text: string) =>
        fuzzyExpression(`lowerUTF8(${text})`, test.text, test.distance, parameters);
      return anyTypeCondition(columns, ({ text }) => [text && near(text)]);
    }
    case 'numbers':
      return anyTypeCondition(columns, numberTests(test, parameters));
    case 'texts': {
      const ends = [
        test.lower && `${test.lower.inclusive ? '>=' : '>'} ${parameters.add(test.lower.text, 'String')}`,
        test.upper && `${test.upper.inclusive ? '<=' : '<'} ${parameters.add(test.upper.text, 'String')}`,
      ].filter((end) => end !== undefined);
      const isWithin = (text: string) => ends.map((end) => `lowerUTF8(${text}) ${end}`).join(' AND ');
      return anyTypeCondition(columns, ({ text }) => [text && isWithin(text)]);
    }
  }
}

/** SQL for each type a value can have, NULL where the value has another one; undefined where none can pass. */
type TypeTests = (values: TypedValues) => readonly (string | undefined)[];

/**
 * A value passes the test of the type it has. The index is asked only when no other type than texts can pass: it knows
 * nothing of the others, so that they would have to be read in any case, and its column for nothing.
 *
 * @param inIndex what the index knows of texts that pass
 */
function anyTypeCondition(
  { together, isIndexed, cost, ...single }: ValueColumns,
  testsOf: TypeTests,
  inIndex: () => Condition = () => ALWAYS,
): Condition {
  const given = (values: TypedValues) => testsOf(values).filter((each) => each !== undefined);
  const tests = given(single);
  const [first] = tests;
  if (first === undefined) return NEVER;
  if (tests.length > 1) return sql(`coalesce(${given(together ?? single).join(', ')}, 0)`, cost);
  const exact = sql(`ifNull(${first}, 0)`, cost);
  const { text: _, ...others } = single;
  return isIndexed && given(others).length === 0 ? and([inIndex(), exact]) : exact;
}

export type EqualsTest = Extract<ValueTest, { type: 'equals' }>;

/**
 * Equal to one of these. However many they are, they are one list for the engine, which takes seconds to understand a
 * statement with hundreds of conditions.
 */
export function anyOfCondition(
  tests: readonly EqualsTest[],
  columns: ValueColumns,
  parameters: SqlParameters,
): Condition {
  const isOneOf = (value: string | undefined, wanted: readonly unknown[], type: string) => {
    if (value === undefined || wanted.length === 0) return undefined;
    return wanted.length === 1
      ? `${value} = ${parameters.add(wanted[0], type)}`
      : `${value} IN ${parameters.add(wanted, `Array(${type})`)}`;
  };
  const numbers = tests.flatMap(({ number }) => number ?? []);
  const floats = unique(numbers.map((number) => number.float));
  const integers = numbers.flatMap(({ integer: whole }) =>
    whole !== undefined && isBeyondFloat(whole) ? [whole] : [],
  );
  const booleans = unique(tests.flatMap((test) => test.boolean ?? []));
  const texts = unique(tests.map((test) => test.text));
  // Nothing but digits and signs becomes them in lower case, so there is no need for it then.
  const folded = (text: string) => (texts.every((each) => CASELESS.test(each)) ? text : `lowerUTF8(${text})`);
  return anyTypeCondition(
    columns,
    ({ text, float, integer, boolean }) => [
      isOneOf(float, floats, 'Float64'),
      isOneOf(integer, unique(integers), 'Int64'),
      isOneOf(boolean, booleans, 'Bool'),
      isOneOf(text && folded(text), texts, 'String'),
    ],
    () => wordsOfAny(texts, parameters),
  );
}

const CASELESS = /^[-+.0-9]*$/;

/** What the indexes can say of a list of values: all words of a single one, a word of each of several. */
function wordsOfAny(texts: readonly string[], parameters: SqlParameters): Condition {
  const [first = ''] = texts;
  if (texts.length === 1) return words(wordsOf(first));
  return anyWords(texts.map(wordsOf), parameters);
}

function unique<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)];
}

function wildcardTests(wildcard: Wildcard, parameters: SqlParameters): TypeTests {
  const pattern = parameters.add(likePattern(wildcard), 'String');
  return (values) => [
    values.text && `lowerUTF8(${values.text}) LIKE ${pattern}`,
    ...(couldBeInNumber(wildcard.longestText)
      ? otherTexts(values).map((other) => `${other} LIKE ${pattern}`)
      : []),
  ];
}

function regexTests(source: string, parameters: SqlParameters): TypeTests {
  const pattern = parameters.add(source, 'String');
  return (values) =>
    [...(values.text === undefined ? [] : [values.text]), ...otherTexts(values)].map(
      (each) => `match(${each}, ${pattern})`,
    );
}

/** Numbers and booleans as texts; see `valueText`. */
function otherTexts({ float, integer, boolean }: TypedValues): string[] {
  return [
    ...(float === undefined ? [] : [`toString(${float} + 0)`]),
    ...(integer === undefined ? [] : [`toString(${integer})`]),
    ...(boolean === undefined ? [] : [`toString(${boolean})`]),
  ];
}

function numberTests(
  { lower, upper }: Extract<ValueTest, { type: 'numbers' }>,
  parameters: SqlParameters,
): TypeTests {
  const pattern = parameters.add(NUMBER_PATTERN, 'String');
  const range = (float: string) => floatRange(float, lower, upper, parameters);
  const isNumber = (text: string) => `length(${text}) <= ${MAX_NUMBER_LENGTH} AND match(${text}, ${pattern})`;
  return ({ text, float, integer }) => [
    float && range(float),
    integer && integerRange(integer, lower, upper, parameters),
    text && `(${isNumber(text)} AND ${range(`toFloat64OrNull(${text})`)})`,
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
  return ends.length === 0 ? `nullIf(${value} IS NOT NULL, 0)` : ends.join(' AND ');
}
