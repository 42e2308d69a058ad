import type { RoutingTarget } from '#core/index.ts';
import type { FieldTypes } from '../field-conversion.ts';

/**
 * The index sets as a writer sees them: plain data that the main thread posts to every worker whenever an
 * index set or its active index changes. A higher revision replaces a lower one.
 */
export interface IndexSetSnapshot {
  /** Grows with every change that this process has seen. */
  readonly revision: number;
  /** The highest version of an index in it; the same in all processes that see the same indices. */
  readonly version: number;
  /** Messages whose own index sets are all gone go there. It always exists. */
  readonly defaultIndexSetId: string;
  readonly indexSets: readonly WritableIndexSet[];
}

/** One index set, with everything a writer needs. */
export interface WritableIndexSet {
  readonly id: string;
  /** Name of its table, not quoted. */
  readonly table: string;
  /** Its indices, oldest first; the last one is the active one. Never empty. */
  readonly indices: readonly IndexAge[];
  /** Undefined if nobody chose any. */
  readonly fieldTypes?: FieldTypes | undefined;
}

export interface IndexAge {
  readonly number: number;
  /** Snapshots from this version on have it as the active one, until the next. */
  readonly version: number;
}

/** The number of the index that messages go to now. */
export function activeIndex(indexSet: WritableIndexSet): number {
  return indexSet.indices.at(-1)?.number ?? 0;
}

/**
 * The number of the index that was active for a worker whose newest snapshot had that version. When that index is
 * gone, its rows are gone too, and the oldest index that is left takes its place.
 */
export function indexActiveAt(indexSet: WritableIndexSet, version: number): number {
  const { indices } = indexSet;
  for (let position = indices.length - 1; position >= 0; position--) {
    const index = indices[position];
    if (index !== undefined && index.version <= version) return index.number;
  }
  return indices[0]?.number ?? 0;
}

/** Where a message is stored. */
export interface Placement {
  readonly indexSets: readonly WritableIndexSet[];
  /** Has exactly these index sets: searches know by it which rows are copies of one message. */
  readonly target: RoutingTarget;
}

/** An index set may have been deleted a moment ago. Messages that have no other go to the default one. */
export function placementOf(target: RoutingTarget, snapshot: IndexSetSnapshot): Placement {
  const own = indexSetsOf(snapshot, target.indexSetIds);
  if (own.length > 0 && own.length === target.indexSetIds.length) return { indexSets: own, target };
  const indexSets = own.length > 0 ? own : indexSetsOf(snapshot, [snapshot.defaultIndexSetId]);
  if (indexSets.length === 0) {
    throw new Error(
      `the index sets ${target.indexSetIds.join(', ')} are missing, and so is the default index set`,
    );
  }
  return { indexSets, target: { ...target, indexSetIds: indexSets.map(({ id }) => id) } };
}

function indexSetsOf({ indexSets }: IndexSetSnapshot, ids: readonly string[]): WritableIndexSet[] {
  return ids.flatMap((wanted) => indexSets.find(({ id }) => id === wanted) ?? []);
}
