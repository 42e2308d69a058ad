/** SQL for values that are matched as a whole. */
import type { FieldColumn, FieldColumnType } from '#storage/index.ts';
import { ALWAYS, and, anyWords, type Condition, type Cost, NEVER, sql, words } from './conditions.ts';
import { engineRegex } from './engine-regex.ts';
import { fuzzyExpression } from './fuzzy-sql.ts';
import type { ValueTest } from './meaning.ts';
import {
  exceedsFloatPrecision,
  integerBound,
  MAX_NUMBER_LENGTH,
  mayBeInNumberOrBoolean,
  NUMBER_PATTERN,
  type NumberBound,
} from './numbers.ts';
import { type RegexLiterals, regexLiterals } from './regex-literals.ts';
import { compileRegex } from './regexes.ts';
import type { SqlParameters } from './sql-parameters.ts';
import { likePattern, type Wildcard } from './wildcards.ts';
import { wordsOf } from './words.ts';

/** One SQL expression for each type a value can have: NULL if the value has another type or is missing. */
export interface TypedValues {
  readonly text?: string;
  /** Numbers except 64-bit integers. */
  readonly float?: string;
  readonly integer?: string;
  readonly boolean?: string;
}

/** The value of one field. */
export interface ValueColumns extends TypedValues {
  /** The same values read from one column: cheaper than one sub-column per type for tests over several types. */
  readonly fromOneColumn?: TypedValues;
  /** Whether the words of the text are in the index over `text`. */
  readonly isIndexed: boolean;
  readonly cost: Cost;
}

type DynamicColumn = Extract<FieldColumn, { readonly kind: 'dynamic' }>;

/** For fields without their own column. */
export function dynamicValues({
  typed,
  element,
}: DynamicColumn): Required<TypedValues> & { readonly fromOneColumn: Required<TypedValues> } {
  const values = (of: (type: FieldColumnType) => string) => ({
    text: of('String'),
    float: of('Float64'),
    integer: of('Int64'),
    boolean: of('Bool'),
  });
  return { ...values(typed), fromOneColumn: values(element) };
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
    case 'regex': {
      if (compileRegex(test.source) === undefined) return NEVER;
      const literals = regexLiterals(test.source);
      return anyTypeCondition(columns, regexTests(test.source, literals, parameters), () =>
        words(literals.words),
      );
    }
    case 'fuzzy': {
      const near = (text: string) =>
        fuzzyExpression(`lowerUTF8(${text})`, test.text, test.distance, parameters);
      return anyTypeCondition(columns, ({ text }) => [typeTest(text, near)]);
    }
    case 'numbers':
      return anyTypeCondition(columns, numberTests(test, parameters));
    case 'texts': {
      const ends = [
        test.lower && `${test.lower.inclusive ? '>=' : '>'} ${parameters.add(test.lower.text, 'String')}`,
        test.upper && `${test.upper.inclusive ? '<=' : '<'} ${parameters.add(test.upper.text, 'String')}`,
      ].filter((end) => end !== undefined);
      const isWithin = (text: string) => ends.map((end) => `lowerUTF8(${text}) ${end}`).join(' AND ');
      return anyTypeCondition(columns, ({ text }) => [typeTest(text, isWithin)]);
    }
  }
}

interface TypeTest {
  /** NULL if the value has another type, or is missing. */
  readonly value: string;
  /** SQL about the value. */
  readonly test: string;
}

/** One test per type. Undefined for types of which no value can pass. */
type TypeTests = (values: TypedValues) => readonly (TypeTest | undefined)[];

function typeTest(
  value: string | undefined,
  test: (value: string) => string | undefined,
): TypeTest | undefined {
  const text = value === undefined ? undefined : test(value);
  return value === undefined || text === undefined ? undefined : { value, test: text };
}

/**
 * The test of the type that a value has. The engine evaluates the others only for values that are left, so a field of numbers
 * costs about what a test of its numbers does: `coalesce` over the tests compared a text for every message too.
 */
function testOfType(tests: readonly TypeTest[]): string {
  const [first, ...others] = tests;
  if (first === undefined) return '0';
  const passes = `ifNull(${first.test}, 0)`;
  return others.length === 0 ? passes : `if(isNotNull(${first.value}), ${passes}, ${testOfType(others)})`;
}

/**
 * A value must pass the test of its type. The index lookup is used only when no type but texts can pass: it does not
 * cover the others, so their columns would have to be read anyway.
 *
 * @param inIndex the index lookup for texts that pass
 */
