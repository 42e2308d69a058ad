import type { FieldStatistics } from '@millrace/contract';
import { parseInstant } from '../../../lib/time/index.ts';

const SECOND_MS = 1000;
const DAY_MS = 86_400 * SECOND_MS;
/** Those of the calendar have their mean length: near enough for the number of bars. */
const UNITS: Readonly<Record<string, number>> = {
  s: SECOND_MS,
  second: SECOND_MS,
  m: 60 * SECOND_MS,
  minute: 60 * SECOND_MS,
  h: 3600 * SECOND_MS,
  hour: 3600 * SECOND_MS,
  day: DAY_MS,
  week: 7 * DAY_MS,
  month: 30.4375 * DAY_MS,
  quarter: 91.3125 * DAY_MS,
  year: 365.25 * DAY_MS,
};
/** With more the range is far longer than what was found, like all time: then what was found is all that is drawn. */
const MAX_BARS = 250;

/** The messages with the field over the whole range: the answer begins and ends with the first and the last of them. */
export function trendOf({
  histogram,
  interval,
  effective_timerange: range,
}: Pick<FieldStatistics, 'histogram' | 'interval' | 'effective_timerange'>): readonly number[] {
  const found = histogram.map(({ present }) => present);
  const [first, last] = [histogram[0], histogram.at(-1)];
  if (first === undefined || last === undefined) return found;
  const [, count = '', unit = ''] = /^(\d*)(\w+)$/.exec(interval) ?? [];
  const length = Number(count || 1) * (UNITS[unit] ?? Number.NaN);
  const barsIn = (from: string, to: string) => ((parseInstant(to) ?? 0) - (parseInstant(from) ?? 0)) / length;
  const before = Math.max(0, Math.ceil(barsIn(range.from, first.from)));
  const after = Math.max(0, Math.floor(barsIn(last.from, range.to)));
  const isDrawn = before + found.length + after <= MAX_BARS;
  return isDrawn ? [...empty(before), ...found, ...empty(after)] : found;
}

function empty(count: number): number[] {
  return Array.from({ length: count }, () => 0);
}
