import type { FieldMappingType } from '@millrace/contract';
import type { FieldValue } from '#core/index.ts';

/** Fields whose type somebody chose, by their names. */
export type FieldTypes = Readonly<Record<string, FieldMappingType>>;

/** Gives a value another type. One that has no such value stays as it is: nothing of a message is lost. */
export type FieldConversion = (value: FieldValue) => FieldValue;

const INTEGER = /^[+-]?\d{1,19}$/;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
/** Longer texts are no numbers that anybody means. */
const MAX_NUMBER_LENGTH = 100;

const CONVERSIONS: Readonly<Record<FieldMappingType, FieldConversion>> = {
  string: String,
  string_fts: String,
  long(value) {
    const number = typeof value === 'string' ? integerOf(value.trim()) : value;
    return typeof number === 'number' && Number.isFinite(number) ? Math.trunc(number) : number;
  },
  double: (value) => (typeof value === 'string' ? (numberOf(value.trim()) ?? value) : value),
  boolean: (value) => (value === 'true' ? true : value === 'false' ? false : value),
};

function integerOf(text: string): FieldValue {
  if (!INTEGER.test(text)) return numberOf(text) ?? text;
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text.replace('+', ''));
}

function numberOf(text: string): number | undefined {
  if (text.length > MAX_NUMBER_LENGTH || !NUMBER.test(text)) return undefined;
  const number = Number(text);
  return Number.isFinite(number) ? number : undefined;
}

/** What to do with the values at each position; undefined if none of these fields has a type that was chosen. */
export function conversionsOf(
  names: readonly string[],
  types: FieldTypes | undefined,
): readonly (FieldConversion | undefined)[] | undefined {
  if (types === undefined) return undefined;
  const found = names.map((name) => (Object.hasOwn(types, name) ? types[name] : undefined));
  if (found.every((type) => type === undefined)) return undefined;
  return found.map((type) => type && CONVERSIONS[type]);
}
