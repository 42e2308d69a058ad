/** Pivots of views: groups in rows and columns, in the shape of Graylog's charts and tables. */
import type {
  GroupingRequest,
  MetricRequest,
  ViewGroup,
  ViewPivot,
  ViewPivotResult,
} from '@millrace/contract';
import { InvalidError } from '#core/index.ts';
import { entitiesOf, type PivotRequest, pivotCells, runPivot, type SortKey } from '../aggregation/index.ts';
import type { PreparedSearch, Searches } from '../execution/index.ts';
import type { SearchCaller } from '../search-caller.ts';

type PivotResult = Pick<ViewPivotResult, 'rows' | 'total' | 'column_names'>;
type ResultRow = ViewPivotResult['rows'][number];
type ResultValue = ResultRow['values'][number];
type Cells = { readonly keys: string[]; readonly figures: ResultValue['value'][] };

/** A series that counts messages, added for `total`. */
const TOTAL: MetricRequest = {
  function: 'count',
  field: undefined,
  sort: undefined,
  configuration: undefined,
};

/** Runs one statement for the totals, one for the rows and one for the columns within them. */
export async function viewPivot(
  searches: Searches,
  caller: SearchCaller,
  prepare: () => Promise<PreparedSearch>,
  pivot: ViewPivot,
): Promise<PivotResult> {
  const rowGroups = groupingsOf(pivot.row_groups ?? []);
  const columnGroups = groupingsOf(pivot.column_groups ?? []);
  const metrics = metricsOf(pivot);
  const names = pivot.series.map(seriesName);
  const order = sortKeysOf(pivot, [...rowGroups, ...columnGroups], names);
  const ask = async (request: PivotRequest) => cellsOf(searches, caller, await prepare(), request);

  const [whole] = await ask({ groupings: [], metrics: [...metrics, TOTAL] });
  const total = Number(whole?.figures.at(-1) ?? 0);
  const rows = rowGroups.length === 0 ? [] : await ask({ groupings: rowGroups, metrics, order });
  const columns =
    columnGroups.length === 0
      ? []
      : await ask({ groupings: [...rowGroups, ...columnGroups], metrics, order });
  const columnsOf = Map.groupBy(columns, ({ keys }) => keyText(keys.slice(0, rowGroups.length)));

  // Without columns they are the values of the row itself.
  const hasRowTotals = columnGroups.length === 0 || pivot.rollup !== false;
  const result: ResultRow[] = rows.map(({ keys, figures }) => ({
    key: keys,
    values: [
      ...columnValues(columnsOf.get(keyText(keys)) ?? [], rowGroups.length, names),
      ...(hasRowTotals ? valuesOf(names, figures, 'row-leaf') : []),
    ],
    source: 'leaf',
  }));
  if (rowGroups.length === 0 || pivot.rollup === true) {
    result.push({
      key: [],
      values: [
        ...(rowGroups.length === 0 ? columnValues(columns, 0, names) : []),
        ...(hasRowTotals
          ? valuesOf(names, whole?.figures ?? [], rowGroups.length === 0 ? 'row-leaf' : 'row-inner')
          : []),
      ],
      source: rowGroups.length === 0 ? 'leaf' : 'non-leaf',
    });
  }
  const inColumns = columns.flatMap(({ keys }) =>
    names.map((name) => [...keys.slice(rowGroups.length), name].join(', ')),
  );
  const leaves = columnGroups.length === 0 ? names : inColumns;
  return { rows: result, total, column_names: columnNames(pivot, leaves) };
}

function columnNames({ row_groups = [] }: ViewPivot, names: readonly string[]): string[] {
  const fields = row_groups.flatMap(
    ({ field, fields: several }) => several ?? (field === undefined ? [] : [field]),
  );
  return [...fields, ...[...new Set(names)].toSorted()];
}

