import { MAX_TIMESTAMP_MS } from '#core/index.ts';
import { WrittenNumber } from '../json/exact-json.ts';
import type { GelfNote } from './notes.ts';

/** The rules for `timestamp`, `level` and `host` values that the format does not allow. */

/** The level of a message without one: the format's default, ALERT. */
export const DEFAULT_LEVEL = 1;
export const MAX_LEVEL = 2 ** 31 - 1;

/** Seconds after the year 5000 are milliseconds. */
const FIRST_MILLISECONDS = Date.UTC(5000, 0) / 1000;

/** Date and time of ISO 8601; without a zone it is UTC. */
const ISO_TIME = /^\s*(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d(?:[.,]\d{1,9})?)\s*(Z|[+-]\d\d(?::?\d\d)?)?\s*$/i;

const NUMERIC_TEXT = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/;
const MAX_NUMERIC_TEXT = 64;

/** Syslog's names, and the names loggers use for the same levels. */
const LEVEL_NAMES: ReadonlyMap<string, number> = new Map([
  ['emerg', 0],
  ['emergency', 0],
  ['panic', 0],
  ['alert', 1],
  ['crit', 2],
  ['critical', 2],
  ['fatal', 2],
  ['err', 3],
  ['error', 3],
  ['warn', 4],
  ['warning', 4],
  ['notice', 5],
  ['info', 6],
  ['information', 6],
  ['informational', 6],
  ['debug', 7],
  ['trace', 7],
]);

/** The value to use, and the correction it needed. */
export interface Resolved<T> {
  readonly value: T;
  readonly note: GelfNote | undefined;
}

/** A number that was sent as a number, an integer beyond 2^53 or a text; else undefined. */
function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'string' || value.length > MAX_NUMERIC_TEXT) return undefined;
  return NUMERIC_TEXT.test(value) ? Number(value) : undefined;
}

/** Milliseconds of a timestamp in seconds, or -1 when no message can have that time. */
export function storableMilliseconds(seconds: number): number {
  const milliseconds = Math.round(seconds * 1000);
  return milliseconds > 0 && milliseconds <= MAX_TIMESTAMP_MS ? milliseconds : -1;
}

export function resolveTimestamp(sent: unknown, receivedAt: number): Resolved<number> {
  if (sent === undefined || sent === null) return { value: receivedAt, note: 'timestamp_missing' };
  const seconds = secondsOf(sent);
  const milliseconds = seconds === undefined ? -1 : storableMilliseconds(seconds);
  if (milliseconds < 0) return { value: receivedAt, note: 'timestamp_replaced' };
  return { value: milliseconds, note: seconds === sent ? undefined : 'timestamp_converted' };
}

function secondsOf(sent: unknown): number | undefined {
  const number = numberOf(sent);
  if (number !== undefined) return number >= FIRST_MILLISECONDS ? number / 1000 : number;
  if (typeof sent !== 'string' || sent.length > MAX_NUMERIC_TEXT) return undefined;
  const match = ISO_TIME.exec(sent);
  if (match === null) return undefined;
  const [, date = '', time = '', zone = 'Z'] = match;
  // What `Date` reads for certain: `+02:00`, three digits of a second.
  const offset = zone.length > 1 ? `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}` : 'Z';
  const clock = time.replace(',', '.').replace(/(\.\d{3})\d+$/, '$1');
  const milliseconds = Date.parse(`${date}T${clock}${offset}`);
  return Number.isNaN(milliseconds) || !isDay(date) ? undefined : milliseconds / 1000;
}

/** `Date` takes 30 February for 2 March. */
function isDay(date: string): boolean {
  return new Date(`${date}T00:00:00Z`).toISOString().startsWith(date);
}

export function resolveLevel(sent: unknown): Resolved<number> {
  if (sent === undefined || sent === null) return { value: DEFAULT_LEVEL, note: undefined };
  const number = numberOf(sent) ?? (typeof sent === 'string' ? levelNamed(sent) : undefined);
  if (number === undefined || !(number >= 0 && number <= MAX_LEVEL)) {
    return { value: DEFAULT_LEVEL, note: 'level_replaced' };
  }
  const level = Math.trunc(number);
  return { value: level, note: level === sent ? undefined : 'level_converted' };
}

function levelNamed(name: string): number | undefined {
  return name.length > MAX_NUMERIC_TEXT ? undefined : LEVEL_NAMES.get(name.trim().toLowerCase());
}

export function resolveSource(host: unknown, remoteAddress: string): Resolved<string> {
  if (typeof host === 'string' && !isBlank(host)) return { value: host, note: undefined };
  if (host instanceof WrittenNumber) return { value: host.text, note: 'host_converted' };
  return { value: remoteAddress === '' ? 'unknown' : remoteAddress, note: 'host_missing' };
}

export function isBlank(text: string): boolean {
  // The first character nearly always decides.
  return text.length === 0 || (text.charCodeAt(0) <= 0x20 && text.trim().length === 0);
}
