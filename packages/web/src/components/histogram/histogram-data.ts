import type { TimeSpan } from '../../lib/time/index.ts';

/** One colour of the bars. */
export interface HistogramGroup {
  readonly key: string;
  /** `critical`, `series-2`, …: what decides its colour. */
  readonly colour: string;
  readonly label: string;
  /** In a sentence: "Only errors". Without it the group cannot be chosen. */
  readonly title?: string | undefined;
  readonly total: number;
  /** For each bar. */
  readonly counts: readonly number[];
}

export interface HistogramData {
  /** Milliseconds; a bar ends where the next one begins. */
  readonly starts: readonly number[];
  readonly intervalMs: number;
  /** The first stands at the bottom. */
  readonly groups: readonly HistogramGroup[];
}

export function barTotals({ starts, groups }: HistogramData): number[] {
  return starts.map((_, at) => groups.reduce((sum, { counts }) => sum + (counts[at] ?? 0), 0));
}

/** What a bar covers, inside of the whole range. */
export function barSpan({ starts, intervalMs }: HistogramData, at: number, span: TimeSpan): TimeSpan {
  const from = starts[at] ?? span.from;
  return within({ from, to: from + intervalMs - 1 }, span);
}

export function within({ from, to }: TimeSpan, span: TimeSpan): TimeSpan {
  return { from: Math.max(from, span.from), to: Math.min(Math.max(to, from + 1), span.to) };
}

/** Where a time stands, as a share of the width. */
export function placeOf(ms: number, { starts, intervalMs }: HistogramData): number {
  const first = starts[0] ?? 0;
  const whole = Math.max(1, starts.length * intervalMs);
  return Math.min(1, Math.max(0, (ms - first) / whole));
}
