import type { TableResponse } from '@millrace/contract';
import type { HistogramBar } from '../../components/level-histogram.tsx';
import { parseInstant, type TimeSpan } from '../../lib/time/index.ts';

/** Bars of the histogram at most. */
const MAX_BARS = 120;

/** Names of intervals as the API takes them, with their lengths. All are fixed, so bars stand at equal distances. */
const INTERVALS: readonly (readonly [name: string, ms: number])[] = [
  ...[1, 2, 5, 10, 15, 30].map((count) => [`${count}s`, count * 1000] as const),
  ...[1, 2, 5, 10, 15, 30].map((count) => [`${count}m`, count * 60_000] as const),
  ...[1, 2, 3, 6, 12, 24, 48, 72, 168, 720, 2160, 8760].map(
    (count) => [`${count}h`, count * 3_600_000] as const,
  ),
];

export interface Interval {
  readonly name: string;
  readonly ms: number;
}

export function intervalFor({ from, to }: TimeSpan): Interval {
  const length = Math.max(1, to - from);
  const [name, ms] = INTERVALS.find(([, each]) => length / each <= MAX_BARS) ??
    INTERVALS.at(-1) ?? ['1h', 3_600_000];
  return { name, ms };
}

/** Answers of `POST /search/aggregate` by time and level as bars, with the empty ones between them. */
export function barsOf(table: TableResponse, span: TimeSpan, { ms }: Interval): HistogramBar[] {
  const first = Math.floor(span.from / ms) * ms;
  const count = Math.floor((span.to - first) / ms) + 1;
  const bars = Array.from({ length: Math.max(1, count) }, (_, at) => ({
    from: first + at * ms,
    counts: new Map<number, number>(),
  }));
  for (const [time, level, messages] of table.datarows) {
    const start = parseInstant(String(time));
    const bar = start === undefined ? undefined : bars[Math.round((start - first) / ms)];
    const number = Number(level);
    // A message without a level counts like an alert, as it is stored; a text is no level.
    const key = Number.isInteger(number) && number >= 0 && number <= 7 ? number : 1;
    bar?.counts.set(key, (bar.counts.get(key) ?? 0) + Number(messages));
  }
  return bars;
}
