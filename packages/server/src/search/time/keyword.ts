/**
 * Time ranges in words. Most have two ends ("yesterday 14:00 to 16:00"). A single point in time ("2 hours ago") means
 * from then to now; a day or a month means all of it. chrono-node parses the words. It supports offsets but not time
 * zones, so Temporal turns the local times into instants here.
 */
import type { ParsedComponents } from 'chrono-node';
import * as chrono from 'chrono-node/en';
import { parseInstant } from './instant.ts';
import { dayOf, startOfUnit } from './written-date.ts';

/** Milliseconds since the epoch, both inclusive. */
export interface KeywordSpan {
  readonly from: number;
  readonly to: number;
}

/** One side of a range. */
interface Moment extends KeywordSpan {
  /** Its day, in the zone of the search. */
  readonly date: Temporal.PlainDate;
  /** A point in time, not a day or a month. */
  readonly isPoint: boolean;
  /** Only a time of day, such as "16:00". */
  readonly isTimeOnly: boolean;
}

const UNITS = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const;
type Unit = (typeof UNITS)[number];
const SHORT_UNITS: Readonly<Record<string, Unit>> = {
  s: 'second',
  sec: 'second',
  m: 'minute',
  min: 'minute',
  h: 'hour',
  hr: 'hour',
  d: 'day',
  w: 'week',
  mo: 'month',
  y: 'year',
};
/** Without a number, "last" means the one before this. */
const CALENDAR_UNITS: ReadonlySet<Unit> = new Set<Unit>(['week', 'month', 'quarter', 'year']);
const NUMBER_WORDS = ['a', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

const LAST = /^(?:the\s+)?(?:last|past|previous)\s+(?:(\d{1,9})\s*|([a-z]+)\s+)?([a-z]+)$/i;
const AGO = /^(?:(\d{1,9})\s*|([a-z]+)\s+)([a-z]+)\s+ago$/i;
const PART_OF_DAY = /\b(?:morning|afternoon|evening|night|tonight)\b/i;
const THIS = /^(?:this|current)\s+([a-z]+)$/i;
const MAX_LENGTH = 200;
const MAX_CANDIDATES = 8;

/** Undefined unless the whole text is understood. Weeks begin on Monday. */
export function parseKeyword(keyword: string, now: number, timeZone: string): KeywordSpan | undefined {
  const text = keyword.trim().replace(/\s+/g, ' ');
  if (text === '' || text.length > MAX_LENGTH) return undefined;
  const present = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone);
  return (
    lastUnits(text, present) ??
    thisUnit(text, present) ??
    betweenMoments(text, present) ??
    single(text, present)
  );
}

/**
 * "last 5 minutes", "past hour": up to now. Hours and shorter units are exact; longer ones follow the calendar. As in
 * Graylog, "last week" is the calendar week before this one, and "last 7 days" are whole days, today included.
 */
function lastUnits(text: string, present: Temporal.ZonedDateTime): KeywordSpan | undefined {
  const found = LAST.exec(text);
  if (found === null) return undefined;
  const unit = unitOf(found[3] ?? '');
  const amount = found[1] ?? found[2];
  if (amount === undefined && unit !== undefined && CALENDAR_UNITS.has(unit)) {
    const to = startOfUnit(present, unit);
    const before = subtract(to, '1', unit);
    return before && { from: before.epochMilliseconds, to: to.epochMilliseconds - 1 };
  }
  const from = subtract(present, amount ?? '1', found[3] ?? '');
  if (from === undefined) return undefined;
  if (unit !== 'day' || amount === undefined) {
    return { from: from.epochMilliseconds, to: present.epochMilliseconds };
  }
  const tomorrow = startOfUnit(present.add({ days: 1 }), 'day');
  return { from: startOfUnit(from, 'day').epochMilliseconds, to: tomorrow.epochMilliseconds - 1 };
}

function subtract(
  present: Temporal.ZonedDateTime,
  amount: string,
  unitText: string,
): Temporal.ZonedDateTime | undefined {
  const unit = unitOf(unitText);
  const number = amountOf(amount);
  if (unit === undefined || number === undefined) return undefined;
  try {
    return unit === 'quarter'
      ? present.subtract({ months: number * 3 })
      : present.subtract({ [`${unit}s`]: number });
  } catch {
    return undefined;
  }
}

