import type { SearchHistogram } from '@millrace/contract';
import type { HistogramData, HistogramGroup } from '../../../components/histogram/histogram-data.ts';
import { LEVEL_GROUPS } from '../../../components/histogram/level-groups.ts';
import { parseInstant } from '../../../lib/time/index.ts';

/** Colours for the values of a field; more values are drawn together. */
export const MAX_SERIES = 5;
/** Keys of groups that are no value. */
export const WITHOUT = 'without';
export const OTHER = 'other';

/** The answer of the API as bars: levels in their six colours, other fields in the order of their frequency. */
export function histogramData(
  answer: SearchHistogram,
  by: string,
  labelOf: (value: string) => string,
): HistogramData {
  const starts = answer.starts.map((start) => parseInstant(start) ?? 0);
  const groups = by === 'level' ? levelGroups(answer) : valueGroups(answer, by, labelOf);
  return { starts, intervalMs: answer.interval_ms, groups };
}

/** A message without a level counts like an alert, as it is stored; a level beyond 7 is no level either. */
function levelGroups({ groups, other, starts }: SearchHistogram): HistogramGroup[] {
  const known = new Set(LEVEL_GROUPS.flatMap(({ levels }) => levels.map(String)));
  return LEVEL_GROUPS.flatMap(({ name, label, title, levels }) => {
    const own = groups.filter(({ key }) =>
      levels.some((level) => key === String(level) || (level === 1 && !known.has(key ?? ''))),
    );
    const parts = name === 'none' ? [...own, other] : own;
    const total = parts.reduce((sum, part) => sum + part.total, 0);
    if (total === 0) return [];
    return [{ key: name, colour: name, label, title, total, counts: sums(parts, starts.length) }];
  });
}

function valueGroups(
  answer: SearchHistogram,
  by: string,
  labelOf: (value: string) => string,
): HistogramGroup[] {
  const { groups, other, starts } = answer;
  if (by === 'none') {
    return groups.map((group) => ({ ...group, key: 'all', colour: 'info', label: 'Messages' }));
  }
  const values = groups.filter(({ key }) => key !== null);
  const without = groups.find(({ key }) => key === null);
  const rest = [...values.slice(MAX_SERIES), other];
  const restTotal = rest.reduce((sum, { total }) => sum + total, 0);
  return [
    ...values.slice(0, MAX_SERIES).map(({ key, total, counts }, at) => ({
      key: `=${key}`,
      colour: `series-${at + 1}`,
      label: labelOf(key ?? ''),
      title: `messages with ${by} ${labelOf(key ?? '')}`,
      total,
      counts,
    })),
    ...(restTotal === 0
      ? []
      : [
          {
            key: OTHER,
            colour: 'debug',
            label: 'Other values',
            total: restTotal,
            counts: sums(rest, starts.length),
          },
        ]),
    ...(without === undefined
      ? []
      : [{ ...without, key: WITHOUT, colour: 'none', label: `No ${by}`, title: `messages without ${by}` }]),
  ];
}

function sums(parts: readonly { readonly counts: readonly number[] }[], length: number): number[] {
  return Array.from({ length }, (_, at) => parts.reduce((sum, { counts }) => sum + (counts[at] ?? 0), 0));
}

/** The sum of all groups for each bar. */
export function totalsOf({ groups, other, starts }: SearchHistogram): number[] {
  return sums([...groups, other], starts.length);
}

/** How much more or less than before, as a share: 0.38 is 38 % more. Undefined when there was nothing. */
export function changeOf(now: number, before: number): number | undefined {
  return before === 0 ? undefined : (now - before) / before;
}

/** `+38 %`, `−4 %`, `new`, `×12`. */
export function formatChange(now: number, before: number): string {
  const change = changeOf(now, before);
  if (change === undefined) return now === 0 ? '±0 %' : 'new';
  if (change >= 9) return `×${Math.round(change + 1)}`;
  const percent = Math.round(change * 100);
  if (percent === 0) return '±0 %';
  return `${percent > 0 ? '+' : '−'}${Math.abs(percent)} %`;
}
