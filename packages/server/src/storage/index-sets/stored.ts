import type { IndexSetRecord, Repositories } from '#metadata/index.ts';

export type {
  IndexRecord as StoredIndex,
  IndexSetProperties as StoredIndexSetProperties,
  IndexSetRecord as StoredIndexSet,
  IndexState,
  NewIndexSet as NewStoredIndexSet,
  StoredDataTiering,
} from '#metadata/index.ts';

export type IndexSetStore = Pick<Repositories, 'indexSets' | 'indices' | 'streams'>;

/** The table of an index set. Its name has the id, so that a later set with the same prefix has another table. */
export function tableOf({ prefix, id }: Pick<IndexSetRecord, 'prefix' | 'id'>): string {
  return `${prefix}_${id}`;
}

export function indexName({ prefix }: Pick<IndexSetRecord, 'prefix'>, number: number): string {
  return `${prefix}_${number}`;
}

const INDEX_NAME = /^(.+)_(0|[1-9]\d{0,9})$/;

/** The prefix and the number in the name of an index. */
export function parseIndexName(name: string): { prefix: string; number: number } | undefined {
  const [, prefix, number] = INDEX_NAME.exec(name) ?? [];
  return prefix === undefined ? undefined : { prefix, number: Number(number) };
}
