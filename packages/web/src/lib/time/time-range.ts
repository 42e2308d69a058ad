import { formatInstant, parseInstant } from './instant.ts';

/** A time range as people choose it and as it stands in URLs. */
export type TimeRange =
  /** Seconds before now. */
  | { readonly type: 'relative'; readonly from: number; readonly to: number }
  /** Milliseconds since the epoch. */
  | { readonly type: 'absolute'; readonly from: number; readonly to: number }
  /** `yesterday 14:00 to 16:00`: only the server knows what they mean. */
  | { readonly type: 'words'; readonly text: string };

/** Two instants in milliseconds, both inclusive. */
export interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

const UNIT_SECONDS = new Map([
  ['w', 604_800],
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
  ['s', 1],
]);
const UNIT_NAMES = new Map([
  ['w', 'week'],
  ['d', 'day'],
  ['h', 'hour'],
  ['m', 'minute'],
  ['s', 'second'],
]);
/** A hundred years: more is a typing error. */
const MAX_SECONDS = 100 * 365 * 86_400;

/** `15m`, `6h/2h` (ago), two instants with a slash between them, or words. Undefined for what makes no sense. */
export function parseTimeRange(text: string): TimeRange | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  const seconds = parseSeconds(trimmed);
  if (seconds !== undefined) return seconds > 0 ? { type: 'relative', from: seconds, to: 0 } : undefined;
  const [first = '', second = '', ...more] = trimmed.split('/');
  if (second === '' || more.length > 0) return { type: 'words', text: trimmed };
  const [fromSeconds, toSeconds] = [parseSeconds(first), parseSeconds(second)];
  if (fromSeconds !== undefined && toSeconds !== undefined) {
    return fromSeconds > toSeconds ? { type: 'relative', from: fromSeconds, to: toSeconds } : undefined;
  }
  const [from, to] = [parseIso(first), parseIso(second)];
  if (from === undefined || to === undefined) return { type: 'words', text: trimmed };
  return from <= to ? { type: 'absolute', from, to } : undefined;
}

export function printTimeRange(range: TimeRange): string {
  if (range.type === 'words') return range.text;
  if (range.type === 'absolute') return `${printIso(range.from)}/${printIso(range.to)}`;
  return range.to === 0
    ? printSeconds(range.from)
    : `${printSeconds(range.from)}/${range.to === 0 ? '0s' : printSeconds(range.to)}`;
}

/** The instants a range means now; undefined for words. */
export function resolveTimeRange(range: TimeRange, now: number): TimeSpan | undefined {
  if (range.type === 'words') return undefined;
  if (range.type === 'absolute') return { from: range.from, to: range.to };
  return { from: now - range.from * 1000, to: now - range.to * 1000 };
}

/** For the button that opens the picker: `Last 15 minutes`. */
export function describeTimeRange(range: TimeRange, zone: string): string {
  if (range.type === 'words') return range.text;
  if (range.type === 'absolute') return describeSpan(range, zone);
  return range.to === 0
    ? `Last ${spellSeconds(range.from)}`
    : `${spellSeconds(range.from)} to ${spellSeconds(range.to)} ago`;
}

/** `2026-11-15 10:00:00 – 11:00:00`: the day is repeated only where it differs, milliseconds only if there are any. */
export function describeSpan({ from, to }: TimeSpan, zone: string): string {
  const precision = from % 1000 === 0 && to % 1000 === 0 ? 'second' : 'millisecond';
  const start = formatInstant(from, zone, precision);
  const end = formatInstant(to, zone, precision);
  return `${start} – ${start.slice(0, 10) === end.slice(0, 10) ? end.slice(11) : end}`;
}

/** Without the milliseconds, which nobody reads in a description. */
export function wholeSeconds({ from, to }: TimeSpan): TimeSpan {
  return { from: Math.floor(from / 1000) * 1000, to: Math.floor(to / 1000) * 1000 };
}

/** Half its length earlier or later. */
export function shiftSpan({ from, to }: TimeSpan, direction: -1 | 1): TimeSpan {
  const distance = Math.max(1, Math.round((to - from) / 2)) * direction;
  return { from: from + distance, to: to + distance };
}

/** Twice the range. One that ends now still does. */
export function zoomOut(range: TimeRange, span: TimeSpan): TimeRange {
  if (range.type === 'relative' && range.to === 0) {
    return { ...range, from: Math.min(range.from * 2, MAX_SECONDS) };
  }
  const half = Math.max(1, Math.round((span.to - span.from) / 2));
  return { type: 'absolute', from: span.from - half, to: span.to + half };
}

function parseSeconds(text: string): number | undefined {
  const [, amount, unit = ''] = /^(\d{1,9})([smhdw])$/.exec(text.trim()) ?? [];
  if (amount === undefined) return undefined;
  const seconds = Number(amount) * (UNIT_SECONDS.get(unit) ?? 1);
  return seconds <= MAX_SECONDS ? seconds : undefined;
}

/** In the largest unit that divides it; weeks are written as days. */
function largestUnit(seconds: number): readonly [amount: number, unit: string] {
  for (const [unit, size] of UNIT_SECONDS) {
    if (unit !== 'w' && seconds % size === 0) return [seconds / size, unit];
  }
  return [seconds, 's'];
}

function printSeconds(seconds: number): string {
  return largestUnit(seconds).join('');
}

function spellSeconds(seconds: number): string {
  const [amount, unit] = largestUnit(seconds);
  const name = UNIT_NAMES.get(unit) ?? 'second';
  return amount === 1 ? name : `${amount} ${name}s`;
}

/** Only with a zone: without one the same link would mean different times to different people. */
function parseIso(text: string): number | undefined {
  return /^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:?\d{2})$/.test(text) ? parseInstant(text) : undefined;
}

function printIso(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}
