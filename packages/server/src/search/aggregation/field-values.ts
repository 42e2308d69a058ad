/**
 * The values of a field as SQL expressions over a table of messages. A field may hold numbers in one message and texts
 * in another; each function says how it treats them.
 */
import { fieldColumn } from '#storage/index.ts';
import { visibleColumn } from '../own-fields.ts';

/** Other fields with their own column may be missing: then an empty text is stored, or 0 for a port. */
const ALWAYS_PRESENT: ReadonlySet<string> = new Set(['level', 'timestamp', 'gl2_receive_timestamp']);

/** A key to group messages by: the stored value, which the engine compares fastest. */
export interface GroupKey {
  readonly expression: string;
  readonly mayBeMissing: boolean;
  /** `Nullable(String)` over a column with the key: the value of any type as text, NULL if it is missing. */
  text(column: string): string;
}

/** Undefined for lists. */
export function groupKeyOf(field: string): GroupKey | undefined {
  const column = fieldColumn(field);
  const { expression } = column;
  const mayBeMissing = !ALWAYS_PRESENT.has(field);
  switch (column.kind) {
    case 'dynamic':
      // One column instead of the sub-columns of all types, which take several times as long to read.
      return { expression: `CAST(${expression}, 'Nullable(String)')`, mayBeMissing, text: (value) => value };
    case 'time':
      return {
        expression,
        mayBeMissing,
        text: (value) => `toNullable(${isoTime(value)})`,
      };
    case 'number':
      return {
        expression,
        mayBeMissing,
        text: (value) => (mayBeMissing ? `toString(nullIf(${value}, 0))` : `toNullable(toString(${value}))`),
      };
    case 'text':
    case 'keyword':
      return { expression, mayBeMissing, text: (value) => `nullIf(toString(${value}), '')` };
    case 'list':
      return undefined;
  }
}

/** `String`: a time as the API writes it. Time columns are in UTC. */
export function isoTime(column: string): string {
  return `concat(replaceOne(toString(${column}), ' ', 'T'), 'Z')`;
}

/** `String`: the same with an offset, `2026-01-01T09:00:00.000+08:00`. @param zone SQL for the name of a time zone */
export function isoTimeIn(column: string, zone: string): string {
  const local = `toTimeZone(${column}, ${zone})`;
  const offset = `formatDateTime(${local}, '%z')`;
  return `concat(replaceOne(toString(${local}), ' ', 'T'), substring(${offset}, 1, 3), ':', substring(${offset}, 4))`;
}

/** `Nullable(String)`: the value of any type as text; NULL if it is missing, and for lists. */
export function textOf(field: string): string {
  const key = groupKeyOf(field);
  return key === undefined ? "CAST(NULL, 'Nullable(String)')" : key.text(key.expression);
}

/** `Nullable(Float64)`: NULL for anything but numbers, including texts that look like numbers. */
export function numberOf(field: string): string {
  const column = fieldColumn(field);
  switch (column.kind) {
    case 'dynamic':
      return `coalesce(${column.element('Float64')}, toFloat64(${column.element('Int64')}))`;
    case 'time':
      return `toNullable(toFloat64(toUnixTimestamp64Milli(${column.expression})))`;
    case 'number':
      return ALWAYS_PRESENT.has(field)
        ? `toNullable(toFloat64(${column.expression}))`
        : `toFloat64(nullIf(${column.expression}, 0))`;
    case 'list':
    case 'text':
    case 'keyword':
      return "CAST(NULL, 'Nullable(Float64)')";
  }
}

/** `Nullable(DateTime64)`: a time, also one in a text; undefined for fields that cannot hold one. */
export function timeOf(field: string): string | undefined {
  const column = fieldColumn(field);
  if (column.kind === 'time') return column.expression;
  if (column.kind !== 'dynamic') return undefined;
  return `parseDateTime64BestEffortOrNull(${column.element('String')}, 3, 'UTC')`;
}

/** The original type of a value that became a text. */
export const VALUE_KINDS = ['string', 'number', 'boolean'] as const;
export type ValueKind = (typeof VALUE_KINDS)[number];

/** `UInt8`: the position of the value's kind in `VALUE_KINDS`. */
export function kindOf(field: string): string {
  const column = fieldColumn(field);
  if (column.kind === 'number') return '1';
  if (column.kind !== 'dynamic') return '0';
  return `multiIf(isNotNull(${column.typed('String')}), 0, isNotNull(${column.typed('Bool')}), 2, 1)`;
}

/** `Array(String)` for fields that hold several values; undefined for all others. */
export function listOf(field: string): string | undefined {
  const column = fieldColumn(field);
  return column.kind === 'list' ? `arrayMap(value -> toString(value), ${visibleColumn(field)})` : undefined;
}

/** The values of a field for counting: one interface for texts and lists. */
export interface AnyValue {
  readonly expression: string;
  /** SQL over a column with the expression's values. */
  isPresent(column: string): string;
  /**
   * The number of distinct values. Exact up to tens of thousands, then off by some 0.1 %. It takes at most 640 KiB of
   * memory; the memory for an exact count would grow with the number of values.
   */
  distinct(column: string): string;
}

export function anyValueOf(field: string): AnyValue {
  const list = listOf(field);
  return list === undefined
    ? {
        expression: textOf(field),
        isPresent: (column) => `isNotNull(${column})`,
        distinct: (column) => `uniqCombined64(20)(${column})`,
      }
    : {
        expression: list,
        isPresent: (column) => `notEmpty(${column})`,
        distinct: (column) => `uniqCombined64Array(20)(${column})`,
      };
}
