import type { IndexSetDirectory } from './index-sets/directory.ts';
import { type StoredIndex, tableOf } from './index-sets/stored.ts';
import type { TableWatch } from './table-watch.ts';

/** Where a search looks: the open indices in the table of an index set. */
export interface SearchTarget {
  readonly indexSetId: string;
  readonly prefix: string;
  /** Not quoted. */
  readonly database: string;
  readonly table: string;
  readonly closedIndices: readonly number[];
  /** The open indices. */
  readonly indices: readonly number[];
  /**
   * When the first index after the newest closed or deleted one was created, in milliseconds since the epoch: older
   * messages may be missing from this index set. Undefined if nothing is missing.
   */
  readonly incompleteBefore: number | undefined;
  /** Whether many of its messages may be in parts without the indexes over the texts. */
  readonly mayHaveManyNew: boolean;
  /** Whether it may have so many messages that planning a further branch is worth while if that reads fewer of them. */
  readonly mayBeLarge: boolean;
}

/** Ordered by the ids of the index sets: the order decides which copy of a message is shown. */
export function searchTargets(
  { directory, watch }: { readonly directory: IndexSetDirectory; readonly watch: TableWatch },
  database: string,
): SearchTarget[] {
  return [...directory.list()]
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map((indexSet) => {
      const indices = directory.indicesOf(indexSet.id).map(({ index }) => index);
      const numbers = (closed: boolean) =>
        indices.filter(({ state }) => (state === 'closed') === closed).map(({ number }) => number);
      return {
        indexSetId: indexSet.id,
        prefix: indexSet.prefix,
        database,
        table: tableOf(indexSet),
        closedIndices: numbers(true),
        indices: numbers(false),
        incompleteBefore: incompleteBefore(indices),
        mayHaveManyNew: watch.mayHaveManyNew(tableOf(indexSet)),
        mayBeLarge: watch.mayBeLarge(tableOf(indexSet)),
      };
    });
}

/** Indices are numbered from 0 without gaps, and sorted by number. */
function incompleteBefore(indices: readonly StoredIndex[]): number | undefined {
  for (let position = indices.length - 1; position >= 0; position--) {
    const { number, createdAt } = indices[position] ?? { number: 0, createdAt: 0 };
    const previous = indices[position - 1];
    if (number > 0 && (previous?.number !== number - 1 || previous.state === 'closed')) return createdAt;
  }
  return undefined;
}
