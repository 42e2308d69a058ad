/**
 * The index sets as a writer sees them: plain data that the main thread posts to every worker whenever an
 * index set or its active index changes. A higher version replaces a lower one.
 */
export interface IndexSetSnapshot {
  /** Grows with every change; also the highest version of an index in it. */
  readonly version: number;
  readonly indexSets: readonly WritableIndexSet[];
}

/** One index set, with all that is needed to write into it. */
export interface WritableIndexSet {
  readonly id: string;
  /** Name of its table, not quoted. */
  readonly table: string;
  /** Its indices, oldest first; the last one is the active one. Never empty. */
  readonly indices: readonly IndexAge[];
}

export interface IndexAge {
  readonly number: number;
  /** The version of the snapshot with which it became the active one. */
  readonly version: number;
}

/** The number of the index that messages go to now. */
export function activeIndex(indexSet: WritableIndexSet): number {
  return indexSet.indices.at(-1)?.number ?? 0;
}

/**
 * The number of the index that was active for somebody whose newest snapshot had that version. When it is
 * gone, its rows are gone too, and the oldest one that is left takes its place.
 */
export function indexActiveAt(indexSet: WritableIndexSet, version: number): number {
  const { indices } = indexSet;
  for (let position = indices.length - 1; position >= 0; position--) {
    const index = indices[position];
    if (index !== undefined && index.version <= version) return index.number;
  }
  return indices[0]?.number ?? 0;
}
