import { asPhrase, asTerm } from '@millrace/query';

/** Whole numbers beyond 2^53 are a `bigint`. */
export type FieldScalar = string | number | bigint | boolean;

/** Words that need no quotes anywhere in a query. */
const PLAIN = /^[\p{L}\p{N}_][\p{L}\p{N}_.@-]*$/u;
const OPERATOR = /^(?:and|or|not|to)$/i;

/** A value as it stands behind `field:` and inside brackets. */
export function valueText(value: FieldScalar): string {
  const text = String(value);
  if (PLAIN.test(text) && !OPERATOR.test(text)) return text;
  return typeof value === 'number' || typeof value === 'bigint' ? asTerm(text) : asPhrase(text);
}

/** The clause that finds messages with this value. */
export function valueClause(field: string, value: FieldScalar): string {
  return `${asTerm(field)}:${valueText(value)}`;
}
