import { DateTime, type Long, longOf, textOf, truncated, type Value, WholeDouble } from '@millrace/rules';

const INTEGER = /^[+-]?\d{1,19}$/;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
/** So many digits are a number without loss. */
const EXACT_DIGITS = 15;
const ZERO = '0'.charCodeAt(0);
const LONGEST_NUMBER = 400;

export function isLong(value: Value): value is Long {
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value));
}

export function isDouble(value: Value): value is number | WholeDouble {
  return value instanceof WholeDouble || (typeof value === 'number' && !Number.isInteger(value));
}

/** Undefined: the value is not a number, nor a text of one. */
export function longOfValue(value: Value): Long | undefined {
  if (isLong(value)) return value;
  if (isDouble(value)) return truncated(typeof value === 'number' ? value : value.value);
  if (value instanceof DateTime) return value.ms;
  if (value === undefined) return undefined;
  return longOfText(typeof value === 'string' ? value : textOf(value));
}

function longOfText(untrimmed: string): Long | undefined {
  const digits = valueOfDigits(untrimmed);
  if (digits >= 0) return digits;
  const text = untrimmed.trim();
  if (!INTEGER.test(text)) return undefined;
  const integer = BigInt(text.startsWith('+') ? text.slice(1) : text);
  return BigInt.asIntN(64, integer) === integer ? longOf(integer) : undefined;
}

/** The usual case, and much faster. -1: the text has something else than a few digits. */
function valueOfDigits(text: string): number {
  if (text.length === 0 || text.length > EXACT_DIGITS) return -1;
  let number = 0;
  for (let at = 0; at < text.length; at++) {
    const digit = text.charCodeAt(at) - ZERO;
    if (digit < 0 || digit > 9) return -1;
    number = number * 10 + digit;
  }
  return number;
}

export function doubleOf(value: Value): number | undefined {
  if (isLong(value)) return Number(value);
  if (isDouble(value)) return typeof value === 'number' ? value : value.value;
  if (value === undefined) return undefined;
  const text = textOf(value).trim();
  return text.length <= LONGEST_NUMBER && NUMBER.test(text) ? Number(text) : undefined;
}

/** The language of a locale as Java writes it: `tr_TR`. What is none is English, as in Java. */
export function languageOf(locale: string | undefined): string {
  const tag = (locale ?? 'en').replaceAll('_', '-');
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? 'en';
  } catch {
    return 'en';
  }
}
