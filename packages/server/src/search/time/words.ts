import { formatTimestamp, type NaturalDate } from '@millrace/contract';
import type { Clock } from '#core/index.ts';
import { timeSpanOf } from './time-range.ts';
import { requireTimeZone } from './time-zone.ts';

/** What a time range in words means now. */
export interface TimeWords {
  /** Throws an `InvalidError` that quotes what it cannot parse. */
  meaning(words: string, timeZone: string): NaturalDate;
}

export function createTimeWords(clock: Clock): TimeWords {
  return {
    meaning(words, timeZone) {
      const zone = requireTimeZone(timeZone);
      const range = { type: 'keyword', keyword: words } as const;
      const { from, to } = timeSpanOf(range, { now: clock.now(), timeZone: zone });
      return { from: formatTimestamp(from), to: formatTimestamp(to), timezone: zone };
    },
  };
}
