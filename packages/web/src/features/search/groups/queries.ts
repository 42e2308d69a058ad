import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api/index.ts';
import { busyDelay, RUN_REQUESTS, type Run, retryWhenBusy, searchedOf } from '../run.ts';
import { metricRequest, parseMetric } from './metrics.ts';

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
          group_by: fields.map((field) => ({
            field: ENTITY_FIELDS.has(field) ? `${field}.id` : field,
            limit,
          })),
          metrics: metrics.map((text, at) => metricRequest(parseMetric(text), at === 0)),
        },
        signal,
      });
      return { fields, metrics, rows: groupRows(table.datarows, fields.length) };
    },
    placeholderData: keepPreviousData,
  });
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
