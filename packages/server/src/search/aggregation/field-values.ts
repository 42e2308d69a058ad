/**
 * The values of a field as SQL, for a select list that is evaluated inside the tables of messages. A field may hold
 * numbers in one message and texts in another: each reading says what it makes of them.
 */
import { fieldColumn } from '#storage/index.ts';

/** Ids, titles and addresses that a message may lack are stored as empty texts, a missing port as 0. */
const ALWAYS_THERE: ReadonlySet<string> = new Set(['level', 'timestamp', 'gl2_receive_timestamp']);

/** What messages are put into groups by: the value as it is stored, which the engine compares fastest. */
export interface GroupKey {
  readonly expression: string;
  readonly mayBeMissing: boolean;
  /** `Nullable(String)` over a column with it: the value in words, whatever its type; NULL where there is none. */
  text(column: string): string;
}

/** Undefined for lists, which have no text. */
export function groupKeyOf(field: string): GroupKey | undefined {
  const column = fieldColumn(field);
  const { expression } = column;
  const mayBeMissing = !ALWAYS_THERE.has(field);
  switch (column.kind) {
    case 'dynamic':
      // One look at each value: reading the sub-columns of all types takes the engine several times as long.
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

/** `String`: a time as the API writes it. Columns of times are in UTC. */
export function isoTime(column: string): string {
  return `concat(replaceOne(toString(${column}), ' ', 'T'), 'Z')`;
}

/** `Nullable(String)`: the value in words, whatever its type; NULL where there is none. Lists have no text. */
export function textOf(field: string): string {
  const key = groupKeyOf(field);
  return key === undefined ? "CAST(NULL, 'Nullable(String)')" : key.text(key.expression);
}

/** `Nullable(Float64)`: numbers only; NULL for everything else, also for texts that look like numbers. */
export function numberOf(field: string): string {
  const column = fieldColumn(field);
  switch (column.kind) {
    case 'dynamic':
      return `coalesce(${column.element('Float64')}, toFloat64(${column.element('Int64')}))`;
    case 'time':
      return `toNullable(toFloat64(toUnixTimestamp64Milli(${column.expression})))`;
    case 'number':
      return ALWAYS_THERE.has(field)
        ? `toNullable(toFloat64(${column.expression}))`
        : `toFloat64(nullIf(${column.expression}, 0))`;
    case 'list':
    case 'text':
    case 'keyword':
      return "CAST(NULL, 'Nullable(Float64)')";
  }
}

/** What a value was before it became a text. */
export const VALUE_KINDS = ['string', 'number', 'boolean'] as const;
export type ValueKind = (typeof VALUE_KINDS)[number];

/** `UInt8`: the position of the value's kind in `VALUE_KINDS`. */
export function kindOf(field: string): string {
  const column = fieldColumn(field);
  if (column.kind === 'number') return '1';
  if (column.kind !== 'dynamic') return '0';
  return `multiIf(isNotNull(${column.typed('String')}), 0, isNotNull(${column.typed('Bool')}), 2, 1)`;
}

/** `Array(String)` for the fields that hold several values at once; undefined for all others. */
export function listOf(field: string): string | undefined {
  const column = fieldColumn(field);
  return column.kind === 'list' ? `arrayMap(value -> toString(value), ${column.expression})` : undefined;
}

/** The values of a field for counting them, one column for texts and lists alike. */
export interface AnyValue {
  readonly expression: string;
  /** SQL over a column with the expression's values. */
  isThere(column: string): string;
  /**
   * How many different ones: exact for tens of thousands, some 0.1 % off beyond, never more than 640 KiB of memory (an
   * exact count would need as much memory as there are values).
   */
  different(column: string): string;
}

export function anyValueOf(field: string): AnyValue {
  const list = listOf(field);
  return list === undefined
    ? {
        expression: textOf(field),
        isThere: (column) => `isNotNull(${column})`,
        different: (column) => `uniqCombined64(20)(${column})`,
      }
    : {
        expression: list,
        isThere: (column) => `notEmpty(${column})`,
        different: (column) => `uniqCombined64Array(20)(${column})`,
      };
}
