/** Operators on values whose types are known only when they are evaluated. */
import type { ArithmeticOperator, ComparisonOperator } from './ast.ts';
import { DateTime, Duration, Period } from './values/dates.ts';
import {
  boxDouble,
  DOUBLE_ARITHMETIC,
  LONG_ARITHMETIC,
  type Long,
  longOf,
  WholeDouble,
} from './values/numbers.ts';
import { requireTextLength, textOf, type Value } from './values/value.ts';

/** What is not there gives nothing. Throws for values that the operator does not work with. */
export function dynamicArithmetic(operator: ArithmeticOperator, left: Value, right: Value): Value {
  if (left === undefined || right === undefined) return undefined;
  if (isNumber(left) && isNumber(right)) {
    if (isLong(left) && isLong(right)) return LONG_ARITHMETIC[operator](left, right);
    return boxDouble(DOUBLE_ARITHMETIC[operator](plainNumber(left), plainNumber(right)));
  }
  if (operator === '+' && typeof left === 'string' && typeof right === 'string') {
    requireTextLength(left.length + right.length);
    return left + right;
  }
  const times = operator === '+' || operator === '-' ? timeArithmetic(operator, left, right) : undefined;
  if (times !== undefined) return times;
  throw new Error(`${operator} does not work with "${shortText(left)}" and "${shortText(right)}"`);
}

function timeArithmetic(operator: '+' | '-', left: Value, right: Value): Value {
  const isPlus = operator === '+';
  if (left instanceof DateTime && right instanceof Period)
    return isPlus ? left.plus(right) : left.minus(right);
  if (left instanceof Period && right instanceof DateTime && isPlus) return right.plus(left);
  if (left instanceof Period && right instanceof Period) return isPlus ? left.plus(right) : left.minus(right);
  if (left instanceof DateTime && right instanceof DateTime && !isPlus)
    return new Duration(left.ms - right.ms);
  return undefined;
}

/** False if one of them is not there. */
export function compareValues(operator: ComparisonOperator, left: Value, right: Value): boolean {
  if (left === undefined || right === undefined) return false;
  if (isNumber(left) && isNumber(right)) return compare(operator, comparable(left), comparable(right));
  if (left instanceof DateTime && right instanceof DateTime) return compare(operator, left.ms, right.ms);
  if (left instanceof Duration && right instanceof Duration) return compare(operator, left.ms, right.ms);
  throw new Error(`"${shortText(left)}" and "${shortText(right)}" cannot be compared by ${operator}`);
}

function compare(operator: ComparisonOperator, left: Long, right: Long): boolean {
  switch (operator) {
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    case '>=':
      return left >= right;
  }
}

export function negated(value: Value): Value {
  if (value === undefined) return undefined;
  if (!isNumber(value)) throw new Error(`"${shortText(value)}" is not a number`);
  if (value instanceof WholeDouble) return new WholeDouble(-value.value);
  return typeof value === 'bigint' ? longOf(-value) : value === 0 ? 0 : -value;
}

function isNumber(value: Value): value is number | bigint | WholeDouble {
  return typeof value === 'number' || typeof value === 'bigint' || value instanceof WholeDouble;
}

function isLong(value: number | bigint | WholeDouble): value is Long {
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value));
}

function plainNumber(value: number | bigint | WholeDouble): number {
  return value instanceof WholeDouble ? value.value : Number(value);
}

function comparable(value: number | bigint | WholeDouble): number | bigint {
  return value instanceof WholeDouble ? value.value : value;
}

function shortText(value: Value): string {
  const text = textOf(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
