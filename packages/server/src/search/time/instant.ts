import { type DateUnit, parseWrittenDate } from './written-date.ts';

const EPOCH_MILLISECONDS = /^-?\d{11,14}$/;
/** A date with an hour alone, or without a day, is more likely a typing error than a time range. */
const PRECISIONS: ReadonlySet<DateUnit> = new Set(['day', 'minute', 'second', 'millisecond']);

/** Milliseconds since the epoch, both inclusive; equal unless the text names a day. */
export interface WrittenInstant {
  readonly from: number;
  readonly to: number;
}

/**
 * A day, or a point in time at least to the minute, or milliseconds since the epoch. `timeZone` is for texts without a
 * zone. Undefined for anything else.
 */
export function parseInstant(text: string, timeZone: string): WrittenInstant | undefined {
  const trimmed = text.trim();
  if (EPOCH_MILLISECONDS.test(trimmed)) return { from: Number(trimmed), to: Number(trimmed) };
  const date = parseWrittenDate(trimmed, timeZone);
  if (date === undefined || !PRECISIONS.has(date.precision)) return undefined;
  return { from: date.from, to: date.precision === 'day' ? date.to : date.from };
}
