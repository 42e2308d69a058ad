/** The time buckets of an interval as whole numbers, which the engine groups by. */
import type { TimeSpan } from '../time/index.ts';
import { fixedSeconds, type Interval, type IntervalUnit } from './intervals.ts';
import { stepsSince } from './time-steps.ts';

/** Charts show a few hundred. */
export const MAX_BUCKETS = 50_000;

/** Keys are in the order of the buckets. */
export interface BucketKeys {
  /** SQL for the key of a message's bucket. */
  readonly expression: string;
  /** Where the bucket with this key starts, in seconds since the epoch. */
  startOf(key: number): number;
  /**
   * The starts of all buckets from the first to the last key. Undefined if there are too many: one message with a wrong
   * date must not produce millions of empty buckets.
   */
  between(first: number, last: number): number[] | undefined;
}

export interface BucketedTimes {
  /** SQL: `DateTime64(3)`. */
  readonly column: string;
  readonly timeZone: string;
  /** SQL for its name. */
  readonly timeZoneParameter: string;
  /** Undefined if times may be anywhere. */
  readonly span: TimeSpan | undefined;
}

/** The statement needs them for times before 1970 and after 2149. */
export const BUCKET_SETTINGS = { enable_extended_results_for_datetime_functions: 1 } as const;

export function bucketKeys(interval: Interval, times: BucketedTimes): BucketKeys {
  const seconds = fixedSeconds(interval);
  return seconds === undefined ? datesOf(interval.unit, times) : stepsOf(seconds, times);
}

/** Buckets of a fixed length begin with the epoch; their keys count from the first one there can be. */
function stepsOf(seconds: number, { column, span }: BucketedTimes): BucketKeys {
  const lengthMs = seconds * 1000;
  const first = span === undefined ? 0 : Math.floor(span.from / lengthMs);
  const startOf = (key: number) => (first + key) * seconds;
  return {
    expression:
      span === undefined
        ? `toInt64(floor(toUnixTimestamp64Milli(${column}) / ${lengthMs}))`
        : stepsSince(column, { start: first * lengthMs, lengthMs, last: span.to }),
    startOf,
    between: (from, to) =>
      to - from >= MAX_BUCKETS
        ? undefined
        : Array.from({ length: to - from + 1 }, (_, at) => startOf(from + at)),
  };
}

/** Buckets that follow the calendar have the date they start with as their key, such as 20260131. */
function datesOf(unit: IntervalUnit, { column, timeZone, timeZoneParameter }: BucketedTimes): BucketKeys {
  const startOfDay = (date: Temporal.PlainDate) => date.toZonedDateTime(timeZone).epochMilliseconds / 1000;
  const local = `${column}, ${timeZoneParameter}`;
  const start = STARTS[unit];
  return {
    expression: `toInt64(toYYYYMMDD(${start === undefined ? local : `${start}(${local})`}))`,
    startOf: (key) => startOfDay(dateOf(key)),
    between(first, last) {
      const starts: number[] = [];
      const end = dateOf(last);
      let date = dateOf(first);
      while (Temporal.PlainDate.compare(date, end) <= 0) {
        if (starts.length >= MAX_BUCKETS) return undefined;
        starts.push(startOfDay(date));
        date = date.add(CALENDAR_STEPS[unit] ?? { days: 1 });
      }
      return starts;
    },
  };
}

/** Functions of the engine; a day is what a time has already. */
const STARTS: Readonly<Partial<Record<IntervalUnit, string>>> = {
  week: 'toMonday',
  month: 'toStartOfMonth',
  quarter: 'toStartOfQuarter',
  year: 'toStartOfYear',
};

const CALENDAR_STEPS: Readonly<Partial<Record<IntervalUnit, Temporal.DurationLike>>> = {
  week: { days: 7 },
  month: { months: 1 },
  quarter: { months: 3 },
  year: { years: 1 },
};

function dateOf(key: number): Temporal.PlainDate {
  return Temporal.PlainDate.from({
    year: Math.floor(key / 10_000),
    month: Math.floor(key / 100) % 100,
    day: key % 100,
  });
}
