import { DateTime } from '@millrace/rules';
import { BoundedMap } from '#core/index.ts';
import { MAX_REMEMBERED_LENGTH } from '../message-limits.ts';
import {
  type DateNames,
  DatePatternError,
  namesOf,
  type PatternPart,
  partsOfPattern,
  zoneOf,
} from './joda-pattern.ts';

export interface DateParseOptions {
  readonly locale?: string | undefined;
  /** Of a text that names none; the result is shown in it. */
  readonly zone?: string | undefined;
  /** The year of a text that names none; 2000 if it is left out, as in Joda-Time. */
  readonly defaultYear?: number | undefined;
}

/** What a text says about a date. */
interface Found {
  year: number | undefined;
  month: number;
  day: number;
  dayOfYear: number | undefined;
  hour: number;
  halfHour: number | undefined;
  isAfternoon: boolean;
  minute: number;
  second: number;
  millisecond: number;
  zone: string | undefined;
  weekYear: number | undefined;
  week: number | undefined;
  weekday: number | undefined;
  isBeforeChrist: boolean;
}

const patterns = new BoundedMap<string, readonly PatternPart[]>({ maxEntries: 1000 });

export function patternParts(pattern: string): readonly PatternPart[] {
  let parts = patterns.get(pattern);
  if (parts === undefined) {
    parts = partsOfPattern(pattern);
    if (pattern.length <= MAX_REMEMBERED_LENGTH) patterns.set(pattern, parts);
  }
  return parts;
}

/** Undefined: the text does not have the form of the pattern. Throws `DatePatternError` for a bad pattern. */
export function parseJodaDate(
  text: string,
  pattern: string,
  { locale, zone = 'UTC', defaultYear = PIVOT_YEAR }: DateParseOptions,
): DateTime | undefined {
  const parts = patternParts(pattern);
  const names = namesOf(locale);
  const found = emptyFound();
  let at = 0;
  for (const [index, part] of parts.entries()) {
    const next = parts[index + 1];
    const isFollowedByDigits =
      next !== undefined &&
      next.letter !== '' &&
      !'GEaZzXVe'.includes(next.letter) &&
      !((next.letter === 'M' || next.letter === 'L') && next.count > 2);
    const length =
      part.letter === ''
        ? literalLength(text, at, part.text)
        : readPart(text, at, part, isFollowedByDigits, names, found);
    if (length < 0) return undefined;
    at += length;
  }
  if (at !== text.length) return undefined;
  found.year ??= defaultYear;
  return dateOf(found, zone);
}

function emptyFound(): Found {
  return {
    year: undefined,
    month: 1,
    day: 1,
    dayOfYear: undefined,
    hour: 0,
    halfHour: undefined,
    isAfternoon: false,
    minute: 0,
    second: 0,
    millisecond: 0,
    zone: undefined,
    weekYear: undefined,
    week: undefined,
    weekday: undefined,
    isBeforeChrist: false,
  };
}

function literalLength(text: string, at: number, wanted: string): number {
  return text.slice(at, at + wanted.length).toLowerCase() === wanted.toLowerCase() ? wanted.length : -1;
}

/** How many characters the part has taken; -1: it does not fit. */
function readPart(
  text: string,
  at: number,
  part: PatternPart,
  isTight: boolean,
  names: DateNames,
  found: Found,
): number {
  const { letter, count } = part;
  switch (letter) {
    case 'G':
      return readName(text, at, ['BC', 'AD'], (era) => {
        found.isBeforeChrist = era === 0;
      });
    case 'a':
      return readName(text, at, [...names.halves, 'AM', 'PM'], (half) => {
        found.isAfternoon = half % 2 === 1;
        found.halfHour ??= found.hour;
      });
    case 'E':
      return readName(text, at, [...names.days, ...names.shortDays], (day) => {
        found.weekday = (day % 7) + 1;
      });
    case 'M':
    case 'L':
      if (count > 2) {
        return readName(text, at, [...names.months, ...names.shortMonths], (month) => {
          found.month = (month % 12) + 1;
        });
      }
      break;
    case 'z':
    case 'V':
      return readZone(text, at, found, /^[A-Za-z][\w/+-]*|^[+-]\d\d:?\d\d/);
    case 'Z':
      return readZone(
        text,
        at,
        found,
        count >= 3 ? /^[A-Za-z][\w/+-]*|^[+-]\d\d:?\d\d/ : /^(?:Z|[+-]\d\d(?::?\d\d)?)/,
      );
    case 'X':
      return readZone(text, at, found, /^(?:Z|[+-]\d\d(?::?\d\d)?)/);
    case 'S':
      return readFraction(text, at, count, isTight, found);
  }
  return readNumber(text, at, part, isTight, found);
}

