/** Numbers in queries and in values, for both evaluators. */
import type { FieldValue } from '#core/index.ts';

/** A number in a query. */
export interface QueryNumber {
  /** For comparison with floating point numbers. */
  readonly float: number;
  /** For comparison with 64-bit integers: the exact value; undefined if it is not an integer or exceeds 64 bits. */
  readonly integer: bigint | undefined;
}

export interface NumberBound {
  readonly number: QueryNumber;
  readonly inclusive: boolean;
}

/** What counts as a number, in queries and in text values. Valid for RE2 and JavaScript. */
export const NUMBER_PATTERN = '^[+-]?(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?$';
const NUMBER = new RegExp(NUMBER_PATTERN);
/** Longer texts do not count as numbers. */
export const MAX_NUMBER_LENGTH = 64;
const INTEGER = /^[+-]?[0-9]+$/;

export const MIN_INT64 = -(2n ** 63n);
export const MAX_INT64 = 2n ** 63n - 1n;

export function parseNumber(text: string): QueryNumber | undefined {
  const float = textAsNumber(text);
  if (float === undefined || !Number.isFinite(float)) return undefined;
  if (INTEGER.test(text)) return { float, integer: inInt64(BigInt(text.replace('+', ''))) };
  return { float, integer: Number.isInteger(float) ? inInt64(BigInt(float)) : undefined };
}

/** The number in a text, as ClickHouse's `toFloat64OrNull` reads it; undefined if the text does not match the pattern. */
export function textAsNumber(text: string): number | undefined {
  return text.length <= MAX_NUMBER_LENGTH && NUMBER.test(text) ? Number(text) : undefined;
}

function inInt64(value: bigint): bigint | undefined {
  return value >= MIN_INT64 && value <= MAX_INT64 ? value : undefined;
}

/** `true` and `false`, in any case. */
export function parseBoolean(folded: string): boolean | undefined {
  if (folded === 'true') return true;
  return folded === 'false' ? false : undefined;
}

/**
 * Integers up to 2^53 are stored as floating point numbers (`FieldValue`), so a search need not read the column of
 * 64-bit integers for them.
 */
export function exceedsFloatPrecision(integer: bigint): boolean {
  return integer > MAX_SAFE || integer < -MAX_SAFE;
}
const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);

export function equalsNumber(value: number | bigint, wanted: QueryNumber): boolean {
  return typeof value === 'number' ? value === wanted.float : value === wanted.integer;
}

/**
 * The smallest or largest 64-bit integer within a bound; undefined when all integers are, null when none is. For
 * integers, every bound can be written as an inclusive one.
 */
export function integerBound(bound: NumberBound, side: 'lower' | 'upper'): bigint | undefined | null {
  const { number, inclusive } = bound;
  const step = side === 'lower' ? 1n : -1n;
  let edge: bigint;
  if (number.integer !== undefined) {
    edge = inclusive ? number.integer : number.integer + step;
  } else {
    const rounded = side === 'lower' ? Math.ceil(number.float) : Math.floor(number.float);
    edge = BigInt(rounded);
  }
  if (edge > MAX_INT64) return side === 'lower' ? null : undefined;
  if (edge < MIN_INT64) return side === 'lower' ? undefined : null;
  return edge;
}

/** Returns a test for numbers within the bounds. */
export function numberRangeTest(
  lower: NumberBound | undefined,
  upper: NumberBound | undefined,
): (value: number | bigint) => boolean {
  const from = lower?.number.float ?? Number.NEGATIVE_INFINITY;
  const to = upper?.number.float ?? Number.POSITIVE_INFINITY;
  const withFrom = lower?.inclusive ?? true;
  const withTo = upper?.inclusive ?? true;
  const least = lower === undefined ? undefined : integerBound(lower, 'lower');
  const most = upper === undefined ? undefined : integerBound(upper, 'upper');
  return (value) => {
    if (typeof value === 'bigint') {
      if (least === null || most === null) return false;
      return (least === undefined || value >= least) && (most === undefined || value <= most);
    }
    return (withFrom ? value >= from : value > from) && (withTo ? value <= to : value < to);
  };
}

/** A value as ClickHouse's `toString` writes it, for patterns over numbers and booleans. */
export function valueText(value: FieldValue): string {
  if (typeof value === 'string') return value;
  // JavaScript writes 1e+21, ClickHouse 1e21. JavaScript writes 0 for -0; the SQL adds 0 to get the same.
  return typeof value === 'number' ? String(value).replace('e+', 'e') : String(value);
}

/** Whether a text can be part of a written number or boolean. If not, only text values need to be tested. */
export function mayBeInNumberOrBoolean(folded: string): boolean {
  return /^[-+.0-9e]*$/.test(folded) || 'true'.includes(folded) || 'false'.includes(folded);
}
