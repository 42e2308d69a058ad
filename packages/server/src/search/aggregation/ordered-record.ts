/**
 * An object that keeps its keys in the order of the entries, also in JSON. Plain objects put integer keys first, in
 * ascending order, so the most frequent status code would not come first.
 */
export function orderedRecord<Value>(entries: Iterable<readonly [string, Value]>): Record<string, Value> {
  const values = new Map(entries);
  const keys = [...values.keys()];
  const record = Object.fromEntries(values);
  // A proxy is slow to serialize; most records need none, and a histogram has thousands of records.
  const isInOrder = Object.keys(record).every((key, at) => key === keys[at]);
  return isInOrder ? record : new Proxy(record, { ownKeys: () => keys });
}
