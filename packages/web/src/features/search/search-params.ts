import { isTimeZone, parseTimeRange, printTimeRange, type TimeRange } from '../../lib/time/index.ts';
import {
  choiceParam,
  flagParam,
  listParam,
  type Param,
  pageParams,
  type SearchParams,
  textParam,
} from '../../lib/url/index.ts';
import { type ResultValues, resultParams } from './result-params.ts';

/** One column of the list; without a width it has the one that suits its field. */
export interface ListColumn {
  readonly field: string;
  readonly width?: number;
}

export interface SearchValues extends ResultValues {
  readonly q: string;
  readonly t: TimeRange;
  /** Empty: the user's own. */
  readonly tz: string;
  readonly s: readonly string[];
  readonly view: 'messages' | 'patterns' | 'group';
  readonly cols: readonly ListColumn[];
  readonly sort: string;
  readonly live: boolean;
  /** Clauses that are switched off. */
  readonly off: readonly string[];
  /** The saved search that it began with; empty for none. */
  readonly saved: string;
}

export const DEFAULT_RANGE: TimeRange = { type: 'relative', from: 900, to: 0 };
export const DEFAULT_COLUMNS: readonly ListColumn[] = [
  { field: 'timestamp' },
  { field: 'level' },
  { field: 'source' },
  { field: 'message' },
];
const MIN_WIDTH = 40;
const MAX_WIDTH = 2000;

const rangeParam: Param<TimeRange> = {
  fallback: DEFAULT_RANGE,
  parse: parseTimeRange,
  print: printTimeRange,
};

const zoneParam: Param<string> = {
  fallback: '',
  parse: (text) => (text === '' || isTimeZone(text) ? text : undefined),
  print: (zone) => zone,
};

const names = listParam();

/** `source~140`: a name, and its width in pixels. */
const columnsParam: Param<readonly ListColumn[]> = {
  fallback: DEFAULT_COLUMNS,
  parse(text) {
    const columns = (names.parse(text) ?? []).map((name): ListColumn => {
      const [, field = name, digits] = /^(.+)~(\d{1,4})$/s.exec(name) ?? [];
      const width = Number(digits);
      return width >= MIN_WIDTH && width <= MAX_WIDTH ? { field, width } : { field };
    });
    return columns.length === 0 ? undefined : columns;
  },
  print: (columns) =>
    names.print(columns.map(({ field, width }) => (width === undefined ? field : `${field}~${width}`))),
};

const sortParam: Param<string> = {
  fallback: 'timestamp:desc',
  parse: (text) => (/^.+:(?:asc|desc)$/s.test(text) ? text : undefined),
  print: (sort) => sort,
};

export const searchParams = pageParams<SearchValues>({
  q: textParam('*'),
  t: rangeParam,
  tz: zoneParam,
  s: listParam(),
  view: choiceParam(['messages', 'patterns', 'group'], 'messages'),
  cols: columnsParam,
  sort: sortParam,
  ...resultParams,
  live: flagParam(),
  off: listParam(),
  saved: textParam(),
});

/** What decides which messages are found: two URLs with the same key show the same list. */
export function runKeyOf({ q, t, tz, s, sort }: SearchValues): readonly string[] {
  return [q, printTimeRange(t), tz, s.join(','), sort];
}

/** The same search with its time range written as instants: it shows the same tomorrow. */
export function frozenParams(search: SearchParams, from: number, to: number): SearchParams {
  return searchParams.write({ t: { type: 'absolute', from, to } }, search);
}