async function cellsOf(
  searches: Searches,
  caller: SearchCaller,
  search: PreparedSearch,
  request: PivotRequest,
): Promise<Cells[]> {
  const { pivot, rows } = await runPivot(searches, caller, search, request);
  return pivotCells(rows, pivot, []).map((cells) => ({
    keys: cells.slice(0, pivot.groupings.length).map(String),
    figures: cells.slice(pivot.groupings.length),
  }));
}

function keyText(keys: readonly string[]): string {
  return JSON.stringify(keys);
}

function columnValues(columns: readonly Cells[], rowKeys: number, names: readonly string[]): ResultValue[] {
  return columns.flatMap(({ keys, figures }) =>
    names.map(
      (name, at): ResultValue => ({
        key: [...keys.slice(rowKeys), name],
        value: figures[at] ?? null,
        rollup: false,
        source: 'col-leaf',
      }),
    ),
  );
}

function valuesOf(
  names: readonly string[],
  figures: Cells['figures'],
  source: 'row-leaf' | 'row-inner',
): ResultValue[] {
  return names.map((name, at) => ({ key: [name], value: figures[at] ?? null, rollup: true, source }));
}

function seriesName({ id, type, field = '', percentile, strategy }: ViewPivot['series'][number]): string {
  if (id !== undefined) return id;
  if (type === 'percentage') return `percentage(${field},${strategy?.toUpperCase() ?? 'COUNT'})`;
  return type === 'percentile' ? `percentile(${field},${percentile})` : `${type}(${field})`;
}

/** A group over several fields becomes nested groups. */
function groupingsOf(groups: readonly ViewGroup[]): GroupingRequest[] {
  return groups.flatMap((group) => {
    const fields = group.fields ?? (group.field === undefined ? [] : [group.field]);
    if (fields.length === 0) throw new InvalidError('A group needs field or fields.');
    const isTime = group.type === 'time';
    return fields.map((field) => ({
      field: groupField(field),
      limit: isTime ? undefined : group.limit,
      timeunit: isTime ? timeUnitOf(group.interval) : undefined,
      scaling: isTime ? scalingOf(group.interval) : undefined,
      ranges: undefined,
      skip_empty_values: group.skip_empty_values,
      sort: undefined,
    }));
  });
}

/** Undefined for an interval that follows from the time range. */
function timeUnitOf(interval: ViewGroup['interval']): string | undefined {
  if (interval === undefined) return undefined;
  if (typeof interval === 'string') return interval;
  if (interval.timeunit !== undefined) return interval.timeunit;
  return interval.unit === undefined ? undefined : `${interval.value ?? 1} ${interval.unit}`;
}

function scalingOf(interval: ViewGroup['interval']): number | undefined {
  if (timeUnitOf(interval) !== undefined) return undefined;
  return (typeof interval === 'object' ? interval.scaling : undefined) ?? 1;
}

function metricsOf({ series }: ViewPivot): MetricRequest[] {
  return series.map((each) => ({
    function: each.type,
    field: each.field,
    sort: undefined,
    configuration: {
      ...(each.percentile === undefined ? {} : { percentile: each.percentile }),
      ...(each.strategy?.toUpperCase() === 'SUM' ? { strategy: 'SUM' as const } : {}),
    },
  }));
}

/** Entries that name no group and no series have no effect, as in Graylog. */
function sortKeysOf(
  { sort = [] }: ViewPivot,
  groupings: readonly GroupingRequest[],
  names: readonly string[],
): SortKey[] {
  return sort.flatMap(({ type, field, direction = 'asc' }): SortKey[] => {
    const metric = type === 'pivot' ? -1 : names.indexOf(field);
    if (metric >= 0) return [{ by: 'metric', at: metric, direction }];
    const at = groupings.findIndex((grouping) => grouping.field === groupField(field));
    return at < 0 || type === 'series' ? [] : [{ by: 'grouping', at, direction }];
  });
}

/** Charts look up the titles themselves. */
function groupField(field: string): string {
  return entitiesOf(field) === undefined ? field : `${field}.id`;
}
