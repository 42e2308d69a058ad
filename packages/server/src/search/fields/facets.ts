/** The most frequent values of several fields, in one statement that reads the messages once. */
import type { FacetRequest, FacetResponse } from '@millrace/contract';
import { listOf, textOf } from '../aggregation/field-values.ts';
import type { Count } from '../aggregation/numbers.ts';
import type { PreparedSearch, Searches } from '../execution/index.ts';
import { missingIn, rangeOf, type SearchCaller, searchInputOf } from '../search-caller.ts';

const MAX_VALUE_LENGTH = 4096;

interface FacetRow {
  readonly place: number;
  readonly total: Count;
  readonly present: Count;
  readonly counted: Count;
  readonly different: Count;
  readonly top: readonly (readonly [negativeCount: Count, value: string])[];
}

export async function facets(
  searches: Searches,
  { principal, signal }: SearchCaller,
  request: FacetRequest,
): Promise<FacetResponse> {
  const search = await searches.prepare(principal, searchInputOf(request));
  const fields = [...new Set(request.fields)];
  const rows = await searches.rows<FacetRow>(search, facetsSql(search, fields, request.size), {
    principal,
    signal,
  });
  const byPlace = new Map(rows.map((row) => [row.place, row]));
  return {
    total: Number(rows[0]?.total ?? 0),
    facets: fields.map((field, place) => facetOf(field, byPlace.get(place))),
    effective_timerange: rangeOf(search.span),
    ...missingIn(search),
  };
}

/**
 * Each message becomes one row for each value of each field, and one row for each field it does not have. The select
 * inside the tables has only the values, because it is repeated for every index set.
 */
function facetsSql(search: PreparedSearch, fields: readonly string[], size: number): string {
  const columns = fields.map((field, place) => `${listOf(field) ?? textOf(field)} AS value_${place}`);
  const single = fields.flatMap((field, place) =>
    listOf(field) === undefined ? [`(toUInt8(${place}), value_${place}, toUInt8(1))`] : [],
  );
  const lists = fields.flatMap((field, place) =>
    listOf(field) === undefined ? [] : [valuesOfList(`value_${place}`, place)],
  );
  const values = [...(single.length === 0 ? [] : [`[${single.join(', ')}]`]), ...lists];
  const joined = `SELECT arrayJoin(arrayConcat(${values.join(', ')})) AS pair FROM ${search.source(columns)}`;
  const groups = `SELECT pair.1 AS place, pair.2 AS value, count() AS messages, sum(pair.3) AS firsts FROM (${joined}) GROUP BY place, value`;
  const figures = [
    'sum(firsts) AS total',
    'sumIf(firsts, isNotNull(value)) AS present',
    'sumIf(messages, isNotNull(value)) AS counted',
    'countIf(isNotNull(value)) AS different',
    `groupArraySortedIf(${size})((-toInt64(messages), leftUTF8(assumeNotNull(value), ${MAX_VALUE_LENGTH})), isNotNull(value)) AS top`,
  ];
  return `SELECT place, ${figures.join(', ')} FROM (${groups}) GROUP BY place ORDER BY place`;
}

/** Only the first value counts as a message. */
function valuesOfList(list: string, place: number): string {
  const none = `[(toUInt8(${place}), CAST(NULL, 'Nullable(String)'), toUInt8(1))]`;
  const each = `arrayMap((value, at) -> (toUInt8(${place}), toNullable(value), toUInt8(at = 1)), ${list}, arrayEnumerate(${list}))`;
  return `if(empty(${list}), ${none}, ${each})`;
}

function facetOf(field: string, row: FacetRow | undefined): FacetResponse['facets'][number] {
  const present = Number(row?.present ?? 0);
  const values = (row?.top ?? []).map(([negative, value]) => ({
    value,
    count: -Number(negative),
    share: Math.min(1, -Number(negative) / present),
  }));
  return {
    field,
    present,
    missing: Number(row?.total ?? 0) - present,
    distinct: Number(row?.different ?? 0),
    values,
    other: Number(row?.counted ?? 0) - values.reduce((sum, { count }) => sum + count, 0),
  };
}
