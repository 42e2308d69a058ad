/** Time buckets: the interval, the buckets with messages, and the empty ones between them. */
import { InvalidError } from '#core/index.ts';
import type { PreparedSearch } from '../execution/index.ts';
import { requireTimeZone, type TimeSpan } from '../time/index.ts';
import { type BucketKeys, bucketKeys, MAX_BUCKETS } from './bucket-keys.ts';
import { autoInterval, fixedSeconds, type Interval, parseInterval } from './intervals.ts';
import type { Count } from './numbers.ts';

/** One more than allowed, to detect too many. */
export const MAX_BUCKET_ROWS = MAX_BUCKETS + 1;

export interface Buckets extends BucketKeys {
  readonly interval: Interval;
}

/** The engine knows only names of time zones, no offsets. Intervals that are the same in all zones need no zone. */
function bucketTimeZone(interval: Interval, name: string): string {
  const zone = requireTimeZone(name);
  if (!/^[+-]/.test(zone)) return zone;
  if (fixedSeconds(interval) !== undefined) return 'UTC';
  throw new InvalidError(
    `The time zone ${JSON.stringify(name)} is an offset. The interval ${interval.unit} needs a time zone with a name, such as UTC or Europe/Berlin.`,
  );
}

export interface BucketOptions {
  /** SQL for the time; `timestamp` by default. */
  readonly column?: string;
  /** For `auto`: an interval for a time range that is so many times as long. */
  readonly scaling?: number | undefined;
}

/**
 * @param timeSpanOf for `auto` over all time, or by another time than `timestamp`, which the range says nothing about:
 *   the first and the last time in a column of the messages
 */
export async function bucketsFor(
  search: PreparedSearch,
  intervalText: string,
  timeZoneName: string,
  timeSpanOf: (column: string) => Promise<TimeSpan>,
  { column = 'timestamp', scaling = 1 }: BucketOptions = {},
): Promise<Buckets> {
  const isInRange = column === 'timestamp' && search.span.from > 0;
  const interval =
    parseInterval(intervalText) ?? autoInterval(isInRange ? search.span : await timeSpanOf(column), scaling);
  const timeZone = bucketTimeZone(interval, timeZoneName);
  const keys = bucketKeys(interval, {
    column,
    timeZone,
    timeZoneParameter: search.parameters.add(timeZone, 'String'),
    span: isInRange ? search.span : undefined,
  });
  return { interval, ...keys };
}

export function histogramSql(search: PreparedSearch, buckets: Buckets): string {
  return `SELECT bucket, count() AS messages FROM ${search.source([`${buckets.expression} AS bucket`])} GROUP BY bucket ORDER BY bucket LIMIT ${MAX_BUCKET_ROWS}`;
}

/**
 * The buckets by their start in seconds, with `empty` for those between the first and the last that hold no message.
 * If that would be too many, the empty ones are left out.
 */
export function fillBuckets<Row extends { readonly bucket: Count }, Result>(
  rows: readonly Row[],
  { interval, startOf, between }: Buckets,
  resultOf: (row: Row) => Result,
  empty: Result,
): Record<string, Result> {
  if (rows.length > MAX_BUCKETS) throw tooManyBuckets(interval);
  const results = new Map(rows.map((row) => [startOf(Number(row.bucket)), resultOf(row)]));
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return {};
  const all = between(Number(first.bucket), Number(last.bucket)) ?? results.keys();
  return Object.fromEntries([...all].map((start) => [String(start), results.get(start) ?? empty]));
}

export function tooManyBuckets(interval: Interval): InvalidError {
  return new InvalidError(
    `The interval ${JSON.stringify(interval.name)} splits this time range into more than ${MAX_BUCKETS} buckets. Use a longer interval or a shorter time range.`,
  );
}
