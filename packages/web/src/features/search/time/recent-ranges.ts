import { usePreferences } from '../../../lib/account/index.ts';
import { parseTimeRange, printTimeRange, type TimeRange } from '../../../lib/time/index.ts';

export const MAX_RECENT_RANGES = 10;

/** The time ranges that were used last, the newest first, and how to add one. */
export function useRecentRanges(): [readonly TimeRange[], (range: TimeRange) => void] {
  const [{ recentRanges }, change] = usePreferences();
  return [
    recentRanges.flatMap((text) => parseTimeRange(text) ?? []),
    (range) => {
      const next = withRecent(recentRanges, printTimeRange(range));
      if (next.join('\n') !== recentRanges.join('\n')) change({ recentRanges: next });
    },
  ];
}

export function withRecent(recent: readonly string[], used: string): readonly string[] {
  return [used, ...recent.filter((text) => text !== used)].slice(0, MAX_RECENT_RANGES);
}
