/** Buckets of time: which interval, which buckets, and those in between that no message is in. */
import { InvalidError } from '#core/index.ts';
import type { PreparedSearch } from '../execution/index.ts';
import { requireTimeZone, type TimeSpan } from '../time/index.ts';
import {
  autoInterval,
  bucketOf,
  bucketStart,
  bucketsBetween,
  followsCalendar,
  type Interval,
  MAX_BUCKETS,
  parseInterval,
} from './intervals.ts';
import type { Count } from './numbers.ts';

/** One more than is allowed, to see that there are more. */
export const MOST_BUCKET_ROWS = MAX_BUCKETS + 1;

export interface Buckets {
  readonly interval: Interval;
  /** `Int64`: SQL for a select list inside the tables. */
  readonly expression: string;
  readonly timeZone: string;
}

/** The engine knows time zones by name only. Intervals that are the same in all zones need none. */
function zoneOfBuckets(interval: Interval, name: string): string {
  const zone = requireTimeZone(name);
  if (!/^[+-]/.test(zone)) return zone;
  if (!followsCalendar(interval)) return 'UTC';
  throw new InvalidError(
    `The time zone ${JSON.stringify(name)} is an offset; a ${interval.unit} needs the name of one, such as UTC or Europe/Berlin.`,
  );
}

/** @param wholeTime asked for `auto` without a start: the time of the first and of the last message */
export async function bucketsFor(
  search: PreparedSearch,
  intervalText: string,
  timeZoneName: string,
  wholeTime: () => Promise<TimeSpan>,
): Promise<Buckets> {
  const interval =
    parseInterval(intervalText) ?? autoInterval(search.span.from === 0 ? await wholeTime() : search.span);
  const timeZone = zoneOfBuckets(interval, timeZoneName);
  const zone = search.parameters.add(timeZone, 'String');
  const expression = bucketOf(interval, 'timestamp', zone, { isAfterEpoch: search.span.from > 0 });
  return { interval, expression, timeZone };
}

export const WHOLE_TIME_COLUMNS = ['toUnixTimestamp64Milli(timestamp) AS time'];
export const WHOLE_TIME_FIGURES = 'min(time) AS earliest, max(time) AS latest';

export function histogramSql(search: PreparedSearch, buckets: Buckets): string {
  return `SELECT bucket, count() AS messages FROM ${search.source([`${buckets.expression} AS bucket`])} GROUP BY bucket ORDER BY bucket LIMIT ${MOST_BUCKET_ROWS}`;
}

/**
 * What each bucket holds, by its start in seconds, with `empty` in the gaps between the first and the last one. There
 * are no gaps in the answer when filling them would make too many.
 */
export function filledBuckets<Row extends { readonly bucket: Count }, Result>(
  rows: readonly Row[],
  { interval, timeZone }: Buckets,
  resultOf: (row: Row) => Result,
  empty: Result,
): Record<string, Result> {
  if (rows.length > MAX_BUCKETS) throw tooManyBuckets(interval);
  const results = new Map(
    rows.map((row) => [bucketStart(interval, Number(row.bucket), timeZone), resultOf(row)]),
  );
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return {};
  const all = bucketsBetween(interval, Number(first.bucket), Number(last.bucket), timeZone) ?? results.keys();
  return Object.fromEntries([...all].map((start) => [String(start), results.get(start) ?? empty]));
}

export function tooManyBuckets(interval: Interval): InvalidError {
  return new InvalidError(
    `The interval ${JSON.stringify(interval.name)} makes more than ${MAX_BUCKETS} buckets of this time range. Use a longer interval or a shorter range.`,
  );
}
