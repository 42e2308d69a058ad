import { parseInstant } from '../../lib/time/index.ts';
import { choiceParam, listParam, type Param, textParam } from '../../lib/url/index.ts';

/** A rule that colours messages without filtering them. */
export interface HighlightRule {
  /** 1 to 8. */
  readonly colour: number;
  readonly query: string;
}

export const HIGHLIGHT_COLOURS = 8;
export const MAX_HIGHLIGHTS = 20;

/** What the URL says about how the result is looked at. */
export interface ResultValues {
  /** The field that colours the histogram; `none` for one colour. */
  readonly by: string;
  readonly cmp: '' | 'prev';
  /** Fields and figures of the group view. */
  readonly group: readonly string[];
  readonly metrics: readonly string[];
  readonly chart: 'bars' | 'time';
  /** Where the list starts, in milliseconds; 0 for the beginning of the result. */
  readonly at: number;
  /** The expanded row, as `index/id`. */
  readonly msg: string;
  /** Fields that stay equal in the surroundings of the expanded row; undefined when they are not shown. */
  readonly around: readonly string[] | undefined;
  readonly find: string;
  readonly hl: readonly HighlightRule[];
}

export const MAX_GROUP_FIELDS = 3;

const atParam: Param<number> = {
  fallback: 0,
  parse: (text) => (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) ? parseInstant(text) : undefined),
  print: (ms) => (ms === 0 ? '' : new Date(ms).toISOString()),
};

const names = listParam();
/** Stands for "no field is held", which is not the same as "not shown". */
const NOTHING_HELD = '*';

const aroundParam: Param<readonly string[] | undefined> = {
  fallback: undefined,
  parse: (text) => (text === NOTHING_HELD ? [] : text === '' ? undefined : names.parse(text)),
  print: (fields) => (fields === undefined ? '' : fields.length === 0 ? NOTHING_HELD : names.print(fields)),
};

/** `c3:level:<4`: a colour and a query. */
const highlightsParam: Param<readonly HighlightRule[]> = {
  fallback: [],
  parse(text) {
    const rules = (names.parse(text) ?? []).map((item) => /^c([1-8]):(.+)$/s.exec(item));
    if (rules.some((rule) => rule === null)) return undefined;
    return rules
      .slice(0, MAX_HIGHLIGHTS)
      .map((rule) => ({ colour: Number(rule?.[1]), query: rule?.[2] ?? '' }));
  },
  print: (rules) => names.print(rules.map(({ colour, query }) => `c${colour}:${query}`)),
};

const groupParam: Param<readonly string[]> = {
  ...listParam(['source']),
  parse: (text) => names.parse(text)?.slice(0, MAX_GROUP_FIELDS),
};

const METRIC = /^(?:count|percentage|(?:avg|min|max|sum|p50|p95|p99|card):.+)$/s;

const metricsParam: Param<readonly string[]> = {
  ...listParam(['count']),
  parse: (text) => {
    const metrics = names.parse(text);
    return metrics?.length !== 0 && metrics?.every((metric) => METRIC.test(metric)) ? metrics : undefined;
  },
};

export const resultParams: { readonly [Key in keyof ResultValues]: Param<ResultValues[Key]> } = {
  by: textParam('level'),
  cmp: choiceParam(['', 'prev'], ''),
  group: groupParam,
  metrics: metricsParam,
  chart: choiceParam(['bars', 'time'], 'bars'),
  at: atParam,
  msg: textParam(),
  around: aroundParam,
  find: textParam(),
  hl: highlightsParam,
};
