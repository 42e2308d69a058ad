/** Messages in groups by the values of fields, as SQL. */
import type { PreparedSearch } from '../execution/index.ts';
import { groupKeyOf, listOf, textOf } from './field-values.ts';

/**
 * A table expression with the columns `value_0`, `value_1`, … (`Nullable(String)`, one for each field), `is_first`
 * and the further ones. A message is one row, or as many as a field of it has values: then only one of them
 * `is_first`, so that messages can be counted all the same.
 */
export function groupedRows(
  search: Pick<PreparedSearch, 'source'>,
  fields: readonly string[],
  further: readonly string[] = [],
): string {
  const { rows, isSplit } = splitRows(search, fields, { name: 'value', of: textOf }, further);
  return isSplit ? rows : `(SELECT *, toUInt8(1) AS is_first FROM ${rows})`;
}

/** Messages by the values of fields as they are stored: to be grouped first and put into words then. */
export interface KeyRows {
  /** A table expression with the columns `key_0`, …, the further ones and, when it `isSplit`, `is_first`. */
  readonly rows: string;
  /** Whether a message may be several rows. */
  readonly isSplit: boolean;
  /** SQL over each `key_…`: `Nullable(String)`. */
  readonly texts: readonly string[];
  /** Whether some message may lack one of the values. */
  readonly mayBeMissing: boolean;
}

export function keyRows(
  search: Pick<PreparedSearch, 'source'>,
  fields: readonly string[],
  further: readonly string[] = [],
): KeyRows {
  const keys = fields.map(groupKeyOf);
  const expression = (field: string) => groupKeyOf(field)?.expression ?? textOf(field);
  return {
    ...splitRows(search, fields, { name: 'key', of: expression }, further),
    texts: keys.map((key, at) => key?.text(`key_${at}`) ?? `key_${at}`),
    mayBeMissing: keys.some((key) => key?.mayBeMissing ?? true),
  };
}

/** The first field that holds several values makes a row of each. */
function splitRows(
  search: Pick<PreparedSearch, 'source'>,
  fields: readonly string[],
  column: { readonly name: string; of(field: string): string },
  further: readonly string[],
): { readonly rows: string; readonly isSplit: boolean } {
  const listAt = fields.findIndex((field) => listOf(field) !== undefined);
  const columns = fields.map((field, at) =>
    at === listAt ? `${listOf(field)} AS list_${at}` : `${column.of(field)} AS ${column.name}_${at}`,
  );
  const source = search.source([...columns, ...further]);
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

/** A field named twice makes no further groups. */
export function differentFields(fields: readonly string[]): string[] {
  return [...new Set(fields)];
}