/** "this week": from its start to now. */
function thisUnit(text: string, present: Temporal.ZonedDateTime): KeywordSpan | undefined {
  const unit = unitOf(THIS.exec(text)?.[1] ?? '');
  if (unit === undefined) return undefined;
  return { from: startOfUnit(present, unit).epochMilliseconds, to: present.epochMilliseconds };
}

/** "X to Y", "between X and Y". A side that is only a time of day takes the day of the other side. */
function betweenMoments(text: string, present: Temporal.ZonedDateTime): KeywordSpan | undefined {
  for (const [left, right] of sidesOf(text)) {
    const sides = momentsOf(left, right, present);
    if (sides === undefined) continue;
    const { begin, end } = sides;
    const now = present.epochMilliseconds;
    return { from: begin.from, to: !end.isPoint && end.from <= now ? Math.min(end.to, now) : end.to };
  }
  return undefined;
}

function momentsOf(left: string, right: string, present: Temporal.ZonedDateTime) {
  const today = present.toPlainDate();
  const parsedEnd = momentOf(right, present, today);
  const onDay = (date: Temporal.PlainDate) => {
    const begin = momentOf(left, present, date);
    const end = begin && momentOf(right, present, begin.date);
    // "22:00 to 02:00" crosses midnight.
    const crossesMidnight = begin && end?.isTimeOnly && end.to < begin.from;
    const last = crossesMidnight ? momentOf(right, present, begin.date.add({ days: 1 })) : end;
    return begin && last && { begin, end: last };
  };
  const sides = onDay(parsedEnd && !parsedEnd.isTimeOnly ? parsedEnd.date : today);
  const isAhead =
    sides?.begin.isTimeOnly && sides.end.isTimeOnly && sides.begin.from > present.epochMilliseconds;
  return isAhead ? onDay(today.subtract({ days: 1 })) : sides;
}

/** Every way to split the text in two. There may be several: dates can contain separators ("2026-06-01 - now"). */
function sidesOf(text: string): [string, string][] {
  const between = /^between (.+)$/i.exec(text)?.[1];
  const separator = between === undefined ? /\s+(?:to|until|till|through|thru|-|–)\s+/gi : /\s+and\s+/gi;
  const whole = (between ?? text).replace(/^from\s+/i, '');
  return [...whole.matchAll(separator)]
    .slice(0, MAX_CANDIDATES)
    .map((cut) => [whole.slice(0, cut.index), whole.slice(cut.index + cut[0].length)]);
}

function single(text: string, present: Temporal.ZonedDateTime): KeywordSpan | undefined {
  const since = /^since\s+(.+)$/i.exec(text)?.[1];
  const now = present.epochMilliseconds;
  const parsed = momentOf(since ?? text, present);
  const isAhead = parsed?.isTimeOnly && parsed.from > now;
  const moment = isAhead ? momentOf(since ?? text, present, parsed.date.subtract({ days: 1 })) : parsed;
  if (moment === undefined || moment.from > now) return undefined;
  return { from: moment.from, to: moment.isPoint || since !== undefined ? now : Math.min(moment.to, now) };
}

function momentOf(
  text: string,
  present: Temporal.ZonedDateTime,
  defaultDate?: Temporal.PlainDate,
): Moment | undefined {
  const zone = present.timeZoneId;
  if (/^now$/i.test(text)) return point(present);
  const written = parseInstant(text, zone);
  if (written !== undefined) {
    const date = Temporal.Instant.fromEpochMilliseconds(written.from).toZonedDateTimeISO(zone).toPlainDate();
    return { ...written, date, isPoint: written.from === written.to, isTimeOnly: false };
  }
  const ago = AGO.exec(text);
  const past = ago && subtract(present, ago[1] ?? ago[2] ?? '', ago[3] ?? '');
  return past ? point(past) : chronoMoment(text, present, defaultDate);
}

function point(moment: Temporal.ZonedDateTime): Moment {
  const at = moment.epochMilliseconds;
  return { from: at, to: at, date: moment.toPlainDate(), isPoint: true, isTimeOnly: false };
}

function chronoMoment(
  text: string,
  present: Temporal.ZonedDateTime,
  defaultDate: Temporal.PlainDate | undefined,
): Moment | undefined {
  // chrono takes midnight as the next one.
  const plain = text.replace(/\bmidnight\b/gi, '00:00').replace(/\bnoon\b/gi, '12:00');
  const offsetMinutes = present.offsetNanoseconds / 60e9;
  const [result, ...more] = chrono.parse(plain, {
    instant: new Date(present.epochMilliseconds),
    timezone: offsetMinutes,
  });
  if (result === undefined || more.length > 0 || result.end) return undefined;
  if (!isFiller(plain.slice(0, result.index) + plain.slice(result.index + result.text.length)))
    return undefined;
  const isPoint = result.start.isCertain('hour') || PART_OF_DAY.test(plain);
  return momentOfComponents(result.start, isPoint, present, defaultDate);
}

