/**
 * An object that keeps its keys in the order of the entries, in JSON too. Plain objects put keys that are whole numbers
 * first, by their size: the most frequent status code would not come first, whatever order was asked for.
 */
export function orderedRecord<Value>(entries: Iterable<readonly [string, Value]>): Record<string, Value> {
  const values = new Map(entries);
  const keys = [...values.keys()];
  const record = Object.fromEntries(values);
  // A proxy is dear to write as JSON; most need none, and a histogram has thousands of them.
  const isInOrder = Object.keys(record).every((key, at) => key === keys[at]);
  return isInOrder ? record : new Proxy(record, { ownKeys: () => keys });
}
