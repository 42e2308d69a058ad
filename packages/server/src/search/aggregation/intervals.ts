/**
 * Intervals of histograms. Those below a day are counted from the epoch, so that they are the same in every time
 * zone; days and longer ones follow the calendar of a time zone, where a day can have 23 or 25 hours.
 */
import { InvalidError } from '#core/index.ts';
import type { TimeSpan } from '../time/index.ts';

const UNITS = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const;
export type IntervalUnit = (typeof UNITS)[number];

export interface Interval {
  readonly unit: IntervalUnit;
  /** How many of the unit; 1 for days and longer ones. */
  readonly count: number;
  /** As the API prints it: `minute`, `5m`. */
  readonly name: string;
}

/** More would make answers that nobody can read; a histogram is drawn over a few hundred. */
export const MAX_BUCKETS = 50_000;
/** What `auto` aims at: at most so many buckets. */
const AUTO_BUCKETS = 120;

const FIXED_SECONDS: Readonly<Partial<Record<IntervalUnit, number>>> = { second: 1, minute: 60, hour: 3600 };
const SHORT_UNITS: Readonly<Record<string, IntervalUnit>> = {
  s: 'second',
  m: 'minute',
  h: 'hour',
  d: 'day',
  w: 'week',
  M: 'month',
  q: 'quarter',
  y: 'year',
};
const LETTERS = new Map(Object.entries(SHORT_UNITS).map(([letter, unit]) => [unit, letter]));
const AUTO: readonly string[] = [
  ...['second', '5s', '10s', '30s', 'minute', '5m', '10m', '30m', 'hour', '3h', '6h', '12h'],
  ...['day', 'week', 'month', 'quarter', 'year'],
];
const APPROXIMATE_SECONDS: Readonly<Record<IntervalUnit, number>> = {
  second: 1,
  minute: 60,
  hour: 3600,
  day: 86_400,
  week: 7 * 86_400,
  month: 30 * 86_400,
  quarter: 91 * 86_400,
  year: 365 * 86_400,
};

/** Undefined: `auto`, which depends on the time searched. Throws `InvalidError` for anything it does not know. */
export function parseInterval(text: string): Interval | undefined {
  const trimmed = text.trim();
  const lower = trimmed.toLowerCase();
  if (lower === 'auto' || lower === '') return undefined;
  const plain = UNITS.find((unit) => unit === lower || `${unit}s` === lower);
  if (plain !== undefined) return intervalOf(1, plain);
  const [, amount, letter] = /^(\d{1,6})\s*([a-zA-Z]+)$/.exec(trimmed) ?? [];
  const unit = letter === undefined ? undefined : unitOf(letter);
  const count = Number(amount);
  if (unit === undefined || count === 0) throw badInterval(text);
  if (count > 1 && FIXED_SECONDS[unit] === undefined) {
    throw new InvalidError(
      `The interval ${JSON.stringify(text)} is not there: of ${unit}s, only one at a time makes an interval. Use ${unit}.`,
    );
  }
  return intervalOf(count, unit);
}

function unitOf(text: string): IntervalUnit | undefined {
  if (text.length === 1) return SHORT_UNITS[text] ?? SHORT_UNITS[text.toLowerCase()];
  const lower = text.toLowerCase();
  return UNITS.find((unit) => unit === lower || `${unit}s` === lower);
}

function badInterval(text: string): InvalidError {
  return new InvalidError(
    `Invalid interval type ${JSON.stringify(text)}: use ${UNITS.join(', ')}, a number of seconds, minutes or hours (30s, 5m, 12h), or auto.`,
  );
}

function intervalOf(count: number, unit: IntervalUnit): Interval {
  return { unit, count, name: count === 1 ? unit : `${count}${LETTERS.get(unit)}` };
}

/** The shortest interval that cuts the time into a readable number of buckets. */
export function autoInterval({ from, to }: TimeSpan): Interval {
  const seconds = Math.max(0, to - from) / 1000;
  const intervals = AUTO.flatMap((name) => parseInterval(name) ?? []);
  return (
    intervals.find(({ unit, count }) => seconds / (APPROXIMATE_SECONDS[unit] * count) <= AUTO_BUCKETS) ??
    intervalOf(1, 'year')
  );
}

/** Whether its buckets begin at other moments in other time zones. */
export function followsCalendar({ unit }: Interval): boolean {
  return FIXED_SECONDS[unit] === undefined;
}

/**
 * `Int64`: which bucket a message is in, as SQL over the column of its time. Seconds since the epoch for fixed
 * intervals, the date as 20260131 for those of the calendar; `bucketStart` makes seconds of either.
 *
 * @param isAfterEpoch whether all times are
 */
export function bucketOf(
  interval: Interval,
  column: string,
  timeZone: string,
  { isAfterEpoch = false } = {},
): string {
  const fixed = FIXED_SECONDS[interval.unit];
  if (fixed !== undefined) {
    const seconds = fixed * interval.count;
    const milliseconds = `toUnixTimestamp64Milli(${column})`;
    // Whole numbers are divided faster, but rounded towards the epoch.
    const buckets = isAfterEpoch
      ? `intDiv(${milliseconds}, ${seconds * 1000})`
      : `toInt64(floor(${milliseconds} / ${seconds * 1000}))`;
    return `${buckets} * ${seconds}`;
  }
  const local = `${column}, ${timeZone}`;
  switch (interval.unit) {
    case 'week':
      return `toInt64(toYYYYMMDD(toMonday(${local})))`;
    case 'month':
      return `toInt64(toYYYYMMDD(toStartOfMonth(${local})))`;
    case 'quarter':
      return `toInt64(toYYYYMMDD(toStartOfQuarter(${local})))`;
    case 'year':
      return `toInt64(toYYYYMMDD(toStartOfYear(${local})))`;
    default:
      return `toInt64(toYYYYMMDD(${local}))`;
  }
}

/** Settings under which `bucketOf` is right for times before 1970 and after 2149 too. */
export const BUCKET_SETTINGS = { enable_extended_results_for_datetime_functions: 1 } as const;

/** Seconds since the epoch of the first moment of a bucket. */
export function bucketStart(interval: Interval, key: number, timeZone: string): number {
  if (FIXED_SECONDS[interval.unit] !== undefined) return key;
  return startOfDay(dateOf(key), timeZone);
}

/**
 * The starts of all buckets from the first to the last of these keys, both with messages in them. Undefined when
 * they are too many: one message with a strange date must not make millions of empty buckets.
 */
export function bucketsBetween(
  interval: Interval,
  first: number,
  last: number,
  timeZone: string,
): number[] | undefined {
  const fixed = FIXED_SECONDS[interval.unit];
  if (fixed !== undefined) {
    const step = fixed * interval.count;
    const steps = Math.round((last - first) / step);
    return steps >= MAX_BUCKETS ? undefined : Array.from({ length: steps + 1 }, (_, at) => first + at * step);
  }
  const starts: number[] = [];
  const end = dateOf(last);
  let date = dateOf(first);
  while (Temporal.PlainDate.compare(date, end) <= 0) {
    if (starts.length >= MAX_BUCKETS) return undefined;
    starts.push(startOfDay(date, timeZone));
    date = date.add(CALENDAR_STEPS[interval.unit] ?? { days: 1 });
  }
  return starts;
}

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

function startOfDay(date: Temporal.PlainDate, timeZone: string): number {
  return date.toZonedDateTime(timeZone).epochMilliseconds / 1000;
}
