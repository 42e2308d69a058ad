import { describeTimeRange, printTimeRange } from '../../../lib/time/index.ts';
import type { SearchValues } from '../search-params.ts';

const MAX_LENGTH = 60;

/** What a step did, for "Undo: …". Undefined for a change that is no step. */
export function stepLabel(before: SearchValues, after: SearchValues, zone: string): string | undefined {
  if (before.q !== after.q) return shortened(after.q === '*' ? 'all messages' : after.q);
  if (printTimeRange(before.t) !== printTimeRange(after.t)) return describeTimeRange(after.t, zone);
  if (before.s.join() !== after.s.join()) return after.s.length === 0 ? 'all streams' : 'other streams';
  if (before.live !== after.live) return after.live ? 'follow live' : 'stop following';
  if (before.view !== after.view) return `show ${after.view}`;
  if (before.sort !== after.sort)
    return `sort by ${after.sort.replace(/:asc$/, ', rising').replace(/:desc$/, ', falling')}`;
  return undefined;
}

export function shortened(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}
