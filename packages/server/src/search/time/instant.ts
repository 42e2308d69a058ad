/** Points in time as people and programs write them out in full. Nothing is guessed here. */

const WRITTEN =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:(?:[Tt]|\s+)(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?\s*([Zz]|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?$/;
const EPOCH_MILLISECONDS = /^-?\d{11,14}$/;

export interface WrittenInstant {
  /** Milliseconds since the epoch: of the moment, or of the beginning of the day. */
  readonly from: number;
  /** The last millisecond of what was written: of the day, the minute or the second. */
  readonly to: number;
}

/**
 * ISO 8601 with `T` or a space, with or without time, seconds, fraction and offset, or milliseconds since the epoch.
 * `timeZone` is for texts that name none. Undefined for anything else, and for dates that do not exist.
 */
export function parseInstant(text: string, timeZone: string): WrittenInstant | undefined {
  const trimmed = text.trim();
  if (EPOCH_MILLISECONDS.test(trimmed)) return { from: Number(trimmed), to: Number(trimmed) };
  const found = WRITTEN.exec(trimmed);
  if (found === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction, offset] = found;
  try {
    const date = Temporal.PlainDate.from(
      { year: Number(year), month: Number(month), day: Number(day) },
      { overflow: 'reject' },
    );
    const zone = offset === undefined ? timeZone : zoneOf(offset);
    if (hour === undefined) return dayOf(date, zone);
    const time = Temporal.PlainTime.from(
      {
        hour: Number(hour),
        minute: Number(minute),
        second: Number(second ?? 0),
        millisecond: Number((fraction ?? '').padEnd(3, '0').slice(0, 3)),
      },
      { overflow: 'reject' },
    );
    const from = date.toZonedDateTime({ timeZone: zone, plainTime: time }).epochMilliseconds;
    return { from, to: from };
  } catch {
    return undefined;
  }
}

/** From midnight to midnight as that zone has it: 23 or 25 hours when the clocks change. */
export function dayOf(date: Temporal.PlainDate, timeZone: string): WrittenInstant {
  return {
    from: date.toZonedDateTime(timeZone).epochMilliseconds,
    to: date.add({ days: 1 }).toZonedDateTime(timeZone).epochMilliseconds - 1,
  };
}

function zoneOf(offset: string): string {
  if (/^[zZ]$|^UTC$|^GMT$/.test(offset)) return 'UTC';
  const digits = offset.slice(1).replace(':', '').padEnd(4, '0');
  return `${offset[0]}${digits.slice(0, 2)}:${digits.slice(2)}`;
}
