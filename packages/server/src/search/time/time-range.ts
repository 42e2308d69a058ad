import { InvalidError } from '#core/index.ts';
import { parseInstant } from './instant.ts';
import { parseKeyword } from './keyword.ts';
import { requireTimeZone } from './time-zone.ts';

/** Milliseconds since the epoch, both inclusive. `from` 0 means all time, including before 1970. */
export interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

/** A time range as the API takes it. */
export type TimeRange =
  /** The last seconds up to now; 0 for all time. */
  | { readonly type: 'relative'; readonly range: number }
  /** Seconds ago; without `to`, up to now. */
  | { readonly type: 'relative'; readonly from: number; readonly to?: number | undefined }
  /** ISO 8601, or `yyyy-MM-dd HH:mm:ss[.SSS]` in the time zone of the search. */
  | { readonly type: 'absolute'; readonly from: string; readonly to: string }
  | { readonly type: 'keyword'; readonly keyword: string; readonly timezone?: string | undefined };

export interface TimeContext {
  readonly now: number;
  /** For texts without a zone. */
  readonly timeZone: string;
  /** How far back a search may look, in milliseconds; undefined for no limit. Longer ranges are shortened. */
  readonly limitMs?: number | undefined;
}

/** About a century. */
const MAX_SECONDS = 100 * 366 * 24 * 3600;
const KEYWORD_EXAMPLES =
  '"last 5 minutes", "yesterday", "yesterday 14:00 to 16:00", "monday to wednesday", "2 hours ago"';
const ABSOLUTE_EXAMPLES = '2026-01-31T12:00:00.000Z or 2026-01-31 12:00:00';

/** The dates the API can write. */
const EARLIEST = Date.parse('0000-01-01T00:00:00.000Z');
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

/** Throws an `InvalidError` that quotes what it cannot parse. */
export function timeSpanOf(range: TimeRange, context: TimeContext): TimeSpan {
  const { from, to } = spanOf(range, context);
  const span = { from: clampToDates(from), to: clampToDates(to) };
  const earliest = context.limitMs === undefined ? undefined : context.now - context.limitMs;
  return earliest !== undefined && span.from < earliest ? { ...span, from: earliest } : span;
}

function clampToDates(time: number): number {
  return Math.min(LATEST, Math.max(EARLIEST, time));
}

function spanOf(range: TimeRange, context: TimeContext): TimeSpan {
  switch (range.type) {
    case 'relative':
      return relativeSpan(range, context.now);
    case 'absolute':
      return absoluteSpan(range, context.timeZone);
    case 'keyword':
      return keywordSpan(range, context);
  }
}

function relativeSpan(range: TimeRange & { type: 'relative' }, now: number): TimeSpan {
  const from = 'range' in range ? range.range : range.from;
  const to = 'range' in range ? 0 : (range.to ?? 0);
  for (const seconds of [from, to]) {
    if (!(seconds >= 0 && seconds <= MAX_SECONDS)) {
      throw new InvalidError(
        `A relative time range is given in seconds, from 0 (all time) to ${MAX_SECONDS}; got ${seconds}.`,
      );
    }
  }
  if (from !== 0 && to > from) {
    throw new InvalidError(`The time range starts ${from} s ago, after its end ${to} s ago. Swap them.`);
  }
  return { from: from === 0 ? 0 : now - from * 1000, to: now - to * 1000 };
}

function absoluteSpan(range: TimeRange & { type: 'absolute' }, timeZone: string): TimeSpan {
  const [from, to] = (['from', 'to'] as const).map((end) => {
    const instant = parseInstant(range[end], timeZone);
    if (instant === undefined) {
      throw new InvalidError(
        `The time range's ${end}, ${JSON.stringify(range[end])}, is not a date. Write it as ${ABSOLUTE_EXAMPLES}.`,
      );
    }
    return instant;
  });
  const span = { from: from?.from ?? 0, to: to?.to ?? 0 };
  if (span.from > span.to) {
    throw new InvalidError(
      `The time range starts at ${JSON.stringify(range.from)}, after its end ${JSON.stringify(range.to)}. Swap them.`,
    );
  }
  return span;
}

function keywordSpan(range: TimeRange & { type: 'keyword' }, context: TimeContext): TimeSpan {
  const timeZone = range.timezone === undefined ? context.timeZone : requireTimeZone(range.timezone);
  const span = parseKeyword(range.keyword, context.now, timeZone);
  if (span === undefined) {
    throw new InvalidError(`${JSON.stringify(range.keyword)} is not a time range. Try ${KEYWORD_EXAMPLES}.`);
  }
  if (span.from > span.to) {
    throw new InvalidError(`The time range ${JSON.stringify(range.keyword)} ends before it starts.`);
  }
  return span;
}

const SHORT = /^(\d{1,9})([smhdwMy])$/;
const SECONDS: Readonly<Record<string, number>> = {
  s: 1,
  m: 60,
  h: 3600,
  d: 86_400,
  w: 7 * 86_400,
  M: 30 * 86_400,
  y: 365 * 86_400,
};

/** A time range in one URL parameter: `5m`, `2h`, `1d`, `1w`, `1M`, `1y`, or words. */
export function parseTimeRangeText(text: string): TimeRange {
  const [, amount, unit] = SHORT.exec(text.trim()) ?? [];
  return amount === undefined
    ? { type: 'keyword', keyword: text }
    : { type: 'relative', range: Number(amount) * (SECONDS[unit ?? ''] ?? 0) };
}
