/** A database that can tell whether something was written, without a query. */
export interface CountsChanges {
  /** Differs after every change. Undefined: only a query can tell. */
  version(): number | undefined;
}

/**
 * For what is asked again and again, such as by a periodic job that looks for changes: reads the database when something
 * may have changed there since the last time, and otherwise answers what was read then.
 */
export function readAfterChanges<T>(database: CountsChanges, read: () => Promise<T>): () => Promise<T> {
  let known: { readonly version: number; readonly value: T } | undefined;
  return async () => {
    // Before it is read: what is written meanwhile is read the next time.
    const version = database.version();
    if (version !== undefined && version === known?.version) return known.value;
    const value = await read();
    known = version === undefined ? undefined : { version, value };
    return value;
  };
}
