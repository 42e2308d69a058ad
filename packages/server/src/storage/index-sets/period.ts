/** ISO 8601 periods as rotation uses them: `P1D`, `PT2H`, `P1Y6M`. */

const UNITS = ['years', 'months', 'weeks', 'days', 'hours', 'minutes', 'seconds'] as const;
type Unit = (typeof UNITS)[number];
export type Period = Readonly<Record<Unit, number>>;

const PERIOD = /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/i;
const MAX_DIGITS = 9;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;

/** Undefined for a text that is not a period, or a period of zero length. */
export function parsePeriod(text: string): Period | undefined {
  const found = PERIOD.exec(text);
  if (found === null || found.slice(1).some((part) => (part ?? '').length > MAX_DIGITS)) return undefined;
  const [years, months, weeks, days, hours, minutes, seconds] = found
    .slice(1)
    .map((part) => Number(part ?? '0')) as [number, number, number, number, number, number, number];
  const period = normalized({ years, months, weeks, days, hours, minutes, seconds });
  return UNITS.some((unit) => period[unit] > 0) ? period : undefined;
}

/** Sixty minutes are an hour, seven days a week, twelve months a year. */
function normalized(period: Period): Period {
  const months = period.years * 12 + period.months;
  let rest =
    period.weeks * WEEK +
    period.days * DAY +
    period.hours * HOUR +
    period.minutes * MINUTE +
    period.seconds * SECOND;
  const take = (size: number): number => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count;
  };
  return {
    years: Math.floor(months / 12),
    months: months % 12,
    weeks: take(WEEK),
    days: take(DAY),
    hours: take(HOUR),
    minutes: take(MINUTE),
    seconds: take(SECOND),
  };
}

/** The last moment that a date can have. */
const END_OF_TIME = 8_640_000_000_000_000;

/** At most the end of time: a period beyond it, such as `P999999Y`, is as good as for ever. */
export function addPeriod(time: number, period: Period): number {
  const date = new Date(time);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + period.years * 12 + period.months);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, lastDay));
  const end =
    date.getTime() +
    period.weeks * WEEK +
    period.days * DAY +
    period.hours * HOUR +
    period.minutes * MINUTE +
    period.seconds * SECOND;
  return Number.isNaN(end) ? END_OF_TIME : Math.min(end, END_OF_TIME);
}

interface Stride {
  /** The number of the unit within the next larger one, as in a calendar. */
  number(date: Date): number;
  /** The start of the unit that is `before` units before the unit of the date. */
  floor(date: Date, before: number): number;
}

/** Days begin at midnight, hours at the full hour, in UTC. */
const STRIDES: Readonly<Record<Unit, Stride>> = {
  years: {
    number: (date) => date.getUTCFullYear(),
    floor: (date, before) => Date.UTC(date.getUTCFullYear() - before, 0, 1),
  },
  months: {
    number: (date) => date.getUTCMonth() + 1,
    floor: (date, before) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - before, 1),
  },
  weeks: { number: isoWeek, floor: (date, before) => monday(date) - before * WEEK },
  days: { number: (date) => date.getUTCDate(), floor: (date, before) => floorTo(date, DAY) - before * DAY },
  hours: {
    number: (date) => date.getUTCHours(),
    floor: (date, before) => floorTo(date, HOUR) - before * HOUR,
  },
  minutes: {
    number: (date) => date.getUTCMinutes(),
    floor: (date, before) => floorTo(date, MINUTE) - before * MINUTE,
  },
  seconds: {
    number: (date) => date.getUTCSeconds(),
    floor: (date, before) => floorTo(date, SECOND) - before * SECOND,
  },
};

/**
 * The last point of the period's grid up to a moment: even hours for `PT2H`, midnight for `P1D`. A period of several units,
 * as ten days are a week and three days, fits no grid: it counts from the moment, at the start of its smallest unit.
 */
export function gridPoint(time: number, period: Period): number {
  const [unit, ...smaller] = UNITS.filter((each) => period[each] > 0);
  if (unit === undefined) return time;
  const date = new Date(time);
  const smallest = smaller.at(-1);
  if (smallest !== undefined) return STRIDES[smallest].floor(date, 0);
  const stride = STRIDES[unit];
  return stride.floor(date, stride.number(date) % period[unit]);
}

function floorTo(date: Date, size: number): number {
  return Math.floor(date.getTime() / size) * size;
}

function monday(date: Date): number {
  return floorTo(date, DAY) - ((date.getUTCDay() + 6) % 7) * DAY;
}

/** Week 1 is the one with the first Thursday of the year. */
function isoWeek(date: Date): number {
  const thursday = new Date(monday(date) + 3 * DAY);
  const firstThursday = new Date(monday(new Date(Date.UTC(thursday.getUTCFullYear(), 0, 4))) + 3 * DAY);
  return Math.round((thursday.getTime() - firstThursday.getTime()) / WEEK) + 1;
}
