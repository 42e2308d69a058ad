/**
 * Nested groups with their figures, for example the ten largest sources and in each of them the five most frequent
 * status codes. Every level keeps its first groups, in the order of the figures of that level. The statement of a level
 * contains the statement of the level above, which selects the groups to look into.
 */
import { type GroupingRequest, MAX_GROUPS, type TableCell, type TableColumn } from '@millrace/contract';
import { InvalidError } from '#core/index.ts';
import type { PreparedSearch } from '../execution/index.ts';
import { listOf, textOf } from './field-values.ts';
import type { Buckets } from './histograms.ts';
import { bucketStart } from './intervals.ts';
import type { Metric } from './metrics.ts';
import { type RequestedField, requestedField } from './titles.ts';

export const EMPTY_VALUE = '(Empty Value)';
export const DEFAULT_GROUPS = 15;

export interface Grouping {
  readonly field: RequestedField;
  /** Undefined for time buckets, which have no limit. */
  readonly limit: number | undefined;
  readonly sort: 'asc' | 'desc' | undefined;
  /** For grouping by time. */
  readonly buckets: Buckets | undefined;
}

export interface Pivot {
  readonly groupings: readonly Grouping[];
  readonly metrics: readonly Metric[];
}

/** `group_0`, …, `figure_0`, … */
export type PivotRow = Readonly<Record<string, unknown>>;

/** @param buckets called for grouping by time */
export async function groupingOf(
  request: GroupingRequest,
  buckets: (interval: string) => Promise<Buckets>,
): Promise<Grouping> {
  const field = requestedField(request.field);
  const { limit, timeunit, scaling, sort } = request;
  if ([limit, timeunit, scaling].filter((each) => each !== undefined).length > 1) {
    throw new InvalidError("Only one attribute of 'limit', 'timeunit' or 'scaling' can be specified");
  }
  if (timeunit === undefined && scaling === undefined) {
    const most = limit === undefined || limit <= 0 ? DEFAULT_GROUPS : limit;
    return { field, limit: most, sort, buckets: undefined };
  }
  if (field.name !== 'timestamp') {
    throw new InvalidError(
      `Only timestamp can be grouped by time. Leave out timeunit and scaling for ${JSON.stringify(request.field)}.`,
    );
  }
  return { field, limit: undefined, sort, buckets: await buckets(timeunit ?? 'auto') };
}

export function pivotSql(search: PreparedSearch, pivot: Pivot): string {
  const { groupings, metrics } = pivot;
  const rows = pivotRows(search, pivot);
  const figures = metrics.map((metric, at) => `${figureSql(search, metric)} AS figure_${at}`);
  if (groupings.length === 0) return `SELECT ${figures.join(', ')} FROM ${rows}`;
  let kept: { readonly keys: readonly string[]; readonly sql: string } | undefined;
  for (const [level, { limit }] of groupings.entries()) {
    const keys = groupNames(level + 1);
    const isLast = level === groupings.length - 1;
    if (limit === undefined && !isLast) continue;
    const columns = isLast ? [...keys, ...figures] : keys;
    const among = kept === undefined ? '' : `WHERE (${kept.keys.join(', ')}) IN (${kept.sql})`;
    const order = orderBy(search, pivot, level);
    const parents = level === 0 ? '' : ` BY ${groupNames(level).join(', ')}`;
    const most = limit === undefined ? '' : `LIMIT ${limit}${parents}`;
    kept = {
      keys,
      sql: `SELECT ${columns.join(', ')} FROM ${rows} ${among} GROUP BY ${keys.join(', ')} ${order} ${most}`,
    };
  }
  return `SELECT * FROM (${kept?.sql}) LIMIT ${MAX_GROUPS + 1}`;
}

function groupNames(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `group_${at}`);
}

