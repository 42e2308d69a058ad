/** What the sentences of conditions are made of. */
import { countOf, formatCount } from '../format/index.ts';

export type Parameters = Readonly<Record<string, unknown>>;

export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function number(value: unknown, otherwise = 0): number {
  return typeof value === 'number' ? value : otherwise;
}

/** Unlike a count, it may have decimals. */
export function amount(value: unknown): string {
  const given = number(value);
  return Number.isInteger(given) ? formatCount(given) : String(given);
}

export function minutes(value: unknown, otherwise = 5): string {
  return countOf(number(value, otherwise), 'minute');
}

export function hasQuery({ query }: Parameters): boolean {
  return !['', '*'].includes(text(query).trim());
}

export function matching(given: Parameters): string {
  return hasQuery(given) ? ` matching ${text(given.query)}` : '';
}

export function ofMessages(given: Parameters): string {
  return hasQuery(given) ? ` (messages matching ${text(given.query)})` : '';
}

export function forEach({ group_by: fields }: Parameters): string {
  return Array.isArray(fields) && fields.length > 0 ? `, for each ${fields.join(' and ')}` : '';
}
