/**
 * Nested groups with their figures, for example the ten largest sources and in each of them the five most frequent
 * status codes. Every level has its own order and keeps its first groups; messages without the field are one more group
 * behind them. The statement of a level contains the statement of the level above, which selects and ranks the groups
 * to look into, so that in the end the rows of a group stay together.
 */
import {
  type GroupingRequest,
  MAX_GROUPS,
  type NumberRange,
  type TableCell,
  type TableColumn,
} from '@millrace/contract';
import { InvalidError } from '#core/index.ts';
import { fieldColumn } from '#storage/index.ts';
import type { PreparedSearch } from '../execution/index.ts';
import type { SqlParameters } from '../query/index.ts';
import { listOf, numberOf, textOf, timeOf } from './field-values.ts';
import type { BucketOptions, Buckets } from './histograms.ts';
import type { Metric } from './metrics.ts';
import { type RequestedField, requestedField } from './titles.ts';

export const EMPTY_VALUE = '(Empty Value)';
export const DEFAULT_GROUPS = 15;

export interface Grouping {
  readonly field: RequestedField;
  /** Undefined for time buckets, which have no limit. */
  readonly limit: number | undefined;
  /** Leaves out the messages without the field. */
  readonly skipsEmpty: boolean;
  /** Whether keys are sorted as numbers. */
  readonly isNumeric: boolean;
  /** For grouping by time. */
  readonly buckets: Buckets | undefined;
  /** For grouping by ranges of numbers, which may overlap. */
  readonly ranges?: readonly NumberRange[] | undefined;
}

/** A metric sorts the groups of every level, the key of a grouping its own, and those that no other key sorts. */
export interface SortKey {
  readonly by: 'grouping' | 'metric';
  /** Its position among the groupings or the metrics. */
  readonly at: number;
  readonly direction: 'asc' | 'desc';
}

export interface Pivot {
  readonly groupings: readonly Grouping[];
  readonly metrics: readonly Metric[];
  /** The first one counts most. */
  readonly order: readonly SortKey[];
}

/** `group_0`, …, `figure_0`, … */
export type PivotRow = Readonly<Record<string, unknown>>;

export interface GroupingContext {
  /** Called for grouping by time. */
  buckets(interval: string, options: BucketOptions): Promise<Buckets>;
  isNumeric(field: string): boolean;
}

export async function groupingOf(request: GroupingRequest, context: GroupingContext): Promise<Grouping> {
  const field = requestedField(request.field);
  const { limit, timeunit, scaling, ranges, skip_empty_values: skipsEmpty = false } = request;
  if ([limit, timeunit, scaling, ranges].filter((each) => each !== undefined).length > 1) {
    throw new InvalidError(
      "Only one attribute of 'limit', 'timeunit', 'scaling' or 'ranges' can be specified",
    );
  }
  if (ranges !== undefined) {
    return { field, limit: undefined, skipsEmpty, isNumeric: true, buckets: undefined, ranges };
  }
  if (timeunit === undefined && scaling === undefined) {
    const most = limit === undefined || limit <= 0 ? DEFAULT_GROUPS : limit;
    const isNumeric = context.isNumeric(field.name);
    return { field, limit: most, skipsEmpty, isNumeric, buckets: undefined };
  }
  const column = timeOf(field.name);
  if (column === undefined) {
    throw new InvalidError(
      `The field ${JSON.stringify(request.field)} holds no times. Leave out timeunit and scaling for it.`,
    );
  }
  const buckets = await context.buckets(timeunit ?? 'auto', { column, scaling });
  return { field, limit: undefined, skipsEmpty, isNumeric: true, buckets };
}

