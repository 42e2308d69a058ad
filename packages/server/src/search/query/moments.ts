/** Points in time as queries name them: ISO dates, Graylog's format, epoch milliseconds and date math. */

export interface MomentContext {
  /** Milliseconds: what `now` means. */
  readonly now: number;
  /** For dates without one. */
  readonly timeZone: string;
}

/** Milliseconds, both inclusive: `2026-03-01` is a whole day, `2026-03-01 12:00` a minute. */
export interface Moment {
  readonly from: number;
  readonly to: number;
}

const DATE =
  /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2})(?:[T ](\d{1,2})(?::(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?)?)?)?\s*(z|[+-]\d{2}(?::?\d{2})?)?$/i;
const EPOCH = /^-?\d{5,15}$/;
const OPERATION = /([+-])(\d{1,9})([yMwdhHms])|\/([yMwdhHms])/y;

type Unit = 'year' | 'month' | 'week' | 'day' | 'hour' | 'minute' | 'second' | 'millisecond';
const UNIT_OF_LETTER: Readonly<Record<string, Unit>> = {
  y: 'year',
  M: 'month',
  w: 'week',
  d: 'day',
  h: 'hour',
  H: 'hour',
  m: 'minute',
  s: 'second',
};
/** By how many parts of a date were written. */
const PRECISION: readonly Unit[] = ['year', 'month', 'day', 'hour', 'minute', 'second', 'millisecond'];
const DATE_PARTS = 7;

/** What the table can hold: the years 1900 to 2299. */
const EARLIEST = Date.UTC(1900, 0, 1);
const LATEST = Date.UTC(2299, 11, 31, 23, 59, 59, 999);

/** Undefined when the text names no time. */
export function parseMoment(text: string, context: MomentContext): Moment | undefined {
  try {
    const moment = readMoment(text.trim(), context);
    return moment && { from: storable(moment.from), to: storable(moment.to) };
  } catch (error) {
    // What is written like a date but is none (February 30), or a zone nobody knows.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function storable(time: number): number {
  return Math.min(Math.max(time, EARLIEST), LATEST);
}

function readMoment(text: string, context: MomentContext): Moment | undefined {
  if (/^now/i.test(text)) return calculate({ from: context.now, to: context.now }, text.slice(3), context);
  const bar = text.indexOf('||');
  if (bar < 0) return readDate(text, context);
  const anchor = readDate(text.slice(0, bar).trim(), context);
  // Date math counts from the beginning of what was written.
  return anchor && calculate({ from: anchor.from, to: anchor.from }, text.slice(bar + 2), context);
}

function readDate(text: string, { timeZone }: MomentContext): Moment | undefined {
  if (EPOCH.test(text)) return { from: Number(text), to: Number(text) };
  const parts = DATE.exec(text);
  if (parts === null) return undefined;
  const numbers = parts
    .slice(1, 1 + DATE_PARTS)
    .map((part) => (part === undefined ? undefined : Number(part)));
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = numbers;
  const millisecond = Number((parts[DATE_PARTS] ?? '0').slice(0, 3).padEnd(3, '0'));
  const local = Temporal.PlainDateTime.from(
    { year, month, day, hour, minute, second, millisecond },
    { overflow: 'reject' },
  );
  const precision = PRECISION[numbers.filter((number) => number !== undefined).length - 1] ?? 'millisecond';
  const zone = zoneName(parts[DATE_PARTS + 1], timeZone);
  const next = local.add({ [`${precision}s`]: 1 });
  return { from: instantOf(local, zone), to: instantOf(next, zone) - 1 };
}

function instantOf(local: Temporal.PlainDateTime, zone: string): number {
  return local.toZonedDateTime(zone).epochMilliseconds;
}

/** `+0530` and `+05` are written `+05:30` and `+05:00` to be understood. */
function zoneName(written: string | undefined, otherwise: string): string {
  if (written === undefined) return otherwise;
  if (/^z$/i.test(written)) return 'UTC';
  const digits = written.slice(1).replace(':', '').padEnd(4, '0');
  return `${written[0]}${digits.slice(0, 2)}:${digits.slice(2)}`;
}

/** `-1d/d` and so on. Rounding gives a span: its beginning and its end go on from there. */
function calculate(start: Moment, operations: string, { timeZone }: MomentContext): Moment | undefined {
  let from = Temporal.Instant.fromEpochMilliseconds(start.from).toZonedDateTimeISO(timeZone);
  let to = Temporal.Instant.fromEpochMilliseconds(start.to).toZonedDateTimeISO(timeZone);
  let position = 0;
  while (position < operations.length) {
    OPERATION.lastIndex = position;
    const operation = OPERATION.exec(operations);
    if (operation === null) return undefined;
    position = OPERATION.lastIndex;
    const [, sign, amount, letter, rounding] = operation;
    const unit = UNIT_OF_LETTER[letter ?? rounding ?? ''];
    if (unit === undefined) return undefined;
    if (rounding === undefined) {
      const duration = { [`${unit}s`]: sign === '-' ? -Number(amount) : Number(amount) };
      from = from.add(duration);
      to = to.add(duration);
    } else {
      from = startOf(from, unit);
      to = startOf(to, unit)
        .add({ [`${unit}s`]: 1 })
        .subtract({ milliseconds: 1 });
    }
  }
  return { from: from.epochMilliseconds, to: to.epochMilliseconds };
}

function startOf(time: Temporal.ZonedDateTime, unit: Unit): Temporal.ZonedDateTime {
  switch (unit) {
    case 'year':
      return time.with({ month: 1, day: 1 }).startOfDay();
    case 'month':
      return time.with({ day: 1 }).startOfDay();
    case 'week':
      return time.subtract({ days: time.dayOfWeek - 1 }).startOfDay();
    case 'day':
      return time.startOfDay();
    default:
      return time.round({ smallestUnit: unit, roundingMode: 'floor' });
  }
}
