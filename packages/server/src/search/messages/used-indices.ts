/** The indices that a search covers, in Graylog's shape: those with messages in the time range. */
import type { IndexRangeView } from '@millrace/contract';
import type { Clock } from '#core/index.ts';
import type { SearchTarget } from '#storage/index.ts';
import type { TimeSpan } from '../time/index.ts';

export interface UsedIndices {
  /** Reads the ranges of the indices again if they are too old. Run it in parallel to a search. Never rejects. */
  refresh(): Promise<void>;
  /** Empty when the ranges cannot be read. Never rejects. */
  of(targets: readonly SearchTarget[], span: TimeSpan): Promise<IndexRangeView[]>;
}

/** Ranges may be this old; they only grow at their ends. */
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
