import type { DateTime } from '@millrace/rules';
import { type DateNames, namesOf, type PatternPart } from './joda-pattern.ts';
import { patternParts } from './parse-date.ts';

/** Throws `DatePatternError` for a bad pattern. */
export function formatJodaDate(date: DateTime, pattern: string, locale?: string): string {
  const names = namesOf(locale);
  const { zoned } = date;
  return patternParts(pattern)
    .map((part) => (part.letter === '' ? part.text : partText(zoned, part, names)))
    .join('');
}

function partText(zoned: Temporal.ZonedDateTime, { letter, count }: PatternPart, names: DateNames): string {
  const padded = (number: number, digits = count) =>
    `${number < 0 ? '-' : ''}${String(Math.abs(number)).padStart(digits, '0')}`;
  const year = (number: number) => (count === 2 ? padded(Math.abs(number) % 100, 2) : padded(number));
  switch (letter) {
    case 'G':
      return zoned.year > 0 ? 'AD' : 'BC';
    case 'C':
      return padded(Math.trunc(zoned.year / 100));
    case 'y':
    case 'u':
    case 'Y':
      return year(zoned.year);
    case 'x':
      return year(zoned.yearOfWeek ?? zoned.year);
    case 'w':
      return padded(zoned.weekOfYear ?? 0);
    case 'e':
    case 'c':
      return padded(zoned.dayOfWeek);
    case 'E':
      return (count > 3 ? names.days : names.shortDays)[zoned.dayOfWeek - 1] ?? '';
    case 'D':
      return padded(zoned.dayOfYear);
    case 'M':
    case 'L':
      if (count <= 2) return padded(zoned.month);
      return (count > 3 ? names.months : names.shortMonths)[zoned.month - 1] ?? '';
    case 'd':
      return padded(zoned.day);
    case 'a':
      return names.halves[zoned.hour < 12 ? 0 : 1];
    default:
      return timeText(zoned, letter, count, padded);
  }
}

function timeText(
  zoned: Temporal.ZonedDateTime,
  letter: string,
  count: number,
  padded: (number: number) => string,
): string {
  switch (letter) {
    case 'K':
      return padded(zoned.hour % 12);
    case 'h':
      return padded(zoned.hour % 12 || 12);
    case 'H':
      return padded(zoned.hour);
    case 'k':
      return padded(zoned.hour || 24);
    case 'm':
      return padded(zoned.minute);
    case 's':
      return padded(zoned.second);
    case 'S':
      return String(zoned.millisecond).padStart(3, '0').padEnd(count, '0').slice(0, count);
    case 'Z':
      if (count >= 3) return zoned.timeZoneId;
      return count === 2 ? zoned.offset : zoned.offset.replace(':', '');
    case 'X':
      if (zoned.offsetNanoseconds === 0) return 'Z';
      return count === 1
        ? zoned.offset.slice(0, 3)
        : count === 2
          ? zoned.offset.replace(':', '')
          : zoned.offset;
    case 'V':
      return zoned.timeZoneId;
    default: {
      const style = count > 3 ? 'long' : 'short';
      const format = new Intl.DateTimeFormat('en-US', { timeZone: zoned.timeZoneId, timeZoneName: style });
      const parts = format.formatToParts(zoned.epochMilliseconds);
      return parts.find(({ type }) => type === 'timeZoneName')?.value ?? zoned.offset;
    }
  }
}
