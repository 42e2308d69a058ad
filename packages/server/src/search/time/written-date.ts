/** Dates that are written out: the one parser behind time ranges and queries. */

const UNITS = ['year', 'month', 'day', 'hour', 'minute', 'second', 'millisecond'] as const;
export type DateUnit = (typeof UNITS)[number];

const DATE =
  /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2})(?:(?:T|\s+)(\d{1,2})(?::(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?)?)?)?\s*(Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?$/i;
const FRACTION = 7;
const ZONE = 8;

export interface WrittenDate {
  /** Milliseconds since the epoch: the first one that the text names. */
  readonly from: number;
  /** The last one: `2026-03-01` is a whole day, `2026-03-01 12:00` a minute. */
  readonly to: number;
  /** The smallest unit in the text. */
  readonly precision: DateUnit;
}

/**
 * ISO 8601 with `T` or a space, cut off after any unit, with or without a zone. `timeZone` is for texts without one.
 * Undefined for any other text, for dates that do not exist and for unknown zones.
 */
export function parseWrittenDate(text: string, timeZone: string): WrittenDate | undefined {
  const parts = DATE.exec(text);
  if (parts === null) return undefined;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts
    .slice(1, FRACTION)
    .map((part) => (part === undefined ? undefined : Number(part)));
  const millisecond = Number((parts[FRACTION] ?? '0').slice(0, 3).padEnd(3, '0'));
  const precision = UNITS[parts.slice(1, ZONE).filter((part) => part !== undefined).length - 1] ?? 'year';
  try {
    const start = Temporal.PlainDateTime.from(
      { year, month, day, hour, minute, second, millisecond },
      { overflow: 'reject' },
    );
    const zone = parts[ZONE] === undefined ? timeZone : zoneName(parts[ZONE]);
    const end = start.add({ [`${precision}s`]: 1 });
    return { from: instantOf(start, zone), to: instantOf(end, zone) - 1, precision };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** From midnight to midnight in that zone: 23 or 25 hours when the clocks change. */
export function dayOf(date: Temporal.PlainDate, timeZone: string): { from: number; to: number } {
  const start = date.toPlainDateTime();
  return { from: instantOf(start, timeZone), to: instantOf(start.add({ days: 1 }), timeZone) - 1 };
}

/** Weeks begin on Monday. */
export function startOfUnit(
  time: Temporal.ZonedDateTime,
  unit: DateUnit | 'week' | 'quarter',
): Temporal.ZonedDateTime {
  switch (unit) {
    case 'year':
      return time.with({ month: 1, day: 1 }).startOfDay();
    case 'quarter':
      return time.with({ month: time.month - ((time.month - 1) % 3), day: 1 }).startOfDay();
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

function instantOf(local: Temporal.PlainDateTime, zone: string): number {
  return local.toZonedDateTime(zone).epochMilliseconds;
}

/** Temporal does not read `+0530` or `+05`: they become `+05:30` and `+05:00`. */
function zoneName(written: string): string {
  if (!/^[+-]/.test(written)) return 'UTC';
  const digits = written.slice(1).replace(':', '').padEnd(4, '0');
  return `${written[0]}${digits.slice(0, 2)}:${digits.slice(2)}`;
}
