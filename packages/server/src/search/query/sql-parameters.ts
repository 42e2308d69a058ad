/** The bound values of a statement: the only way for user input into SQL. */
export interface SqlParameters {
  /** Returns the placeholder of a value, `{p3:String}`; the same placeholder for the same value. */
  add(value: unknown, type: string): string;
  readonly values: Record<string, unknown>;
  /**
   * What a condition with these values reads: parts that have the indexes over `text`, or parts that have none yet, both
   * in WHERE; `any`: parts of both kinds, in a select list.
   */
  readonly parts: 'indexed' | 'new' | 'any';
}

/** The same values, for a condition over new parts. */
export function forNewParts(parameters: SqlParameters): SqlParameters {
  return { ...parameters, parts: 'new' };
}

/** The same values, for a condition in a select list. */
export function forSelectList(parameters: SqlParameters): SqlParameters {
  return { ...parameters, parts: 'any' };
}

/** Milliseconds since the epoch as a `DateTime64`, to compare with a time column. */
export function instantSql(time: number, parameters: SqlParameters): string {
  return `fromUnixTimestamp64Milli(${parameters.add(Math.trunc(time), 'Int64')}, 'UTC')`;
}

/** `Array(LowCardinality(String))`: the streams of a message that the caller may read; undefined for all. */
export function visibleStreamsSql(
  visibleStreams: readonly string[] | undefined,
  parameters: SqlParameters,
): string {
  if (visibleStreams === undefined) return 'streams';
  return `arrayFilter(stream -> has(${parameters.add(visibleStreams, 'Array(String)')}, stream), streams)`;
}

/** ClickHouse accepts at most a thousand in a request (`http_max_fields`), including settings. */
const MAX_SINGLE = 500;

/** Values beyond `maxSingle` share one list per type; their placeholders refer to elements of it. */
export function createSqlParameters(maxSingle = MAX_SINGLE): SqlParameters {
  const values: Record<string, unknown> = {};
  const known = new Map<string, string>();
  const lists = new Map<string, { readonly name: string; readonly elements: unknown[] }>();

  function addToList(value: unknown, type: string): string {
    let list = lists.get(type);
    if (list === undefined) {
      list = { name: `list${lists.size}`, elements: [] };
      lists.set(type, list);
      values[list.name] = list.elements;
    }
    return `{${list.name}:Array(${type})}[${list.elements.push(value)}]`;
  }

  function addSingle(value: unknown, type: string): string {
    const name = `p${known.size}`;
    values[name] = value;
    return `{${name}:${type}}`;
  }

  return {
    values,
    parts: 'indexed',
    add(value, type) {
      const key = `${type} ${typeof value} ${JSON.stringify(value, numberAsText)}`;
      const placeholder = known.get(key);
      if (placeholder !== undefined) return placeholder;
      const added = known.size < maxSingle ? addSingle(value, type) : addToList(value, type);
      known.set(key, added);
      return added;
    },
  };
}

/** JSON has no big integers and no infinity. The key has the type of the values, so texts cannot be confused with numbers. */
function numberAsText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' || typeof value === 'number' ? String(value) : value;
}