function readName(text: string, at: number, names: readonly string[], take: (index: number) => void): number {
  const rest = text.slice(at, at + 40).toLowerCase();
  let best = -1;
  let length = -1;
  for (const [index, name] of names.entries()) {
    for (const form of [name, name.replace(/\.$/, '')]) {
      if (form.length > length && rest.startsWith(form.toLowerCase())) [best, length] = [index, form.length];
    }
  }
  if (best >= 0) take(best);
  return length;
}

function readZone(text: string, at: number, found: Found, form: RegExp): number {
  const written = form.exec(text.slice(at, at + 60))?.[0];
  const zone = written === undefined ? undefined : zoneOf(written);
  if (written === undefined || zone === undefined) return -1;
  found.zone = zone;
  return written.length;
}

function readFraction(text: string, at: number, count: number, isTight: boolean, found: Found): number {
  const digits = new RegExp(`^\\d{1,${isTight ? count : Math.max(count, 9)}}`).exec(
    text.slice(at, at + 10),
  )?.[0];
  if (digits === undefined) return -1;
  found.millisecond = Math.trunc(Number(digits.padEnd(3, '0').slice(0, 3)));
  return digits.length;
}

const PIVOT_YEAR = 2000;
const MOST_DIGITS: Readonly<Record<string, number>> = { y: 9, Y: 9, u: 9, x: 9, D: 3 };

function readNumber(
  text: string,
  at: number,
  { letter, count }: PatternPart,
  isTight: boolean,
  found: Found,
): number {
  const most = isTight ? count : Math.max(count, MOST_DIGITS[letter] ?? 2);
  const isYear = 'yYux'.includes(letter);
  const form = isYear && !isTight ? `^[+-]?\\d{1,${most}}` : `^\\d{1,${most}}`;
  const digits = new RegExp(form).exec(text.slice(at, at + 12))?.[0];
  if (digits === undefined) return -1;
  const number = Number(digits);
  // Two digits are a year near the pivot, and only if there are exactly two.
  const year = isYear && count === 2 && /^\d\d$/.test(digits) ? nearPivot(number) : number;
  return take(letter, isYear ? year : number, found) ? digits.length : -1;
}

function nearPivot(number: number): number {
  const year = PIVOT_YEAR - (PIVOT_YEAR % 100) + number;
  return year >= PIVOT_YEAR + 50 ? year - 100 : year;
}

function take(letter: string, number: number, found: Found): boolean {
  switch (letter) {
    case 'y':
    case 'u':
    case 'Y':
      found.year = number;
      return true;
    case 'x':
      found.weekYear = number;
      return true;
    case 'w':
      found.week = number;
      return number >= 1 && number <= 53;
    case 'e':
    case 'c':
      found.weekday = number;
      return number >= 1 && number <= 7;
    case 'M':
    case 'L':
      found.month = number;
      return number >= 1 && number <= 12;
    case 'd':
      found.day = number;
      return number >= 1 && number <= 31;
    case 'D':
      found.dayOfYear = number;
      return number >= 1 && number <= 366;
    case 'H':
      found.hour = number;
      return number <= 23;
    case 'k':
      found.hour = number % 24;
      return number >= 1 && number <= 24;
    case 'K':
    case 'h':
      found.halfHour = number % 12;
      return number <= 12;
    case 'm':
      found.minute = number;
      return number <= 59;
    case 's':
      found.second = number;
      return number <= 59;
    case 'C':
      found.year = number * 100 + ((found.year ?? 0) % 100);
      return true;
    default:
      throw new DatePatternError(`the letter ${letter} cannot be read from a text`);
  }
}

/** Undefined for a day that does not exist. */
function dateOf(found: Found, zone: string): DateTime | undefined {
  const { minute, second, millisecond, halfHour } = found;
  const hour = halfHour === undefined ? found.hour : halfHour + (found.isAfternoon ? 12 : 0);
  try {
    const moment = dayOf(found).toPlainDateTime({ hour, minute, second, millisecond });
    const ms = moment.toZonedDateTime(found.zone ?? zone).epochMilliseconds;
    return new DateTime(ms, zone);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function dayOf({
  year = PIVOT_YEAR,
  month,
  day,
  dayOfYear,
  weekYear,
  week,
  weekday,
  isBeforeChrist,
}: Found): Temporal.PlainDate {
  if (weekYear !== undefined || week !== undefined) {
    // The week with 4 January is the first one.
    const first = new Temporal.PlainDate(weekYear ?? year, 1, 4);
    return first.add({ days: ((week ?? 1) - 1) * 7 + (weekday ?? 1) - first.dayOfWeek });
  }
  const counted = isBeforeChrist ? 1 - year : year;
  if (dayOfYear !== undefined) return new Temporal.PlainDate(counted, 1, 1).add({ days: dayOfYear - 1 });
  return Temporal.PlainDate.from({ year: counted, month, day }, { overflow: 'reject' });
}
