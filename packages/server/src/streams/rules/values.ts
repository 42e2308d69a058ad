import type { FieldValue } from '#core/index.ts';

/** How rules read the values of fields. */

const NUMERIC_TEXT = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const INTEGER_TEXT = /^[+-]?\d+$/;
const LONGEST_NUMERIC_TEXT = 64;

/** Fields that hold a time as milliseconds; rules see them as the API shows them. */
const TIME_FIELDS: ReadonlySet<string> = new Set(['timestamp', 'gl2_receive_timestamp']);

export function isTimeField(field: string): boolean {
  return TIME_FIELDS.has(field);
}

export function timeText(milliseconds: number): string {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? String(milliseconds) : date.toISOString();
}

/** Like `trim`, but fast for texts without white space at their ends, which nearly all are. */
export function trimmed(text: string): string {
  const length = text.length;
  if (length === 0) return text;
  return isPrintable(text.charCodeAt(0)) && isPrintable(text.charCodeAt(length - 1)) ? text : text.trim();
}

export function isBlankText(text: string): boolean {
  return text.length === 0 || (!isPrintable(text.charCodeAt(0)) && text.trim().length === 0);
}

/** Printable ASCII other than the space. */
function isPrintable(code: number): boolean {
  return code > 0x20 && code < 0x7f;
}

/** A number, or the number a text contains; undefined for everything else. Big integers keep all digits. */
export function numberOf(value: FieldValue): number | bigint | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'string') return numberFromText(value);
  return typeof value === 'bigint' ? value : undefined;
}

export function numberFromText(text: string): number | bigint | undefined {
  if (text.length > LONGEST_NUMERIC_TEXT) return undefined;
  const digits = trimmed(text);
  if (!NUMERIC_TEXT.test(digits)) return undefined;
  const number = Number(digits);
  if (Number.isSafeInteger(number) || !INTEGER_TEXT.test(digits)) return number;
  return BigInt(digits.startsWith('+') ? digits.slice(1) : digits);
}
