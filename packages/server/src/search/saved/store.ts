/** What saved searches and histories need of the metadata database; `service.ts` of the folder above brings it. */

export interface StoredSearchProperties {
  readonly title: string;
  readonly description: string | null;
  readonly content: Readonly<Record<string, unknown>>;
}

export interface StoredSearch extends StoredSearchProperties {
  readonly id: string;
  /** A user name. */
  readonly creator: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface SavedSearchTables {
  /** Writes reject with `ConflictError` when the title is taken. */
  readonly savedSearches: {
    insert(search: StoredSearchProperties & { readonly creator: string }): Promise<StoredSearch>;
    update(id: string, properties: StoredSearchProperties): Promise<StoredSearch | undefined>;
    remove(id: string): Promise<boolean>;
    find(id: string): Promise<StoredSearch | undefined>;
    list(): Promise<readonly StoredSearch[]>;
  };
  readonly grants: {
    add(userId: string, permissions: readonly string[]): Promise<boolean>;
    removeFromAll(permissions: readonly string[]): Promise<void>;
  };
}

export interface SavedSearchStore {
  readonly repositories: SavedSearchTables;
  transaction<T>(work: (scope: { readonly repositories: SavedSearchTables }) => Promise<T>): Promise<T>;
}

export interface HistoryStore {
  record(
    owner: { readonly userId: string; readonly stored: boolean },
    query: string,
    keep: number,
  ): Promise<void>;
  list(
    userId: string,
    limit: number,
  ): Promise<readonly { readonly query: string; readonly usedAt: number; readonly uses: number }[]>;
  remove(userId: string, query?: string): Promise<void>;
}
