/**
 * Intervals of histograms. Those shorter than a day count from the epoch, so they are the same in every time zone. Days
 * and longer ones follow the calendar of a time zone, where a day can have 23 or 25 hours.
 */
import { InvalidError } from '#core/index.ts';
import type { TimeSpan } from '../time/index.ts';

const UNITS = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const;
export type IntervalUnit = (typeof UNITS)[number];

export interface Interval {
  readonly unit: IntervalUnit;
  /** 1 for days and longer units. */
  readonly count: number;
  /** As the API prints it: `minute`, `5m`. */
  readonly name: string;
}

/** The most buckets that `auto` produces. */
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

/** Undefined for `auto`, which depends on the time range. Throws `InvalidError` for an unknown interval. */
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
      `The interval ${JSON.stringify(text)} is not supported: an interval in ${unit}s can only be a single ${unit}. Use ${unit}.`,
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

/**
 * The shortest interval that produces at most `AUTO_BUCKETS` buckets.
 *
 * @param scaling how many times as long the time range is taken to be, for fewer buckets (or more, below 1)
 */
export function autoInterval({ from, to }: TimeSpan, scaling = 1): Interval {
  const seconds = (Math.max(0, to - from) / 1000) * scaling;
  const intervals = AUTO.flatMap((name) => parseInterval(name) ?? []);
  return (
    intervals.find(({ unit, count }) => seconds / (APPROXIMATE_SECONDS[unit] * count) <= AUTO_BUCKETS) ??
    intervalOf(1, 'year')
  );
}

/** How many seconds it always has; undefined if its buckets follow the calendar of a time zone. */
export function fixedSeconds({ unit, count }: Interval): number | undefined {
  const seconds = FIXED_SECONDS[unit];
  return seconds === undefined ? undefined : seconds * count;
}