/** Words around a date that add nothing to it. */
function isFiller(text: string): boolean {
  return /^(?:\s|,|\b(?:on|at|the)\b)*$/i.test(text);
}

function momentOfComponents(
  start: ParsedComponents,
  isPoint: boolean,
  present: Temporal.ZonedDateTime,
  defaultDate: Temporal.PlainDate | undefined,
): Moment | undefined {
  const hasDay = start.isCertain('day') || start.isCertain('weekday');
  const isMonth = !hasDay && start.isCertain('month');
  const isTimeOnly = isPoint && !hasDay && !isMonth && !start.isCertain('year') && isSameDay(start, present);
  const parsed = plainDate(start);
  if (parsed === undefined) return undefined;
  const date = isTimeOnly
    ? (defaultDate ?? present.toPlainDate())
    : pastDate(parsed, start, present, isMonth);
  const zone = zoneOf(start, present);
  if (isMonth) {
    const first = date.with({ day: 1 });
    const next = first.add({ months: 1 }).toZonedDateTime(zone).epochMilliseconds;
    return { from: dayOf(first, zone).from, to: next - 1, date: first, isPoint: false, isTimeOnly: false };
  }
  if (!isPoint) return { ...dayOf(date, zone), date, isPoint: false, isTimeOnly: false };
  const time = Temporal.PlainTime.from({
    hour: start.get('hour') ?? 0,
    minute: start.get('minute') ?? 0,
    second: start.get('second') ?? 0,
    millisecond: start.get('millisecond') ?? 0,
  });
  const at = date.toZonedDateTime({ timeZone: zone, plainTime: time }).epochMilliseconds;
  return { from: at, to: at, date, isPoint: true, isTimeOnly };
}

function plainDate(start: ParsedComponents): Temporal.PlainDate | undefined {
  const [year, month, day] = [start.get('year'), start.get('month'), start.get('day')];
  if (year === null || month === null || day === null) return undefined;
  try {
    return Temporal.PlainDate.from({ year, month, day }, { overflow: 'reject' });
  } catch {
    return undefined;
  }
}

/** "June" and "Monday" mean the last ones: logs are about the past. */
function pastDate(
  date: Temporal.PlainDate,
  start: ParsedComponents,
  present: Temporal.ZonedDateTime,
  isMonth: boolean,
): Temporal.PlainDate {
  const today = present.toPlainDate();
  const begins = isMonth ? date.with({ day: 1 }) : date;
  if (Temporal.PlainDate.compare(begins, today) <= 0 || start.isCertain('year')) return date;
  if (start.isCertain('weekday') && !start.isCertain('day')) return date.subtract({ weeks: 1 });
  return start.isCertain('month') && !start.isCertain('weekday') ? date.subtract({ years: 1 }) : date;
}

function isSameDay(start: ParsedComponents, present: Temporal.ZonedDateTime): boolean {
  return start.get('day') === present.day && start.get('month') === present.month;
}

/** The offset in the text, or the zone of the search. */
function zoneOf(start: ParsedComponents, present: Temporal.ZonedDateTime): string {
  const minutes = start.get('timezoneOffset');
  if (!start.isCertain('timezoneOffset') || minutes === null) return present.timeZoneId;
  const sign = minutes < 0 ? '-' : '+';
  const digits = (number: number) => String(number).padStart(2, '0');
  return `${sign}${digits(Math.floor(Math.abs(minutes) / 60))}:${digits(Math.abs(minutes) % 60)}`;
}

function unitOf(text: string): Unit | undefined {
  const word = text.toLowerCase();
  return (
    UNITS.find((unit) => word === unit || word === `${unit}s`) ?? SHORT_UNITS[word.replace(/(.)s$/, '$1')]
  );
}

function amountOf(text: string): number | undefined {
  if (/^\d+$/.test(text)) return Number(text);
  const word = text.toLowerCase();
  if (word === 'an') return 1;
  const position = NUMBER_WORDS.indexOf(word);
  return position < 0 ? undefined : Math.max(1, position);
}