function anyTypeCondition(
  { fromOneColumn, isIndexed, cost, ...single }: ValueColumns,
  testsOf: TypeTests,
  inIndex: () => Condition = () => ALWAYS,
): Condition {
  const given = (values: TypedValues) => testsOf(values).filter((each) => each !== undefined);
  const tests = given(single);
  const [first] = tests;
  if (first === undefined) return NEVER;
  if (tests.length > 1) return sql(testOfType(given(fromOneColumn ?? single)), cost);
  const exact = sql(testOfType(tests), cost);
  const { text: _, ...others } = single;
  return isIndexed && given(others).length === 0 ? and([inIndex(), exact]) : exact;
}

export type EqualsTest = Extract<ValueTest, { type: 'equals' }>;

/**
 * Equal to at least one of these values, as one list. The engine takes seconds to analyse a statement with hundreds of
 * conditions.
 */
export function anyOfCondition(
  tests: readonly EqualsTest[],
  columns: ValueColumns,
  parameters: SqlParameters,
): Condition {
  const isOneOf = (wanted: readonly unknown[], type: string) => (value: string) => {
    if (wanted.length === 0) return undefined;
    return wanted.length === 1
      ? `${value} = ${parameters.add(wanted[0], type)}`
      : `${value} IN ${parameters.add(wanted, `Array(${type})`)}`;
  };
  const numbers = tests.flatMap(({ number }) => number ?? []);
  const floats = unique(numbers.map((number) => number.float));
  const integers = numbers.flatMap(({ integer: whole }) =>
    whole !== undefined && exceedsFloatPrecision(whole) ? [whole] : [],
  );
  const booleans = unique(tests.flatMap((test) => test.boolean ?? []));
  const texts = unique(tests.map((test) => test.text));
  // Digits and signs have no case.
  const folded = (text: string) => (texts.every((each) => CASELESS.test(each)) ? text : `lowerUTF8(${text})`);
  const isOneOfTexts = isOneOf(texts, 'String');
  return anyTypeCondition(
    columns,
    ({ text, float, integer, boolean }) => [
      typeTest(float, isOneOf(floats, 'Float64')),
      typeTest(integer, isOneOf(unique(integers), 'Int64')),
      typeTest(boolean, isOneOf(booleans, 'Bool')),
      typeTest(text, (value) => isOneOfTexts(folded(value))),
    ],
    () => wordsOfAny(texts, parameters),
  );
}

const CASELESS = /^[-+.0-9]*$/;

/** Index lookup for a list of values: all words of a single value, one word of each of several values. */
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
    ...(mayBeInNumberOrBoolean(wildcard.longestText)
      ? otherTexts(values, (other) => `${other} LIKE ${pattern}`)
      : []),
    typeTest(values.text, (text) => `lowerUTF8(${text}) LIKE ${pattern}`),
  ];
}

function regexTests(source: string, { longestText }: RegexLiterals, parameters: SqlParameters): TypeTests {
  const pattern = parameters.add(engineRegex(source), 'String');
  const matches = (text: string) => `match(${text}, ${pattern})`;
  return (values) => [
    ...(mayBeInNumberOrBoolean(longestText) ? otherTexts(values, matches) : []),
    typeTest(values.text, matches),
  ];
}

/** A test of numbers and booleans as texts; see `valueText`. */
function otherTexts(
  { float, integer, boolean }: TypedValues,
  test: (text: string) => string,
): readonly (TypeTest | undefined)[] {
  return [
    typeTest(float, (value) => test(`toString(${value} + 0)`)),
    typeTest(integer, (value) => test(`toString(${value})`)),
    typeTest(boolean, (value) => test(`toString(${value})`)),
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
    typeTest(float, range),
    typeTest(integer, (value) => integerRange(value, lower, upper, parameters)),
    typeTest(text, (value) => `(${isNumber(value)} AND ${range(`toFloat64OrNull(${value})`)})`),
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
  const isSmall = (bound: bigint | undefined) => bound !== undefined && !exceedsFloatPrecision(bound);
  if (isSmall(least) && isSmall(most)) return undefined;
  const ends: string[] = [];
  if (least !== undefined) ends.push(`${value} >= ${parameters.add(least, 'Int64')}`);
  if (most !== undefined) ends.push(`${value} <= ${parameters.add(most, 'Int64')}`);
  return ends.length === 0 ? '1' : ends.join(' AND ');
}
