import type { FieldScalar } from '../edit-query/index.ts';
import type { LogMessage } from './log-message.ts';

/** What a field holds, as text for a cell or the clipboard. */
export function fieldText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(fieldText).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Fields that hold a time, as text in UTC. */
export const TIME_FIELDS: ReadonlySet<string> = new Set(['timestamp', 'gl2_receive_timestamp']);

/** The values of a field that a query can name: each of a list. */
export function scalarsOf(value: unknown): FieldScalar[] {
  if (Array.isArray(value)) return value.flatMap(scalarsOf);
  return isScalar(value) ? [value] : [];
}

function isScalar(value: unknown): value is FieldScalar {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value);
}

/** The whole message as JSON, fields in the order of their names. */
export function messageJson({ id, index, fields }: LogMessage): string {
  const sorted = Object.keys(fields).sort((a, b) => a.localeCompare(b));
  return JSON.stringify(
    { _id: id, ...(index === undefined ? {} : { _index: index }), ...pick(fields, sorted) },
    null,
    2,
  );
}

function pick(fields: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, fields[name]]));
}

/** First what people read first, then the rest by name, then what the server added. */
export function orderedFieldNames(fields: Readonly<Record<string, unknown>>): string[] {
  const FIRST = ['timestamp', 'level', 'source', 'message', 'full_message'];
  const rank = (name: string) => {
    const first = FIRST.indexOf(name);
    if (first >= 0) return first;
    return name === 'streams' || name.startsWith('gl2_') ? FIRST.length + 1 : FIRST.length;
  };
  return Object.keys(fields).sort((a, b) => rank(a) - rank(b) || a.localeCompare(b));
}
