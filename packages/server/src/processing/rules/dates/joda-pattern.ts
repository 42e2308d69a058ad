/** The parts of a date pattern of Joda-Time or java.time: `yyyy-MM-dd'T'HH:mm:ss.SSSZZ`. */
import { MAX_REMEMBERED_LENGTH } from '../message-limits.ts';

export interface PatternPart {
  /** A letter of the pattern; empty for text. */
  readonly letter: string;
  /** How often the letter is there. */
  readonly count: number;
  readonly text: string;
}

/** The pattern cannot be used; the message says why. */
export class DatePatternError extends Error {
  override readonly name = 'DatePatternError';
}

const LETTERS = 'GCYxwceEyuDMLdaKhHkmsSzZXV';

export function partsOfPattern(pattern: string): readonly PatternPart[] {
  const parts: PatternPart[] = [];
  for (let at = 0; at < pattern.length; ) {
    const letter = pattern.charAt(at);
    if (letter === "'") {
      const quoted = /^'(?:[^']|'')*'/.exec(pattern.slice(at))?.[0];
      if (quoted === undefined)
        throw new DatePatternError(`the quote in the pattern "${pattern}" is not closed`);
      parts.push({
        letter: '',
        count: 0,
        text: quoted === "''" ? "'" : quoted.slice(1, -1).replaceAll("''", "'"),
      });
      at += quoted.length;
    } else if (/[A-Za-z]/.test(letter)) {
      if (!LETTERS.includes(letter)) {
        throw new DatePatternError(
          `the letter ${letter} has no meaning in a date pattern; write text in single quotes`,
        );
      }
      let end = at;
      while (pattern.charAt(end) === letter) end += 1;
      parts.push({ letter, count: end - at, text: '' });
      at = end;
    } else {
      parts.push({ letter: '', count: 0, text: letter });
      at += 1;
    }
  }
  return parts;
}

/** Names of months and days in a language. */
export interface DateNames {
  readonly months: readonly string[];
  readonly shortMonths: readonly string[];
  readonly days: readonly string[];
  readonly shortDays: readonly string[];
  readonly halves: readonly [string, string];
}

const names = new Map<string, DateNames>();

/** Throws for a locale that does not exist. Java writes `en_US`, the rest of the world `en-US`. */
export function namesOf(locale: string | undefined): DateNames {
  const key = (locale ?? 'en').replaceAll('_', '-');
  let known = names.get(key);
  if (known === undefined) {
    known = readNames(key);
    if (names.size < 500) names.set(key, known);
  }
  return known;
}

function readNames(locale: string): DateNames {
  let form: (options: Intl.DateTimeFormatOptions) => Intl.DateTimeFormat;
  try {
    Intl.getCanonicalLocales(locale);
    form = (options) => new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  } catch {
    throw new DatePatternError(`"${locale}" is not a locale; write en, de-DE and the like`);
  }
  const all = (count: number, make: (index: number) => number, options: Intl.DateTimeFormatOptions) =>
    Array.from({ length: count }, (_, index) => form(options).format(make(index)));
  const month = (index: number) => Date.UTC(2024, index, 15);
  // 1 January 2024 was a Monday.
  const day = (index: number) => Date.UTC(2024, 0, 1 + index);
  const half = (hour: number) =>
    form({ hour: 'numeric', hour12: true })
      .formatToParts(Date.UTC(2024, 0, 1, hour))
      .find(({ type }) => type === 'dayPeriod')?.value ?? (hour < 12 ? 'AM' : 'PM');
  return {
    months: all(12, month, { month: 'long' }),
    shortMonths: all(12, month, { month: 'short' }),
    days: all(7, day, { weekday: 'long' }),
    shortDays: all(7, day, { weekday: 'short' }),
    halves: [half(6), half(18)],
  };
}

/** Time zones by the names that people write and the time zone database does not have. */
const ZONE_NAMES: Readonly<Record<string, string>> = {
  EST: '-05:00',
  EDT: '-04:00',
  CST: '-06:00',
  CDT: '-05:00',
  MST: '-07:00',
  MDT: '-06:00',
  PST: '-08:00',
  PDT: '-07:00',
  CET: '+01:00',
  CEST: '+02:00',
  EET: '+02:00',
  EEST: '+03:00',
  WET: '+00:00',
  WEST: '+01:00',
  BST: '+01:00',
  MSK: '+03:00',
  JST: '+09:00',
  IST: '+05:30',
  Z: 'UTC',
  UT: 'UTC',
};

const zones = new Map<string, string | undefined>();

/** A time zone as Temporal knows it; undefined: there is none of this name. */
export function zoneOf(name: string): string | undefined {
  const isRemembered = name.length <= MAX_REMEMBERED_LENGTH && zones.size < 2000;
  if (isRemembered && !zones.has(name)) zones.set(name, findZone(name));
  return zones.has(name) ? zones.get(name) : findZone(name);
}

function findZone(name: string): string | undefined {
  const trimmed = name.trim();
  const known = Object.hasOwn(ZONE_NAMES, trimmed.toUpperCase())
    ? ZONE_NAMES[trimmed.toUpperCase()]
    : undefined;
  const offset = /^(?:GMT|UTC)?([+-])(\d{1,2}):?(\d{2})?$/.exec(trimmed);
  const candidate =
    known ??
    (offset === null ? trimmed : `${offset[1]}${(offset[2] ?? '').padStart(2, '0')}:${offset[3] ?? '00'}`);
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(candidate).timeZoneId;
  } catch {
    return undefined;
  }
}

/** In a text these say that it is winter time. As the zone of a place they have summer time. */
const WITH_SUMMER_TIME: ReadonlySet<string> = new Set(['CET', 'EET', 'WET']);

/** The zone of an argument. Throws for one that does not exist. */
export function wantedZone(name: string | undefined): string {
  if (name === undefined) return 'UTC';
  const upper = name.trim().toUpperCase();
  const zone = WITH_SUMMER_TIME.has(upper) ? upper : zoneOf(name);
  if (zone === undefined) throw new Error(`there is no time zone "${name}"`);
  return zone;
}
