import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api/index.ts';
import { parseInstant } from '../../../lib/time/index.ts';
import { MAX_SERIES } from '../histogram/groups.ts';
import { busyDelay, RUN_REQUESTS, type Run, retryWhenBusy, searchedOf } from '../run.ts';
import { type Metric, metricRequest, parseMetric } from './metrics.ts';

/** Tables show their names; queries need their ids. */
const ENTITY_FIELDS = new Set(['streams', 'gl2_source_input', 'gl2_source_node']);
/** Groups of each field: together some hundred rows. */
const LIMITS = [100, 25, 10];

export function groupsQuery(run: Run | undefined, fields: readonly string[], metrics: readonly string[]) {
  return queryOptions({
    queryKey: [RUN_REQUESTS, 'groups', run, fields, metrics],
    staleTime: Number.POSITIVE_INFINITY,
    retry: retryWhenBusy,
    retryDelay: busyDelay,
    enabled: run !== undefined && fields.length > 0,
    queryFn: async ({ signal }) => {
      const { query, streams, timerange } = searchedOf(run as Run);
      const limit = LIMITS[fields.length - 1] ?? 10;
      const table = await call('POST /search/aggregate', {
        body: {
          query,
          streams,
          timerange,
          group_by: fields.map((field) => ({ field: askedField(field), limit })),
          metrics: metrics.map((text, at) => metricRequest(parseMetric(text), at === 0)),
        },
        signal,
      });
      return { fields, metrics, rows: groupRows(table.datarows, fields.length) };
    },
    placeholderData: keepPreviousData,
  });
}

function askedField(field: string): string {
  return ENTITY_FIELDS.has(field) ? `${field}.id` : field;
}

/** One figure of the most frequent values of a field, over the time of the search. */
export function courseQuery(run: Run | undefined, field: string, metric: Metric) {
  return queryOptions({
    queryKey: [RUN_REQUESTS, 'course', run, field, metric.text],
    staleTime: Number.POSITIVE_INFINITY,
    retry: retryWhenBusy,
    retryDelay: busyDelay,
    enabled: run !== undefined,
    queryFn: async ({ signal }) => {
      const asked = run as Run;
      const { query, streams, timerange } = searchedOf(asked);
      const table = await call('POST /search/aggregate', {
        body: {
          query,
          streams,
          timerange,
          group_by: [
            { field: askedField(field), limit: MAX_SERIES },
            { field: 'timestamp', timeunit: 'auto' },
          ],
          metrics: [metricRequest(metric, false)],
        },
        signal,
      });
      return { field, metric, span: asked.span, ...linesOf(groupRows(table.datarows, 2)) };
    },
    placeholderData: keepPreviousData,
  });
}

export interface Line {
  readonly value: string;
  /** One for each time; undefined where there is none. */
  readonly figures: readonly (number | undefined)[];
}

/** Rows of a value, a time and a figure as lines over the times that any of them has. */
export function linesOf(rows: readonly GroupRow[]): { starts: number[]; lines: Line[] } {
  const byValue = Map.groupBy(rows, ({ values: [value = ''] }) => value);
  const timeOf = ({ values: [, time = ''] }: GroupRow) => parseInstant(time) ?? 0;
  const starts = [...new Set(rows.map(timeOf))].sort((a, b) => a - b);
  const lines = [...byValue].map(([value, own]) => {
    const figures = new Map(own.map((row) => [timeOf(row), row.figures[0]]));
    return { value, figures: starts.map((start) => figures.get(start)) };
  });
  return { starts, lines };
}

export interface GroupRow {
  readonly key: string;
  /** One for each field. */
  readonly values: readonly string[];
  /** One for each metric; undefined where there is none, such as a mean without numbers. */
  readonly figures: readonly (number | undefined)[];
}

export function groupRows(datarows: readonly (readonly unknown[])[], fields: number): GroupRow[] {
  return datarows.map((cells) => {
    const values = cells.slice(0, fields).map(String);
    const figures = cells
      .slice(fields)
      .map((cell) => (typeof cell === 'number' || typeof cell === 'bigint' ? Number(cell) : undefined));
    return { key: JSON.stringify(values), values, figures };
  });
}
