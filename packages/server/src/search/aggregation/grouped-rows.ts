/** Messages in groups by the values of fields, as SQL. */
import type { PreparedSearch } from '../execution/index.ts';
import { groupKeyOf, listOf, textOf } from './field-values.ts';

/**
 * A table expression with the columns `value_0`, `value_1`, … (`Nullable(String)`, one for each field), `is_first` and
 * the extra columns. A message is one row, or one row for each value of a list field. Only one of its rows `is_first`,
 * so that messages can still be counted.
 */
export function groupedRows(
  search: Pick<PreparedSearch, 'source'>,
  fields: readonly string[],
  extraColumns: readonly string[] = [],
): string {
  const { rows, isSplit } = splitRows(search, fields, { name: 'value', of: textOf }, extraColumns);
  return isSplit ? rows : `(SELECT *, toUInt8(1) AS is_first FROM ${rows})`;
}

/** Messages with the stored values of fields: group by these first, and turn the groups into texts afterwards. */
export interface KeyRows {
  /** A table expression with the columns `key_0`, …, the extra columns and, if it `isSplit`, `is_first`. */
  readonly rows: string;
  /** Whether a message may have several rows. */
  readonly isSplit: boolean;
  /** `Nullable(String)`: SQL over each `key_…`. */
  readonly texts: readonly string[];
  /** Whether a message may lack one of the values. */
  readonly mayBeMissing: boolean;
}

export function keyRows(
  search: Pick<PreparedSearch, 'source'>,
  fields: readonly string[],
  extraColumns: readonly string[] = [],
): KeyRows {
  const keys = fields.map(groupKeyOf);
  const expression = (field: string) => groupKeyOf(field)?.expression ?? textOf(field);
  return {
    ...splitRows(search, fields, { name: 'key', of: expression }, extraColumns),
    texts: keys.map((key, at) => key?.text(`key_${at}`) ?? `key_${at}`),
    mayBeMissing: keys.some((key) => key?.mayBeMissing ?? true),
  };
}

/** Splits the first list field into one row per value. */
function splitRows(
  search: Pick<PreparedSearch, 'source'>,
  fields: readonly string[],
  column: { readonly name: string; of(field: string): string },
  extraColumns: readonly string[],
): { readonly rows: string; readonly isSplit: boolean } {
  const listAt = fields.findIndex((field) => listOf(field) !== undefined);
  const columns = fields.map((field, at) =>
    at === listAt ? `${listOf(field)} AS list_${at}` : `${column.of(field)} AS ${column.name}_${at}`,
  );
  const source = search.source([...columns, ...extraColumns]);
  if (listAt < 0) return { rows: source, isSplit: false };
  const list = `list_${listAt}`;
  const none = "(CAST(NULL, 'Nullable(String)'), toUInt8(1))";
  const each = `arrayMap((value, place) -> (toNullable(value), toUInt8(place = 1)), ${list}, arrayEnumerate(${list}))`;
  const pairs = `(SELECT * EXCEPT ${list}, arrayJoin(if(empty(${list}), [${none}], ${each})) AS pair FROM ${source})`;
  return {
    rows: `(SELECT * EXCEPT pair, pair.1 AS ${column.name}_${listAt}, pair.2 AS is_first FROM ${pairs})`,
    isSplit: true,
  };
}

export function valueColumns(fields: readonly string[]): string[] {
  return fields.map((_, at) => `value_${at}`);
}

export function uniqueFields(fields: readonly string[]): string[] {
  return [...new Set(fields)];
}