/** One row for each message, or for each value of a list field. */
function pivotRows(search: PreparedSearch, { groupings, metrics }: Pivot): string {
  const columns = [...new Set(metrics.flatMap((metric) => metric.columns))];
  const lists: string[] = [];
  for (const [at, { field, buckets }] of groupings.entries()) {
    const list = listOf(field.name);
    if (buckets !== undefined) columns.push(`toString(${buckets.expression}) AS group_${at}`);
    else if (list === undefined)
      columns.push(`ifNull(${textOf(field.name)}, '${EMPTY_VALUE}') AS group_${at}`);
    else {
      columns.push(`if(empty(${list}), ['${EMPTY_VALUE}'], ${list}) AS list_${at}`);
      lists.push(`arrayJoin(list_${at}) AS group_${at}`);
    }
  }
  // Counting messages reads no field.
  const source = search.source(columns.length === 0 ? ['1 AS message'] : columns);
  return lists.length === 0 ? source : `(SELECT *, ${lists.join(', ')} FROM ${source})`;
}

function figureSql(search: PreparedSearch, { figure, dividedBy, columns }: Metric): string {
  if (dividedBy === undefined) return figure;
  const source = search.source(columns.length === 0 ? ['1 AS message'] : columns);
  return `${figure} / nullIf((SELECT ${dividedBy} FROM ${source}), 0)`;
}

/**
 * The requested order, as far as its keys exist at this level. By default ascending by time, then descending by the
 * first figure.
 */
function orderBy(search: PreparedSearch, { groupings, metrics }: Pivot, level: number): string {
  const known = groupings.slice(0, level + 1);
  const asked = [...groupings, ...metrics].some(({ sort }) => sort !== undefined);
  const keys: string[] = [];
  for (const [at, { sort, buckets }] of known.entries()) {
    const direction = sort ?? (asked || buckets === undefined ? undefined : 'asc');
    if (direction !== undefined) keys.push(`${groupKey(at, buckets)} ${direction}`);
  }
  const sorting = metrics.filter(({ sort }) => sort !== undefined);
  const first = metrics.slice(0, asked ? 0 : 1);
  for (const metric of [...sorting, ...first]) {
    keys.push(`${figureSql(search, metric)} ${metric.sort ?? 'desc'} NULLS LAST`);
  }
  return `ORDER BY ${[...keys, ...known.map(({ buckets }, at) => groupKey(at, buckets))].join(', ')}`;
}

/** Time buckets are numbers as texts. */
function groupKey(at: number, buckets: Buckets | undefined): string {
  return buckets === undefined ? `group_${at}` : `toInt64(group_${at})`;
}

export function pivotColumns({ groupings, metrics }: Pivot, typeOf: (field: string) => TableColumn['type']) {
  return [
    ...groupings.map(
      ({ field, buckets }): TableColumn => ({
        column_type: 'grouping',
        type: buckets === undefined ? 'string' : 'date',
        field: field.requested,
        name: `grouping: ${field.requested}`,
      }),
    ),
    ...metrics.map(
      ({ function: name, field }): TableColumn => ({
        column_type: 'metric',
        type: name === 'latest' && field !== undefined ? typeOf(field) : 'numeric',
        function: name,
        ...(field === undefined ? {} : { field }),
        name: `metric: ${name}(${field ?? ''})`,
      }),
    ),
  ];
}

/** @param titleOf for each grouping, the title of an id */
export function pivotCells(
  rows: readonly PivotRow[],
  { groupings, metrics }: Pivot,
  titleOf: readonly ((id: string) => string)[],
): TableCell[][] {
  if (rows.length > MAX_GROUPS) {
    throw new InvalidError(`There are more than ${MAX_GROUPS} groups. Lower the limits in group_by.`);
  }
  return rows.map((row) => [
    ...groupings.map((grouping, at) => groupCell(String(row[`group_${at}`]), grouping, titleOf[at])),
    ...metrics.map((metric, at) => metric.cellOf(row[`figure_${at}`])),
  ]);
}

function groupCell(
  value: string,
  { buckets }: Grouping,
  titleOf: ((id: string) => string) | undefined,
): TableCell {
  if (buckets === undefined) return titleOf?.(value) ?? value;
  return new Date(bucketStart(buckets.interval, Number(value), buckets.timeZone) * 1000).toISOString();
}
