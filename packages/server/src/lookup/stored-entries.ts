import type { LookupEntryValue } from './remote/change.ts';

export interface StoredEntry {
  readonly value: LookupEntryValue;
  /** Undefined: it stays. */
  readonly expiresAt: number | undefined;
}

/** Values that rules have set, in a database that all nodes share. */
export interface StoredEntries {
  find(adapterId: string, key: string): Promise<StoredEntry | undefined>;
  /** Calls `changed` again if somebody else was faster. */
  change(
    adapterId: string,
    key: string,
    changed: (current: StoredEntry | undefined) => StoredEntry | undefined,
  ): Promise<StoredEntry | undefined>;
  /** Also those that have expired and are not deleted yet. */
  count(adapterId: string): Promise<number>;
  /** How many there were. */
  removeExpired(): Promise<number>;
}
