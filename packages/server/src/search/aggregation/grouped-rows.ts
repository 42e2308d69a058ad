/** Messages in groups by the values of fields, as SQL. */
import type { PreparedSearch } from '../execution/index.ts';
import { listOf, textOf } from './field-values.ts';

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
  const listAt = fields.findIndex((field) => listOf(field) !== undefined);
  const columns = fields.map((field, at) =>
    at === listAt ? `${listOf(field)} AS list_${at}` : `${textOf(field)} AS value_${at}`,
  );
  const source = search.source([...columns, ...further]);
  if (listAt < 0) return `(SELECT *, toUInt8(1) AS is_first FROM ${source})`;
  const list = `list_${listAt}`;
  const none = "(CAST(NULL, 'Nullable(String)'), toUInt8(1))";
  const each = `arrayMap((value, place) -> (toNullable(value), toUInt8(place = 1)), ${list}, arrayEnumerate(${list}))`;
  const pairs = `(SELECT * EXCEPT ${list}, arrayJoin(if(empty(${list}), [${none}], ${each})) AS pair FROM ${source})`;
  return `(SELECT * EXCEPT pair, pair.1 AS value_${listAt}, pair.2 AS is_first FROM ${pairs})`;
}

export function valueColumns(fields: readonly string[]): string[] {
  return fields.map((_, at) => `value_${at}`);
}

/** A field named twice makes no further groups. */
export function differentFields(fields: readonly string[]): string[] {
  return [...new Set(fields)];
}
