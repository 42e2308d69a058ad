/** The values of one field in the messages of a search, in one statement that reads them once. */
import { type FieldStatistics, type FieldStatisticsRequest, formatTimestamp } from '@millrace/contract';
import { fieldColumn } from '#storage/index.ts';
import { messageTimeSpan } from '../aggregation/aggregations.ts';
import { BUCKET_SETTINGS } from '../aggregation/bucket-keys.ts';
import { kindOf, numberOf, VALUE_KINDS } from '../aggregation/field-values.ts';
import { groupedRows } from '../aggregation/grouped-rows.ts';
import { type Buckets, bucketsFor, fillBuckets, MAX_BUCKET_ROWS } from '../aggregation/histograms.ts';
import type { Count } from '../aggregation/numbers.ts';
import type { PreparedSearch, Searches } from '../execution/index.ts';
import { missingIn, rangeOf, type SearchCaller, searchInputOf } from '../search-caller.ts';

const PERCENTILES = [50, 75, 90, 95, 99] as const;
/** Longer values are cut. */
const MAX_VALUE_LENGTH = 4096;

interface StatisticsRow {
  readonly total: Count;
  readonly present: Count;
  readonly different: Count;
  readonly counted: Count;
  readonly kinds: readonly [readonly number[], readonly Count[]];
  readonly numbers: Count;
  readonly least: number | null;
  readonly greatest: number | null;
  readonly mean: number | null;
  readonly percentiles: readonly number[];
  readonly top: readonly (readonly [negativeCount: Count, value: string, kind: number])[];
  readonly times: readonly (readonly [bucket: Count, present: Count, numbers: Count, sum: number])[];
}

export async function fieldStatistics(
  searches: Searches,
  { principal, signal }: SearchCaller,
  field: string,
  request: FieldStatisticsRequest,
): Promise<FieldStatistics> {
  const search = await searches.prepare(principal, searchInputOf(request));
  const rows = <Row>(sql: string) =>
    searches.rows<Row>(search, sql, { principal, signal, settings: BUCKET_SETTINGS });
  const buckets = await bucketsFor(search, request.interval, search.timeZone, () =>
    messageTimeSpan({ search, rows }),
  );
  const [row] = await rows<StatisticsRow>(statisticsSql(search, field, buckets, request.size));
  return {
    field,
    ...countsOf(field, row),
    interval: buckets.interval.name,
    histogram: histogramOf(field, row, buckets),
    effective_timerange: rangeOf(search.span),
    ...missingIn(search),
  };
}

/**
 * Groups the same rows twice: by value, for all figures (percentiles use the counts as weights), and by time.
 */
function statisticsSql(search: PreparedSearch, field: string, buckets: Buckets, size: number): string {
  const rows = groupedRows(
    search,
    [field],
    [`${kindOf(field)} AS kind`, `${numberOf(field)} AS number`, `${buckets.expression} AS bucket`],
  );
  const groups = `SELECT value_0, kind, bucket, grouping(bucket) = 0 AS is_time, count() AS messages, sum(is_first) AS firsts, sumIf(is_first, isNotNull(value_0)) AS present, any(number) AS one_number, count(number) AS numbers, sum(number) AS number_sum FROM ${rows} GROUP BY GROUPING SETS ((value_0, kind), (bucket))`;
  const isValue = 'NOT is_time AND isNotNull(value_0)';
  const isNumber = 'NOT is_time AND isNotNull(one_number)';
  const levels = PERCENTILES.map((percentile) => percentile / 100).join(', ');
  const figures = [
    'sumIf(firsts, NOT is_time) AS total',
    'sumIf(present, NOT is_time) AS present',
    `countIf(${isValue}) AS different`,
    `sumIf(messages, ${isValue}) AS counted`,
    `sumMapIf([kind], [messages], ${isValue}) AS kinds`,
    `sumIf(numbers, ${isNumber}) AS numbers`,
    `minIf(one_number, ${isNumber}) AS least`,
    `maxIf(one_number, ${isNumber}) AS greatest`,
    `sumIf(number_sum, ${isNumber}) / nullIf(sumIf(numbers, ${isNumber}), 0) AS mean`,
    `quantilesInterpolatedWeightedIf(${levels})(assumeNotNull(one_number), messages, ${isNumber}) AS percentiles`,
    `groupArraySortedIf(${size})((-toInt64(messages), leftUTF8(assumeNotNull(value_0), ${MAX_VALUE_LENGTH}), kind), ${isValue}) AS top`,
    `groupArrayIf(${MAX_BUCKET_ROWS})((bucket, present, numbers, ifNull(number_sum, 0)), is_time) AS times`,
  ];
  return `SELECT ${figures.join(', ')} FROM (${groups})`;
}

function countsOf(field: string, row: StatisticsRow | undefined) {
  const present = Number(row?.present ?? 0);
  const total = Number(row?.total ?? 0);
  const values = (row?.top ?? []).map(([negative, value, kind]) => ({
    value,
    type: typeOf(field, kind),
    count: -Number(negative),
    share: Math.min(1, -Number(negative) / present),
  }));
  const [kinds, counts] = row?.kinds ?? [[], []];
  return {
    total,
    present,
    missing: total - present,
    distinct: Number(row?.different ?? 0),
    types: kinds
      .map((kind, at) => ({ type: typeOf(field, kind), count: Number(counts[at]) }))
      .sort((a, b) => b.count - a.count),
    numbers: numbersOf(field, row),
    values,
    other: Number(row?.counted ?? 0) - values.reduce((sum, { count }) => sum + count, 0),
  };
}

function numbersOf(field: string, row: StatisticsRow | undefined): FieldStatistics['numbers'] {
  const count = Number(row?.numbers ?? 0);
  if (row === undefined || count === 0 || isTime(field)) return null;
  return {
    count,
    min: row.least ?? 0,
    max: row.greatest ?? 0,
    mean: row.mean ?? 0,
    percentiles: Object.fromEntries(
      PERCENTILES.map((percentile, at) => [percentile, row.percentiles[at] ?? 0]),
    ),
  };
}

function histogramOf(
  field: string,
  row: StatisticsRow | undefined,
  buckets: Buckets,
): FieldStatistics['histogram'] {
  const times = (row?.times ?? [])
    .map(([bucket, present, numbers, sum]) => ({
      bucket,
      present: Number(present),
      numbers: Number(numbers),
      sum,
    }))
    .sort((a, b) => Number(a.bucket) - Number(b.bucket));
  const filled = fillBuckets(
    times,
    buckets,
    ({ present, numbers, sum }) => ({ present, mean: numbers === 0 || isTime(field) ? null : sum / numbers }),
    { present: 0, mean: null },
  );
  return Object.entries(filled)
    .map(([seconds, figures]) => ({ seconds: Number(seconds), figures }))
    .sort((a, b) => a.seconds - b.seconds)
    .map(({ seconds, figures }) => ({ from: formatTimestamp(seconds * 1000), ...figures }));
}

function isTime(field: string): boolean {
  return fieldColumn(field).kind === 'time';
}

function typeOf(field: string, kind: number): FieldStatistics['types'][number]['type'] {
  return isTime(field) ? 'date' : (VALUE_KINDS[kind] ?? 'string');
}
