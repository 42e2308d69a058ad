import type { SearchParams } from './search-string.ts';

/** How one value stands in the URL. `parse` gives undefined for what makes no sense. */
export interface Param<Value> {
  readonly fallback: Value;
  readonly parse: (text: string) => Value | undefined;
  readonly print: (value: Value) => string;
}

export interface ReadParams<Values> {
  readonly values: Readonly<Values>;
  /** Names whose text made no sense: they have their defaults, and the page says so. */
  readonly wrong: readonly (keyof Values)[];
}

export interface ParamCodec<Values> {
  readonly read: (search: SearchParams) => ReadParams<Values>;
  /** Only what differs from the default is written. Names of others in `search` are kept. */
  readonly write: (values: Partial<Values>, search?: SearchParams) => SearchParams;
  /** For `navigate`: written onto the address of that moment, so that two quick changes both count. */
  readonly update: (
    values: Partial<Values>,
  ) => (now: Readonly<Record<string, string | undefined>>) => SearchParams;
}

/** The values of a page in its URL: one declaration, read and written by the same rules everywhere. */
export function pageParams<Values extends object>(
  params: {
    readonly [Key in keyof Values]: Param<Values[Key]>;
  },
): ParamCodec<Values> {
  const entries = Object.entries(params) as [keyof Values & string, Param<unknown>][];
  const write: ParamCodec<Values>['write'] = (values, search = {}) => {
    const next: Record<string, string> = { ...search };
    for (const [key, param] of entries) {
      if (!Object.hasOwn(values, key)) continue;
      const text = param.print(values[key]);
      if (text === param.print(param.fallback)) delete next[key];
      else next[key] = text;
    }
    return next;
  };
  return {
    read(search) {
      const wrong: (keyof Values)[] = [];
      const values: Record<string, unknown> = {};
      for (const [key, param] of entries) {
        const text = search[key];
        const value = text === undefined ? param.fallback : param.parse(text);
        if (value === undefined && text !== undefined) wrong.push(key);
        values[key] = value ?? param.fallback;
      }
      return { values: values as Values, wrong };
    },
    write,
    update: (values) => (now) => write(values, now as SearchParams),
  };
}

export function textParam(fallback = ''): Param<string> {
  return { fallback, parse: (text) => text, print: (value) => value };
}

export function choiceParam<const Choice extends string>(
  choices: readonly Choice[],
  fallback: NoInfer<Choice>,
): Param<Choice> {
  return { fallback, parse: (text) => choices.find((choice) => choice === text), print: (value) => value };
}

/** `1` when it is on. */
export function flagParam(): Param<boolean> {
  return {
    fallback: false,
    parse: (text) => (text === '1' ? true : text === '' || text === '0' ? false : undefined),
    print: (value) => (value ? '1' : ''),
  };
}

/** Names separated by commas; a comma or backslash inside a name has a backslash before it. */
export function listParam(fallback: readonly string[] = []): Param<readonly string[]> {
  return {
    fallback,
    parse: (text) =>
      text === ''
        ? []
        : (text.match(/(?:\\.|[^,\\]|\\$)+/gsu) ?? []).map((name) => name.replace(/\\(.)/gsu, '$1')),
    print: (names) =>
      names
        .filter((name) => name !== '')
        .map((name) => name.replace(/[\\,]/g, '\\$&'))
        .join(','),
  };
}

/** Of a list that has pages; the first is 1. */
export function pageNumberParam(): Param<number> {
  return {
    fallback: 1,
    parse: (text) => (/^[1-9]\d{0,5}$/.test(text) ? Number(text) : undefined),
    print: String,
  };
}

/** The page that is shown: the last one when the list has become shorter than the address says. */
export function pageWithin(page: number, total: number, perPage: number): number {
  return Math.min(page, Math.max(1, Math.ceil(total / perPage)));
}
