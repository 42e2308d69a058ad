import type { StoredStrategy } from './strategy.ts';

/** Index sets as the metadata database keeps them; `service.ts` brings the database, the rest knows only this. */

export type IndexState = 'open' | 'closed' | 'reopened';

export interface StoredIndexSetProperties {
  readonly title: string;
  readonly description: string | null;
  readonly shards: number;
  readonly replicas: number;
  readonly rotation: StoredStrategy;
  readonly retention: StoredStrategy;
  readonly writable: boolean;
  readonly maxSegments: number;
  readonly optimizationDisabled: boolean;
  readonly fieldTypeRefreshMs: number;
}

export interface NewStoredIndexSet extends StoredIndexSetProperties {
  readonly prefix: string;
  readonly analyzer: string;
}

export interface StoredIndexSet extends NewStoredIndexSet {
  readonly id: string;
  readonly isDefault: boolean;
  /** It and its data are on their way out. */
  readonly deleting: boolean;
  readonly createdAt: number;
}

export interface StoredIndex {
  readonly indexSetId: string;
  readonly number: number;
  readonly version: number;
  readonly state: IndexState;
  readonly createdAt: number;
}

/** The repositories of the metadata database are such stores. */
export interface IndexSetStore {
  readonly indexSets: {
    insert(indexSet: NewStoredIndexSet): Promise<StoredIndexSet>;
    insertBuiltIn(
      indexSet: NewStoredIndexSet & { readonly id: string; readonly isDefault: boolean },
    ): Promise<void>;
    update(id: string, properties: StoredIndexSetProperties): Promise<StoredIndexSet | undefined>;
    setDefault(id: string): Promise<boolean>;
    markDeleting(id: string): Promise<boolean>;
    remove(id: string): Promise<boolean>;
    list(): Promise<readonly StoredIndexSet[]>;
  };
  readonly indices: {
    rotate(indexSetId: string, active: number): Promise<StoredIndex | undefined>;
    setState(indexSetId: string, number: number, state: IndexState): Promise<boolean>;
    remove(indexSetId: string, number: number): Promise<boolean>;
    list(indexSetId?: string): Promise<readonly StoredIndex[]>;
  };
  readonly streams: {
    listByIndexSet(indexSetId: string): Promise<readonly { readonly id: string; readonly title: string }[]>;
  };
}

/** The table of an index set. With the id, so that a set of the same prefix made later has another one. */
export function tableOf({ prefix, id }: Pick<StoredIndexSet, 'prefix' | 'id'>): string {
  return `${prefix}_${id}`;
}

export function indexName({ prefix }: Pick<StoredIndexSet, 'prefix'>, number: number): string {
  return `${prefix}_${number}`;
}

const INDEX_NAME = /^(.+)_(0|[1-9]\d{0,9})$/;

/** The prefix and the number in the name of an index. */
export function parseIndexName(name: string): { prefix: string; number: number } | undefined {
  const [, prefix, number] = INDEX_NAME.exec(name) ?? [];
  return prefix === undefined ? undefined : { prefix, number: Number(number) };
}
