/** Which indices a search looks into, as Graylog tells it: those whose messages lie in the time range. */
import type { IndexRangeView } from '@millrace/contract';
import type { Clock } from '#core/index.ts';
import type { SearchTarget } from '#storage/index.ts';
import type { TimeSpan } from '../time/index.ts';

export interface UsedIndices {
  /** Looks up what is too old, to be done beside something else. Never rejects. */
  refresh(): Promise<void>;
  /** Never rejects: without the ranges of the indices, none is said to be used. */
  of(targets: readonly SearchTarget[], span: TimeSpan): Promise<IndexRangeView[]>;
}

/** The ranges of indices are looked up again after this time. They grow only at their ends. */
const MAX_AGE_MS = 10_000;

export function createUsedIndices(deps: {
  /** Of all open indices. */
  readonly ranges: () => Promise<readonly IndexRangeView[]>;
  readonly clock: Clock;
}): UsedIndices {
  let known: { readonly at: number; readonly ranges: Promise<readonly IndexRangeView[]> } | undefined;

  function ranges(): Promise<readonly IndexRangeView[]> {
    const now = deps.clock.now();
    if (known === undefined || now - known.at > MAX_AGE_MS || now < known.at) {
      const asked = deps.ranges();
      known = { at: now, ranges: asked };
      asked.catch(() => {
        known = undefined;
      });
    }
    return known.ranges;
  }

  return {
    async refresh() {
      await ranges().catch(() => {});
    },
    async of(targets, span) {
      const all = await ranges().catch(() => []);
      const byName = new Map(all.map((range) => [range.index_name, range]));
      const names = targets.flatMap(({ prefix, indices }) => indices.map((number) => `${prefix}_${number}`));
      return names.flatMap((name) => {
        const range = byName.get(name);
        if (range === undefined) return [];
        const isUsed = Date.parse(range.end) >= span.from && Date.parse(range.begin) <= span.to;
        return isUsed ? [range] : [];
      });
    },
  };
}
