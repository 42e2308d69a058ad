import { formatInstant, parseInstant } from './instant.ts';

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
/** Epoch times with more digits than this are milliseconds. */
const SECONDS_DIGITS = 10;

/**
 * A time that somebody typed or pasted: ISO 8601, `2026-11-15 10:00[:00[.000]]`, a day, seconds or milliseconds since
 * the epoch, or the time of a syslog line (`Nov 15 10:00:00`, in the year of `now`). Without a zone it is one of `zone`.
 */
export function parseLocalTime(text: string, zone: string, now: number): number | undefined {
  const trimmed = text.trim();
  if (/^\d{9,13}$/.test(trimmed)) {
    return trimmed.length > SECONDS_DIGITS ? Number(trimmed) : Number(trimmed) * 1000;
  }
  if (/^\d{4}-\d{2}-\d{2}[T ].*(?:Z|[+-]\d{2}:?\d{2})$/i.test(trimmed)) {
    return parseInstant(trimmed.replace(' ', 'T'));
  }
  const iso =
    /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,3})\d*)?)?)?$/.exec(trimmed);
  if (iso !== null) {
    const [, year, month, day, hour = 0, minute = 0, second = 0, fraction = '0'] = iso;
    const ms = Number(fraction.padEnd(3, '0'));
    return inZone([year, month, day, hour, minute, second].map(Number), ms, zone);
  }
  const syslog = /^([a-z]{3})\w* +(\d{1,2}) +(\d{1,2}):(\d{2}):(\d{2})$/i.exec(trimmed);
  const month = MONTHS.indexOf(syslog?.[1]?.toLowerCase() ?? '') + 1;
  if (syslog === null || month === 0) return undefined;
  const year = Number(formatInstant(now, zone, 'day').slice(0, 4));
  return inZone([year, month, ...syslog.slice(2).map(Number)], 0, zone);
}

/** In an hour that a clock change repeats, the first one; in one that it leaves out, as much later. */
function inZone(parts: readonly number[], ms: number, zone: string): number | undefined {
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts;
  const wall = Date.UTC(year, month - 1, day, hour, minute, second, ms);
  const isReal = new Date(wall).getUTCMonth() === month - 1 && hour < 24 && minute < 60 && second < 60;
  if (Number.isNaN(wall) || !isReal) return undefined;
  const early = wall - offsetAt(wall - 86_400_000, zone);
  if (wall - offsetAt(early, zone) === early) return early;
  const late = wall - offsetAt(wall + 86_400_000, zone);
  return wall - offsetAt(late, zone) === late ? late : early;
}

function offsetAt(ms: number, zone: string): number {
  const local = formatInstant(Math.floor(ms / 1000) * 1000, zone, 'second');
  return Date.parse(`${local.replace(' ', 'T')}Z`) - Math.floor(ms / 1000) * 1000;
}

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
