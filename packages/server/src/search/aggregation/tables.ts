/** The scripting API's answers: aggregations as tables. */
import {
  type AggregateQuery,
  type AggregateRequest,
  DEFAULT_TIME_RANGE,
  type GroupingRequest,
  MAX_GROUPINGS,
  MAX_METRICS,
  type MetricRequest,
  type TableCell,
  type TableColumn,
  type TableResponse,
} from '@millrace/contract';
import { InvalidError } from '#core/index.ts';
import { fieldColumn } from '#storage/index.ts';
import type { PreparedSearch, Searches, SearchInput } from '../execution/index.ts';
import { parseTimeRangeText, type TimeRange } from '../time/index.ts';
import { type SearchCaller, timeRangeOf, wholeTime } from './aggregations.ts';
import { type Buckets, bucketsFor } from './histograms.ts';
import { BUCKET_SETTINGS } from './intervals.ts';
import { metricOf } from './metrics.ts';
import { groupingOf, type Pivot, type PivotRow, pivotCells, pivotColumns, pivotSql } from './pivot.ts';
import { type EntityTitles, titleReaders } from './titles.ts';

export interface Tables {
  /**
   * Without groups: one row. The rows are sorted by the first metric, downwards, unless something else is asked for.
   */
  aggregate(caller: SearchCaller, request: AggregateRequest): Promise<TableResponse>;
}

export interface TablesDeps {
  readonly searches: Searches;
  readonly titles: EntityTitles;
}

export function createTables({ searches, titles }: TablesDeps): Tables {
  return {
    async aggregate({ principal, signal }, request) {
      const search = await searches.prepare(principal, searchInputOf(request));
      const rows = <Row>(sql: string) =>
        searches.rows<Row>(search, sql, { principal, signal, settings: BUCKET_SETTINGS });
      const pivot = await pivotOf(request, (interval) =>
        bucketsFor(search, interval, search.timeZone, () => wholeTime({ search, rows })),
      );
      const found = await rows<PivotRow>(pivotSql(search, pivot));
      const titleOf = await titleReaders(
        pivot.groupings.map(({ field }) => field),
        titles,
        principal,
      );
      return tableOf(search, pivotColumns(pivot, typeReader(search)), pivotCells(found, pivot, titleOf));
    },
  };
}

async function pivotOf(
  request: AggregateRequest,
  buckets: (interval: string) => Promise<Buckets>,
): Promise<Pivot> {
  const metrics = request.metrics.map(metricOf);
  const groupings = [];
  for (const grouping of request.group_by ?? []) groupings.push(await groupingOf(grouping, buckets));
  const names = groupings.map(({ field }) => field.name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new InvalidError(`group_by names the field ${JSON.stringify(twice)} twice.`);
  return { groupings, metrics };
}

/** What the bodies of both requests say about the messages they mean. */
export function searchInputOf(request: {
  readonly query?: string | undefined;
  readonly streams?: readonly string[] | undefined;
  readonly timerange?: TimeRange | undefined;
}): SearchInput {
  const range = request.timerange ?? DEFAULT_TIME_RANGE;
  return {
    query: request.query ?? '*',
    range,
    streams: request.streams ?? [],
    ...(range.type === 'keyword' && range.timezone !== undefined ? { timeZone: range.timezone } : {}),
  };
}

export function tableOf(
  { span }: Pick<PreparedSearch, 'span'>,
  schema: TableColumn[],
  datarows: TableCell[][],
): TableResponse {
  return { schema, datarows, metadata: { effective_timerange: { type: 'absolute', ...timeRangeOf(span) } } };
}

/** What a column of a table is said to hold. */
export function typeReader({
  fields,
}: Pick<PreparedSearch, 'fields'>): (field: string) => TableColumn['type'] {
  const known = new Map(fields.map(({ name, types }) => [name, types]));
  return (field) => {
    const { kind } = fieldColumn(field);
    if (kind === 'time') return 'date';
    if (kind === 'number') return 'numeric';
    if (kind !== 'dynamic') return 'string';
    const types = known.get(field) ?? [];
    if (types.length !== 1) return types.length === 0 ? 'unknown' : 'string';
    return types[0] === 'number' ? 'numeric' : (types[0] ?? 'unknown');
  };
}

/** The parameters of a URL as the body that means the same. */
export function aggregateRequestOf(query: AggregateQuery): AggregateRequest {
  if (query.metrics.length === 0) {
    throw new InvalidError('metrics is missing: name at least one, for example metrics=count.');
  }
  if (query.metrics.length > MAX_METRICS || query.groups.length > MAX_GROUPINGS) {
    throw new InvalidError(`At most ${MAX_METRICS} metrics and ${MAX_GROUPINGS} groups are taken.`);
  }
  return {
    ...urlSearchOf(query),
    group_by: query.groups.map(groupingOfText),
    metrics: query.metrics.map(metricOfText),
  };
}

export function urlSearchOf(query: {
  readonly query?: string | undefined;
  readonly streams: readonly string[];
  readonly timerange?: string | undefined;
}) {
  const isGiven = query.timerange !== undefined && query.timerange.trim() !== '';
  return {
    query: query.query,
    streams: [...query.streams],
    stream_categories: undefined,
    timerange: isGiven ? parseTimeRangeText(query.timerange ?? '') : undefined,
  };
}

/** `source` or `source:5`. */
function groupingOfText(text: string): GroupingRequest {
  const [, field = text, limit] = /^(.*):(\d{1,9})$/.exec(text) ?? [];
  return {
    field,
    limit: limit === undefined ? undefined : Number(limit),
    timeunit: undefined,
    scaling: undefined,
    sort: undefined,
  };
}

/** `count`, `avg:took_ms` or `percentile:took_ms:95`. */
function metricOfText(text: string): MetricRequest {
  const [name = '', field = '', percentile] = text.split(':').map((part) => part.trim());
  const configuration =
    percentile === undefined || percentile === '' ? undefined : percentileFrom(percentile);
  return { function: name, field: field === '' ? undefined : field, sort: undefined, configuration };
}

function percentileFrom(text: string): { percentile: number } {
  const percentile = Number(text);
  if (percentile >= 0 && percentile <= 100) return { percentile };
  throw new InvalidError(`A percentile is a number from 0 to 100, not ${JSON.stringify(text)}.`);
}
