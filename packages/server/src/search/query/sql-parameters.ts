/** Values for a statement: the only way for what a user wrote into SQL. */
export interface SqlParameters {
  /** The placeholder of a value, `{p3:String}`; the same one for the same value. */
  add(value: unknown, type: string): string;
  readonly values: Record<string, unknown>;
}

export function createSqlParameters(): SqlParameters {
  const values: Record<string, unknown> = {};
  const known = new Map<string, string>();
  return {
    values,
    add(value, type) {
      const key = `${type} ${typeof value} ${Array.isArray(value) ? JSON.stringify(value) : String(value)}`;
      const placeholder = known.get(key);
      if (placeholder !== undefined) return placeholder;
      const name = `p${known.size}`;
      values[name] = value;
      known.set(key, `{${name}:${type}}`);
      return `{${name}:${type}}`;
    },
  };
}
