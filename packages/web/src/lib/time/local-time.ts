import { formatInstant, parseInstant } from './instant.ts';

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const DAY_MS = 86_400_000;

/**
 * A time that somebody typed or pasted: ISO 8601, `2026-11-15 10:00[:00[.000]]`, a day, seconds to nanoseconds since
 * the epoch, the time of a syslog line (`Nov 15 10:00:00`, the last one before `now`) or of a web server
 * (`15/Nov/2026:10:00:00 +0100`). Without a zone it is one of `zone`.
 */
export function parseLocalTime(text: string, zone: string, now: number): number | undefined {
  const trimmed = text.trim().replace(/^\[(.*)\]$/, '$1');
  return (
    epochTime(trimmed) ??
    isoTime(trimmed, zone) ??
    webServerTime(trimmed, zone) ??
    syslogTime(trimmed, zone, now)
  );
}

/** Seconds, milliseconds, microseconds or nanoseconds, by the number of digits. */
function epochTime(text: string): number | undefined {
  const [, whole = '', fraction = ''] = /^(\d{9,10})(?:\.(\d{1,9}))?$/.exec(text) ?? [];
  if (whole !== '') return Number(whole) * 1000 + Number(fraction.slice(0, 3).padEnd(3, '0'));
  if (/^\d{11,13}$/.test(text)) return Number(text);
  if (/^\d{16}$/.test(text)) return Math.floor(Number(text) / 1000);
  return /^\d{19}$/.test(text) ? Number(text.slice(0, -6)) : undefined;
}

function isoTime(text: string, zone: string): number | undefined {
  const dashed = text.replace(/^(\d{4})\/(\d{1,2})\/(\d{1,2})/, '$1-$2-$3').replace(',', '.');
  if (/^\d{4}-\d{2}-\d{2}[T ].*(?:Z|[+-]\d{2}:?\d{2})$/i.test(dashed)) {
    return parseInstant(
      dashed.replace(/(\d) (?=[\d+-])/g, (_, digit: string, at: number) => (at === 9 ? `${digit}T` : digit)),
    );
  }
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3})\d*)?)?)?$/.exec(
    dashed,
  );
  if (iso === null) return undefined;
  const [, year, month, day, hour = 0, minute = 0, second = 0, fraction = '0'] = iso;
  return inZone([year, month, day, hour, minute, second].map(Number), Number(fraction.padEnd(3, '0')), zone);
}

function webServerTime(text: string, zone: string): number | undefined {
  const found = /^(\d{1,2})\/([a-z]{3})\/(\d{4}):(\d{2}):(\d{2}):(\d{2})(?: ([+-]\d{4}))?$/i.exec(text);
  const month = monthOf(found?.[2]);
  if (found === null || month === 0) return undefined;
  const [, day, , year, hour, minute, second, offset] = found;
  const parts = [year, month, day, hour, minute, second].map(Number);
  if (offset === undefined) return inZone(parts, 0, zone);
  const utc = inZone(parts, 0, 'UTC');
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(3));
  return utc === undefined ? undefined : utc - Number(`${offset[0]}1`) * minutes * 60_000;
}

function syslogTime(text: string, zone: string, now: number): number | undefined {
  const found = /^(?:[a-z]{3},? )?([a-z]{3})\w* +(\d{1,2}) +(\d{1,2}):(\d{2}):(\d{2})$/i.exec(text);
  const month = monthOf(found?.[1]);
  if (found === null || month === 0) return undefined;
  const year = Number(formatInstant(now, zone, 'day').slice(0, 4));
  const inYear = (each: number) => inZone([each, month, ...found.slice(2).map(Number)], 0, zone);
  const ms = inYear(year);
  // It has no year: in January, December means the last one. A clock may be a little ahead.
  return ms !== undefined && ms > now + DAY_MS ? inYear(year - 1) : ms;
}

function monthOf(name: string | undefined): number {
  return MONTHS.indexOf(name?.toLowerCase() ?? '') + 1;
}

/** In an hour that a clock change repeats, the first one; in one that it leaves out, as much later. */
function inZone(parts: readonly number[], ms: number, zone: string): number | undefined {
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts;
  const wall = Date.UTC(year, month - 1, day, hour, minute, second, ms);
  const isReal = new Date(wall).getUTCMonth() === month - 1 && hour < 24 && minute < 60 && second < 60;
  if (Number.isNaN(wall) || !isReal) return undefined;
  const early = wall - offsetAt(wall - DAY_MS, zone);
  if (wall - offsetAt(early, zone) === early) return early;
  const late = wall - offsetAt(wall + DAY_MS, zone);
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