export function pivotSql(search: PreparedSearch, pivot: Pivot): string {
  const { groupings, metrics } = pivot;
  const rows = pivotRows(search, pivot);
  const figures = metrics.map((metric, at) => `${figureSql(search, metric)} AS figure_${at}`);
  if (groupings.length === 0) return `SELECT ${figures.join(', ')} FROM ${rows}`;
  let kept: KeptGroups | undefined;
  for (const [level, grouping] of groupings.entries()) {
    const isLast = level === groupings.length - 1;
    const sorting = sortingOf(search, pivot, level);
    const [first] = sorting;
    // All its groups are kept, and their own keys are their order: there is nothing to select or to rank.
    const isPlain = grouping.limit === undefined && first?.expression === keyOf(grouping, level);
    if (isPlain && !isLast) continue;
    kept = keptGroups(rows, kept, { grouping, level, sorting, columns: isLast ? figures : [] });
  }
  return `SELECT * FROM (${kept?.sql}) ORDER BY ${rowOrder(pivot, kept?.ranks ?? [])} LIMIT ${MAX_GROUPS + 1}`;
}

/**
 * Sorted by keys, the rows of a group stay together: the outer groups come in their own order. Sorted by figures, all
 * rows are in that order, whatever their groups are. Rows without one of the fields are last.
 */
function rowOrder({ groupings, metrics, order }: Pivot, ranks: readonly string[]): string {
  const keys = groupings.map(keyOf);
  if (order.length > 0 && order.every(({ by }) => by === 'grouping')) {
    const ranked = groupings
      .map((_, level) => `rank_${level}`)
      .map((rank, level) => {
        if (ranks.includes(rank)) return rank;
        return `${keys[level]} ${order.find(({ at }) => at === level)?.direction ?? 'asc'}`;
      });
    return ranked.join(', ');
  }
  const asked = order.map(
    ({ by, at, direction }) => `${by === 'metric' ? `figure_${at}` : keys[at]} ${direction} NULLS LAST`,
  );
  const times = keys
    .filter((_, level) => groupings[level]?.buckets !== undefined || groupings[level]?.ranges !== undefined)
    .map((key) => `${key} asc`);
  const usual = metrics.length === 0 ? times : [...times, 'figure_0 desc NULLS LAST'];
  const isEmpty = groupNames(groupings.length).map((name) => `${name} = '${EMPTY_VALUE}'`);
  const names = groupNames(groupings.length);
  return [isEmpty.join(' OR '), ...(order.length > 0 ? asked : usual), ...keys, ...names].join(', ');
}

/** Groups of a level and those above it: `group_0`, …, and their ranks among the groups of the same parent. */
interface KeptGroups {
  readonly sql: string;
  readonly names: readonly string[];
  readonly ranks: readonly string[];
}

interface Level {
  readonly grouping: Grouping;
  readonly level: number;
  readonly sorting: readonly Sorting[];
  /** What to select beside the names. */
  readonly columns: readonly string[];
}

interface Sorting {
  readonly expression: string;
  readonly direction: 'asc' | 'desc';
}

function keptGroups(rows: string, above: KeptGroups | undefined, current: Level): KeptGroups {
  const { grouping, level, sorting, columns } = current;
  const { limit, skipsEmpty } = grouping;
  const names = groupNames(level + 1);
  const parents = groupNames(level).join(', ');
  const ranks = above?.ranks ?? [];
  const isEmpty = `group_${level} = '${EMPTY_VALUE}'`;
  const selected = [
    ...names,
    ...ranks.map((rank) => `any(above_${rank}) AS ${rank}`),
    ...columns,
    ...sorting.map(({ expression }, at) => `${expression} AS sort_${at}`),
    `${isEmpty} AS is_empty`,
  ];
  const order = [
    ...sorting.map(({ direction }, at) => `sort_${at} ${direction} NULLS LAST`),
    `group_${level}`,
  ].join(', ');
  // One more than the limit: the group without the field does not count, and comes last.
  const most = limit === undefined ? '' : `LIMIT ${limit + 1}${level === 0 ? '' : ` BY ${parents}`}`;
  const groups = `SELECT ${selected.join(', ')} FROM ${among(rows, above)} ${skipsEmpty ? `WHERE NOT (${isEmpty})` : ''} GROUP BY ${names.join(', ')} ORDER BY is_empty DESC, ${order} ${most}`;
  const within = level === 0 ? '' : `PARTITION BY ${parents} `;
  const rank = `rank_${level}`;
  const ranked = `SELECT * EXCEPT (${sorting.map((_, at) => `sort_${at}`).join(', ')}), row_number() OVER (${within}ORDER BY is_empty, ${order}) AS ${rank} FROM (${groups})`;
  return {
    sql: limit === undefined ? ranked : `SELECT * FROM (${ranked}) WHERE ${rank} <= ${limit} OR is_empty`,
    names,
    ranks: [...ranks, rank],
  };
}

