import { DateTime } from '@millrace/rules';
import * as chrono from 'chrono-node/en';

/** A date in words or in any usual form; undefined if there is none in the text. */
export function flexibleDate(text: string, now: number, zone: string): DateTime | undefined {
  const iso = isoDate(text, zone);
  if (iso !== undefined) return iso;
  const reference = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone);
  const [found] = chrono.parse(text.slice(0, 1000), {
    instant: new Date(now),
    timezone: reference.offsetNanoseconds / 60e9,
  });
  if (found === undefined) return undefined;
  const { start } = found;
  if (start.isCertain('timezoneOffset')) return new DateTime(start.date().getTime(), zone);
  const part = (name: chrono.Component) => start.get(name) ?? 0;
  const plain = new Temporal.PlainDateTime(
    part('year'),
    part('month'),
    part('day'),
    start.isCertain('hour') ? part('hour') : 0,
    start.isCertain('hour') ? part('minute') : 0,
    start.isCertain('hour') ? part('second') : 0,
    start.isCertain('hour') ? part('millisecond') : 0,
  );
  return new DateTime(plain.toZonedDateTime(zone).epochMilliseconds, zone);
}

const ISO = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(Z|[+-]\d\d(?::?\d\d)?)?)?$/;

/** ISO 8601, with a space or a T between day and time. */
export function isoDate(text: string, zone: string): DateTime | undefined {
  const trimmed = text.trim();
  const found = ISO.exec(trimmed);
  if (found === null) return undefined;
  try {
    const written = trimmed.replace(' ', 'T').replace(',', '.');
    if (found[1] !== undefined) return new DateTime(Temporal.Instant.from(written).epochMilliseconds, zone);
    return new DateTime(Temporal.PlainDateTime.from(written).toZonedDateTime(zone).epochMilliseconds, zone);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
