/**
 * Where a field is in the table of messages: in its own column, or at a path in `fields`.
 *
 * For ClickHouse a dot in a path of a JSON column separates objects, so `web` and `web.port` could not both have a value
 * when the column is read as a whole. Field names keep their dots, so a dot is written as `%2E` (as ClickHouse itself
 * does with `json_type_escape_dots_in_keys`), and `%` as `%25`.
 */
import type { FieldValue } from '#core/index.ts';
import { quoteIdentifier } from '../clickhouse/index.ts';

/** The path of a field in `fields`. */
export function fieldPath(name: string): string {
  return /[.%]/.test(name) ? name.replaceAll('%', '%25').replaceAll('.', '%2E') : name;
}

/** The name of the field at a path of `fields`. */
export function fieldNameOfPath(path: string): string {
  return path.includes('%') ? path.replaceAll('%2E', '.').replaceAll('%25', '%') : path;
}

/** The types of values in `fields`. Different messages may have different types in the same field. */
export type FieldColumnType = 'Float64' | 'Int64' | 'String' | 'Bool';

/** How a search reads a field. */
export type FieldColumn =
  /** A column of the table. `expression` is SQL; `kind` says how its values are compared. */
  | { readonly kind: 'text' | 'keyword' | 'number' | 'time' | 'list'; readonly expression: string }
  /**
   * A path in `fields`: any value (`Dynamic`), the sub-column of one type (NULL where the value has another type), or
   * the same extracted from the column with all types, which is cheaper for queries that need several types.
   */
  | {
      readonly kind: 'dynamic';
      readonly expression: string;
      typed(type: FieldColumnType): string;
      element(type: FieldColumnType): string;
    };

const OWN_COLUMNS: ReadonlyMap<string, FieldColumn> = new Map<string, FieldColumn>([
  ['_id', { kind: 'keyword', expression: 'id' }],
  ['gl2_message_id', { kind: 'keyword', expression: 'id' }],
  ['timestamp', { kind: 'time', expression: 'timestamp' }],
  ['message', { kind: 'text', expression: 'message' }],
  ['full_message', { kind: 'text', expression: 'full_message' }],
  ['source', { kind: 'text', expression: 'source' }],
  ['level', { kind: 'number', expression: 'level' }],
  ['streams', { kind: 'list', expression: 'streams' }],
  ['gl2_source_input', { kind: 'keyword', expression: 'input' }],
  ['gl2_source_node', { kind: 'keyword', expression: 'node' }],
  ['gl2_remote_ip', { kind: 'keyword', expression: 'remote_address' }],
  ['gl2_remote_port', { kind: 'number', expression: 'remote_port' }],
  ['gl2_receive_timestamp', { kind: 'time', expression: 'received_at' }],
]);

/** The fields that have their own column, by their names in the API. */
export const OWN_FIELD_NAMES: readonly string[] = [...OWN_COLUMNS.keys()];

/** Where to find a field, whatever its name. The expressions are safe to put into SQL. */
export function fieldColumn(name: string): FieldColumn {
  const own = OWN_COLUMNS.get(name);
  if (own !== undefined) return own;
  const expression = `fields.${quoteIdentifier(fieldPath(name))}`;
  return {
    kind: 'dynamic',
    expression,
    typed: (type) => `${expression}.:${type}`,
    element: (type) => `dynamicElement(${expression}, '${type}')`,
  };
}

/** A number for which the reviver also gets the source text. */
interface ReviverContext {
  readonly source?: string;
}

/** A number that loses digits has at least as many. */
const MANY_DIGITS = /\d{16}/;

/** The additional fields of a stored message from `toJSONString(fields)`, without losing digits. */
export function parseFields(text: string): Map<string, FieldValue> {
  // A function that sees every value makes parsing four times as slow.
  const parsed: Record<string, FieldValue> = MANY_DIGITS.test(text)
    ? JSON.parse(text, withAllDigits)
    : JSON.parse(text);
  const fields = new Map<string, FieldValue>();
  for (const path in parsed) fields.set(fieldNameOfPath(path), parsed[path] as FieldValue);
  return fields;
}

function withAllDigits(_key: string, value: unknown, context?: ReviverContext): unknown {
  return typeof value === 'number' && losesDigits(value, context?.source ?? '')
    ? BigInt(context?.source ?? '')
    : value;
}

function losesDigits(value: number, source: string): boolean {
  return !Number.isSafeInteger(value) && /^-?\d+$/.test(source) && String(value) !== source;
}

/** With these settings `toJSONString(fields)` writes integers as numbers with all digits. */
export const EXACT_JSON_SETTINGS = { output_format_json_quote_64bit_integers: 0 } as const;
