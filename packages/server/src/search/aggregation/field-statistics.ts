/** Statistics over the numbers of a field: over all messages, by the values of another field, or by time. */
import { InvalidError } from '#core/index.ts';
import type { PreparedSearch } from '../execution/index.ts';
import { anyValueOf, numberOf } from './field-values.ts';
import { groupedRows } from './grouped-rows.ts';
import { type Count, numberOrNaN } from './numbers.ts';

export interface StatisticsRow {
  readonly messages: Count;
  readonly numbers: Count;
  readonly sum: number | null;
  readonly squares: number | null;
  readonly mean: number | null;
  readonly least: number | null;
  readonly greatest: number | null;
  readonly variance: number | null;
  readonly deviation: number | null;
  readonly cardinality: Count;
}

export function statisticsSql(search: PreparedSearch, field: string): string {
  const value = anyValueOf(field);
  const columns = [`${value.expression} AS value`, `${numberOf(field)} AS number`];
  const figures = [
    `countIf(${value.isPresent('value')}) AS messages`,
    'count(number) AS numbers',
    'sum(number) AS sum',
    'sum(number * number) AS squares',
    'avg(number) AS mean',
    'min(number) AS least',
    'max(number) AS greatest',
    'varPopStable(number) AS variance',
    'stddevPopStable(number) AS deviation',
    `${value.distinct('value')} AS cardinality`,
  ];
  return `SELECT ${figures.join(', ')} FROM ${search.source(columns)}`;
}

export function statisticsOf(row: StatisticsRow | undefined) {
  const has = row !== undefined && Number(row.numbers) > 0;
  const figure = (name: keyof StatisticsRow) => numberOrNaN(has ? (row[name] as number | null) : null);
  return {
    count: Number(row?.messages ?? 0),
    sum: figure('sum'),
    sum_of_squares: figure('squares'),
    mean: figure('mean'),
    min: figure('least'),
    max: figure('greatest'),
    variance: figure('variance'),
    std_deviation: figure('deviation'),
    cardinality: Number(row?.cardinality ?? 0),
  };
}

export interface TermStatisticsOptions {
  readonly keyField: string;
  readonly valueField: string;
  /** `REVERSE_COUNT`, in any case. */
  readonly order: string;
  readonly size: number;
}

export interface TermStatisticsRow {
  readonly value_0: string;
  readonly messages: Count;
  readonly numbers: Count;
  readonly sum: number | null;
  readonly mean: number | null;
  readonly least: number | null;
  readonly greatest: number | null;
}

/** SQL for the columns of `TermStatisticsRow` and `BucketStatisticsRow`. */
const NUMBER_FIGURES = [
  'count() AS messages',
  'count(number) AS numbers',
  'sum(number) AS sum',
  'avg(number) AS mean',
  'min(number) AS least',
  'max(number) AS greatest',
] as const;

const ORDERS: Readonly<Record<string, string>> = {
  TERM: 'value_0',
  COUNT: 'messages',
  TOTAL: 'sum',
  MIN: 'least',
  MAX: 'greatest',
  MEAN: 'mean',
};

export function termStatisticsSql(search: PreparedSearch, options: TermStatisticsOptions): string {
  const rows = groupedRows(search, [options.keyField], [`${numberOf(options.valueField)} AS number`]);
  return `SELECT value_0, ${NUMBER_FIGURES.join(', ')} FROM ${rows} WHERE isNotNull(value_0) GROUP BY value_0 ORDER BY ${orderOf(options.order)} LIMIT ${options.size}`;
}

function orderOf(order: string): string {
  const [, reverse, name] = /^(REVERSE_)?([A-Z]+)$/.exec(order.trim().toUpperCase()) ?? [];
  const column = name !== undefined && Object.hasOwn(ORDERS, name) ? ORDERS[name] : undefined;
  if (column === undefined) {
    throw new InvalidError(
      `Invalid order ${JSON.stringify(order)}: use ${Object.keys(ORDERS).join(', ')}, or one of them prefixed with REVERSE_.`,
    );
  }
  return `${column} ${reverse === undefined ? 'ASC' : 'DESC'} NULLS LAST, value_0`;
}

export function termStatisticsOf(row: TermStatisticsRow) {
  const numbers = Number(row.numbers);
  const figure = (value: number | null) => numberOrNaN(numbers > 0 ? value : null);
  return {
    key_field: row.value_0,
    count: Number(row.messages),
    min: figure(row.least),
    max: figure(row.greatest),
    total: figure(row.sum),
    total_count: numbers,
    mean: figure(row.mean),
  };
}

export interface BucketStatisticsRow extends Omit<TermStatisticsRow, 'value_0'> {
  readonly bucket: Count;
  readonly cardinality: Count;
}

export function bucketStatisticsSql(
  search: PreparedSearch,
  options: { readonly field: string; readonly cardinality: boolean },
  bucket: string,
  maxRows: number,
): string {
  const value = anyValueOf(options.field);
  const columns = [`${bucket} AS bucket`, `${numberOf(options.field)} AS number`];
  const figures = [
    ...NUMBER_FIGURES,
    `${options.cardinality ? value.distinct('value') : '0'} AS cardinality`,
  ];
  const source = search.source(options.cardinality ? [...columns, `${value.expression} AS value`] : columns);
  return `SELECT bucket, ${figures.join(', ')} FROM ${source} GROUP BY bucket ORDER BY bucket LIMIT ${maxRows}`;
}

export const NO_BUCKET_STATISTICS = {
  total_count: 0,
  count: 0,
  min: 0,
  max: 0,
  total: 0,
  mean: 0,
  cardinality: 0,
} as const;

/** A bucket without numbers has zeros, like an empty bucket. */
export function bucketStatisticsOf(row: BucketStatisticsRow) {
  return {
    total_count: Number(row.messages),
    count: Number(row.numbers),
    min: row.least ?? 0,
    max: row.greatest ?? 0,
    total: row.sum ?? 0,
    mean: row.mean ?? 0,
    cardinality: Number(row.cardinality),
  };
}