/** The rows of the groups that the level above has kept, with the ranks of these. */
function among(rows: string, above: KeptGroups | undefined): string {
  if (above === undefined) return rows;
  const ranks = above.ranks.map((rank) => `${rank} AS above_${rank}`);
  const groups = `SELECT ${[...above.names, ...ranks].join(', ')} FROM (${above.sql})`;
  return `${rows} AS messages INNER JOIN (${groups}) AS above USING (${above.names.join(', ')})`;
}

function groupNames(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `group_${at}`);
}

/** One row for each message, or for each value of a list field. */
function pivotRows(search: PreparedSearch, { groupings, metrics }: Pivot): string {
  const columns = [...new Set(metrics.flatMap((metric) => metric.columns))];
  const lists: string[] = [];
  for (const [at, grouping] of groupings.entries()) {
    const { key, list } = groupColumns(search, grouping);
    if (list === undefined) columns.push(`${key} AS group_${at}`);
    else {
      columns.push(`${list} AS list_${at}`);
      lists.push(`arrayJoin(list_${at}) AS group_${at}`);
    }
  }
  // Counting messages reads no field.
  const source = search.source(columns.length === 0 ? ['1 AS message'] : columns);
  return lists.length === 0 ? source : `(SELECT *, ${lists.join(', ')} FROM ${source})`;
}

/** SQL for the key of a message's group, or for the list of its keys. A message with an empty list is in no group. */
function groupColumns(
  { parameters }: PreparedSearch,
  { field, buckets, ranges }: Grouping,
): { readonly key?: string; readonly list?: string } {
  if (ranges !== undefined) return { list: rangesOf(field.name, ranges, parameters) };
  if (buckets !== undefined) {
    const key = `toString(${buckets.expression})`;
    if (fieldColumn(field.name).kind === 'time') return { key };
    return { list: `arrayMap(key -> assumeNotNull(key), arrayFilter(key -> isNotNull(key), [${key}]))` };
  }
  const list = listOf(field.name);
  if (list !== undefined) return { list: `if(empty(${list}), ['${EMPTY_VALUE}'], ${list})` };
  return { key: `ifNull(${textOf(field.name)}, '${EMPTY_VALUE}')` };
}

/** The positions of the ranges that a number is in. */
function rangesOf(field: string, ranges: readonly NumberRange[], parameters: SqlParameters): string {
  const number = (value: number) => parameters.add(value, 'Float64');
  const conditions = ranges.map(({ from, to }) => {
    const ends = [
      ...(from === undefined ? [] : [`number >= ${number(from)}`]),
      ...(to === undefined ? [] : [`number < ${number(to)}`]),
    ];
    return ends.length === 0 ? '1' : ends.join(' AND ');
  });
  const positions = ranges.map((_, position) => `'${position}'`).join(', ');
  const isInRange = conditions.map((condition) => `ifNull(${condition}, 0)`).join(', ');
  return `arrayFlatten(arrayMap(number -> arrayFilter((position, is_in) -> is_in, [${positions}], [${isInRange}]), arrayFilter(number -> isNotNull(number), [${numberOf(field)}])))`;
}

