/**
 * An object that keeps its keys in the order of the entries, in JSON too. Plain objects put keys that are whole numbers
 * first, by their size: the most frequent status code would not come first, whatever order was asked for.
 */
export function orderedRecord<Value>(entries: Iterable<readonly [string, Value]>): Record<string, Value> {
  const values = new Map(entries);
  const keys = [...values.keys()];
  return new Proxy(Object.fromEntries(values), { ownKeys: () => keys });
}
