import type { IndexSetList, IndexSetStats, IndexSetsQuery } from '@millrace/contract';
import { partOf } from '#core/index.ts';
import type { StoredIndexSet } from './stored.ts';
import { indexSetView } from './view.ts';

/** Of these, a part as it is asked for. `readStats` gives the statistics of all, by id. */
export async function listIndexSets(
  readable: readonly StoredIndexSet[],
  query: IndexSetsQuery,
  readStats: () => Promise<ReadonlyMap<string, IndexSetStats>>,
): Promise<IndexSetList> {
  const needsStats = query.stats || query.sort === 'documents' || query.sort === 'size';
  const stats = needsStats ? await readStats() : new Map<string, IndexSetStats>();
  const sorted = sortedBy(readable.filter(wantedBy(query)).filter(containing(query.query)), stats, query);
  const shown = partOf(sorted, query);
  const ids = new Set(shown.map(({ id }) => id));
  return {
    total: sorted.length,
    index_sets: shown.map(indexSetView),
    stats: query.stats ? Object.fromEntries([...stats].filter(([id]) => ids.has(id))) : {},
  };
}

function wantedBy(query: IndexSetsQuery): (indexSet: StoredIndexSet) => boolean {
  const ids = query.ids && new Set(query.ids);
  return ({ id, writable, isDefault }) =>
    (ids === undefined || ids.has(id)) &&
    (query.writable === undefined || query.writable === writable) &&
    (query.default === undefined || query.default === isDefault);
}

function containing(query: string): (indexSet: StoredIndexSet) => boolean {
  const text = query.trim().toLowerCase();
  return ({ title, prefix, description }) =>
    `${title}\n${prefix}\n${description}`.toLowerCase().includes(text);
}

function sortedBy(
  indexSets: readonly StoredIndexSet[],
  stats: ReadonlyMap<string, IndexSetStats>,
  { sort, order }: IndexSetsQuery,
): readonly StoredIndexSet[] {
  if (sort === undefined) return indexSets;
  const keyOf = (indexSet: StoredIndexSet): string | number => {
    if (sort === 'title') return indexSet.title.toLowerCase();
    if (sort === 'index_prefix') return indexSet.prefix;
    return stats.get(indexSet.id)?.[sort] ?? 0;
  };
  const direction = order === 'desc' ? -1 : 1;
  return indexSets.toSorted((one, other) => {
    const [left, right] = [keyOf(one), keyOf(other)];
    return left === right ? 0 : left < right ? -direction : direction;
  });
}