/** As Elasticsearch names a range: `*-2.0`, `2.0-3.5`. */
export function rangeName({ from, to }: NumberRange): string {
  const end = (value: number | undefined) => {
    if (value === undefined) return '*';
    return Number.isInteger(value) ? `${value}.0` : String(value);
  };
  return `${end(from)}-${end(to)}`;
}

function figureSql(search: PreparedSearch, { figure, dividedBy, columns }: Metric): string {
  if (dividedBy === undefined) return figure;
  const source = search.source(columns.length === 0 ? ['1 AS message'] : columns);
  return `${figure} / nullIf((SELECT ${dividedBy} FROM ${source}), 0)`;
}

/** The order of the groups of a level. By default ascending by time or range, or descending by the first figure. */
function sortingOf(search: PreparedSearch, { groupings, metrics, order }: Pivot, level: number): Sorting[] {
  const grouping = groupings[level];
  if (grouping === undefined) return [];
  const ownKey = keyOf(grouping, level);
  const asked = order.flatMap(({ by, at, direction }) => {
    if (by === 'grouping') return at === level ? [{ expression: ownKey, direction }] : [];
    const metric = metrics[at];
    return metric === undefined ? [] : [{ expression: figureSql(search, metric), direction }];
  });
  if (asked.length > 0) return asked;
  const hasOwnOrder = grouping.buckets !== undefined || grouping.ranges !== undefined;
  if (order.length > 0 && !hasOwnOrder) return sortingOfOtherLevels(groupings, order, ownKey);
  const [first] = metrics;
  return hasOwnOrder || first === undefined
    ? [{ expression: ownKey, direction: 'asc' }]
    : [{ expression: figureSql(search, first), direction: 'desc' }];
}

/**
 * As in Graylog, the groups of a level that has no order of its own follow that of the others: by the highest number, or
 * by their own keys where the keys of the other level are texts.
 */
function sortingOfOtherLevels(
  groupings: readonly Grouping[],
  order: readonly SortKey[],
  ownKey: string,
): Sorting[] {
  return order.map(({ at, direction }) => {
    const other = groupings[at];
    const expression = other?.isNumeric === true ? `max(${keyOf(other, at)})` : ownKey;
    return { expression, direction };
  });
}

/** The key of a group for sorting. All keys are texts, also numbers and time buckets. */
function keyOf({ buckets, ranges, isNumeric }: Grouping, level: number): string {
  if (buckets !== undefined || ranges !== undefined) return `toInt64(group_${level})`;
  return isNumeric ? `toFloat64OrNull(group_${level})` : `group_${level}`;
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

/**
 * Null where a group has no value.
 *
 * @param titleOf for each grouping, the title of an id
 */
export function pivotCells(
  rows: readonly PivotRow[],
  { groupings, metrics }: Pivot,
  titleOf: readonly ((id: string) => string)[],
): (TableCell | null)[][] {
  if (rows.length > MAX_GROUPS) {
    const wayOut = groupings.some(({ buckets }) => buckets !== undefined)
      ? 'Use a longer timeunit, or lower the limits of the other groups.'
      : 'Lower the limits in group_by.';
    throw new InvalidError(`There are more than ${MAX_GROUPS} groups. ${wayOut}`);
  }
  return rows.map((row) => [
    ...groupings.map((grouping, at) => groupCell(String(row[`group_${at}`]), grouping, titleOf[at])),
    ...metrics.map((metric, at) => metric.cellOf(row[`figure_${at}`])),
  ]);
}

function groupCell(
  value: string,
  { buckets, ranges }: Grouping,
  titleOf: ((id: string) => string) | undefined,
): TableCell {
  if (ranges !== undefined) return rangeName(ranges[Number(value)] ?? {});
  if (buckets === undefined) return titleOf?.(value) ?? value;
  return new Date(buckets.startOf(Number(value)) * 1000).toISOString();
}
