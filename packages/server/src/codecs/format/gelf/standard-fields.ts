import type { GelfNote } from './notes.ts';

/** The rules for `timestamp`, `level` and `host` when they are not what the format asks for. */

/** Level of a message that names none: the format's default, ALERT. */
export const DEFAULT_LEVEL = 1;
export const MAX_LEVEL = 2 ** 31 - 1;

/** A clock may be wrong by years; a hundred of them are a wrong unit (milliseconds for seconds). */
export const MAX_TIMESTAMP_AHEAD_MS = 100 * 365.25 * 24 * 3600 * 1000;
/** The end of 2299: the last day the storage can hold. */
export const MAX_TIMESTAMP_MS = Date.UTC(2300, 0, 1) - 1;

const NUMERIC_TEXT = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/;
const LONGEST_NUMERIC_TEXT = 64;

/** Syslog's names and those that loggers use for the same things. */
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

/** A value the rules settled on, and what had to be done for it. */
export interface Settled<T> {
  readonly value: T;
  readonly note: GelfNote | undefined;
}

/** A number sent as number, integer beyond 2^53 or text; undefined when it is none of them. */
function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'string' || value.length > LONGEST_NUMERIC_TEXT) return undefined;
  return NUMERIC_TEXT.test(value) ? Number(value) : undefined;
}

/** Milliseconds of a timestamp in seconds, or -1 when no message can have that time. */
export function plausibleMilliseconds(seconds: number, receivedAt: number): number {
  const milliseconds = Math.round(seconds * 1000);
  const latest = Math.min(receivedAt + MAX_TIMESTAMP_AHEAD_MS, MAX_TIMESTAMP_MS);
  return milliseconds > 0 && milliseconds <= latest ? milliseconds : -1;
}

export function settleTimestamp(sent: unknown, receivedAt: number): Settled<number> {
  if (sent === undefined || sent === null) return { value: receivedAt, note: 'timestamp_missing' };
  const seconds = numberOf(sent);
  const milliseconds = seconds === undefined ? -1 : plausibleMilliseconds(seconds, receivedAt);
  if (milliseconds < 0) return { value: receivedAt, note: 'timestamp_replaced' };
  return { value: milliseconds, note: typeof sent === 'string' ? 'timestamp_converted' : undefined };
}

export function settleLevel(sent: unknown): Settled<number> {
  if (sent === undefined || sent === null) return { value: DEFAULT_LEVEL, note: undefined };
  const number = numberOf(sent) ?? (typeof sent === 'string' ? levelNamed(sent) : undefined);
  if (number === undefined || !(number >= 0 && number <= MAX_LEVEL)) {
    return { value: DEFAULT_LEVEL, note: 'level_replaced' };
  }
  const level = Math.trunc(number);
  return { value: level, note: level === sent ? undefined : 'level_converted' };
}

function levelNamed(name: string): number | undefined {
  return name.length > LONGEST_NUMERIC_TEXT ? undefined : LEVEL_NAMES.get(name.trim().toLowerCase());
}

export function settleSource(host: unknown, remoteAddress: string): Settled<string> {
  if (typeof host === 'string' && !isBlank(host)) return { value: host, note: undefined };
  if (typeof host === 'number' || typeof host === 'bigint')
    return { value: String(host), note: 'host_converted' };
  return { value: remoteAddress === '' ? 'unknown' : remoteAddress, note: 'host_missing' };
}

export function isBlank(text: string): boolean {
  // The first character nearly always settles it.
  return text.length === 0 || (text.charCodeAt(0) <= 0x20 && text.trim().length === 0);
}
