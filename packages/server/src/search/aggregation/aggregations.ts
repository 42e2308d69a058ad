/** The aggregations of the universal search, Graylog's older API, which many scripts use. */
import {
  type FieldHistogramResult,
  type FieldStatsResult,
  type HistogramResult,
  MAX_STACKED_FIELDS,
  type SourcesResult,
  type TermsHistogramResult,
  type TermsResult,
  type TermsStatsResult,
} from '@millrace/contract';
import { printQuery } from '@millrace/query';
import { type Clock, InvalidError } from '#core/index.ts';
import type { ClickHouseSettings } from '#storage/index.ts';
import type { PreparedSearch, Searches, SearchInput } from '../execution/index.ts';
import { missingIn, rangeOf, type SearchCaller } from '../search-caller.ts';
import type { TimeSpan } from '../time/index.ts';
import { BUCKET_SETTINGS } from './bucket-keys.ts';
import {
  type BucketStatisticsRow,
  bucketStatisticsOf,
  bucketStatisticsSql,
  NO_BUCKET_STATISTICS,
  type StatisticsRow,
  statisticsOf,
  statisticsSql,
  type TermStatisticsOptions,
  type TermStatisticsRow,
  termStatisticsOf,
  termStatisticsSql,
} from './field-statistics.ts';
import { groupedRows } from './grouped-rows.ts';
import { type Buckets, bucketsFor, fillBuckets, histogramSql, MAX_BUCKET_ROWS } from './histograms.ts';
import type { Count } from './numbers.ts';
import { orderedRecord } from './ordered-record.ts';
import {
  type BucketTermRow,
  bucketTermsSql,
  DEFAULT_TERMS,
  fieldsOf,
  NO_TERMS,
  shownTerms,
  type TermRow,
  type TermsOptions,
  termsOf,
  termsSql,
} from './terms.ts';

export interface HistogramOptions {
  /** `minute`, `5m`, `auto`, … */
  readonly interval: string;
}

/**
 * Contract: all counts are exact, also over several index sets. A size of 0 or less means the default. All reject as
 * `Searches` does, and with `InvalidError` for an unknown interval or order.
 */
export interface Aggregations {
  terms(caller: SearchCaller, input: SearchInput, options: TermsOptions): Promise<TermsResult>;
  termsHistogram(
    caller: SearchCaller,
    input: SearchInput,
    options: TermsOptions & HistogramOptions,
  ): Promise<TermsHistogramResult>;
  termsStats(
    caller: SearchCaller,
    input: SearchInput,
    options: TermStatisticsOptions,
  ): Promise<TermsStatsResult>;
  stats(caller: SearchCaller, input: SearchInput, options: { field: string }): Promise<FieldStatsResult>;
  histogram(caller: SearchCaller, input: SearchInput, options: HistogramOptions): Promise<HistogramResult>;
  fieldHistogram(
    caller: SearchCaller,
    input: SearchInput,
    options: HistogramOptions & { field: string; cardinality: boolean },
  ): Promise<FieldHistogramResult>;
  /** The number of messages of each source in the last `range` seconds. */
  sources(caller: SearchCaller, range: number, allowPartial?: boolean): Promise<SourcesResult>;
}

export interface AggregationsDeps {
  readonly searches: Searches;
  readonly clock: Clock;
}

/** The most groups in one answer, over all buckets. */
const MAX_BUCKET_TERMS = 200_000;
const MAX_SOURCES = 5000;

interface RunningSearch {
  readonly search: PreparedSearch;
  rows<Row>(sql: string, settings?: ClickHouseSettings): Promise<Row[]>;
  buckets(interval: string): Promise<Buckets>;
  /** The properties that every answer has. Read when all statements have been answered. */
  summary(): { readonly time: number; readonly built_query: string; missing_servers?: string[] };
}

export function createAggregations(deps: AggregationsDeps): Aggregations {
  async function start({ principal, signal }: SearchCaller, input: SearchInput): Promise<RunningSearch> {
    const startedAt = deps.clock.now();
    const search = await deps.searches.prepare(principal, input);
    const rows = <Row>(sql: string, settings: ClickHouseSettings = {}) =>
      deps.searches.rows<Row>(search, sql, { principal, signal, settings });
    return {
      search,
      rows,
      buckets: (interval) =>
        bucketsFor(search, interval, input.timeZone ?? 'UTC', () => messageTimeSpan({ search, rows })),
      summary: () => ({
        time: Math.max(0, Math.round(deps.clock.now() - startedAt)),
        built_query: printQuery(search.query),
        ...missingIn(search),
      }),
    };
  }

  return {
    async terms(caller, input, options) {
      const fields = fieldsOf(options, MAX_STACKED_FIELDS);
      const running = await start(caller, input);
      const sql = termsSql(running.search, fields, { ...options, size: sizeOf(options.size) });
      const rows = await running.rows<TermRow>(sql);
      return { ...termsOf(rows, fields), ...running.summary() };
    },
    async termsHistogram(caller, input, options) {
      return termsHistogram(await start(caller, input), options);
    },
    async termsStats(caller, input, options) {
      const running = await start(caller, input);
      const sql = termStatisticsSql(running.search, { ...options, size: sizeOf(options.size) });
      const rows = await running.rows<TermStatisticsRow>(sql);
      return { terms: rows.map(termStatisticsOf), ...running.summary() };
    },
    async stats(caller, input, { field }) {
      const running = await start(caller, input);
      const [row] = await running.rows<StatisticsRow>(statisticsSql(running.search, field));
      return { ...statisticsOf(row), ...running.summary() };
    },
    async histogram(caller, input, options) {
      const running = await start(caller, input);
      const buckets = await running.buckets(options.interval);
      const rows = await running.rows<{ bucket: Count; messages: Count }>(
        histogramSql(running.search, buckets),
        BUCKET_SETTINGS,
      );
      return {
        interval: buckets.interval.name,
        results: fillBuckets(rows, buckets, ({ messages }) => Number(messages), 0),
        queried_timerange: rangeOf(running.search.span),
        ...running.summary(),
      };
    },
    async fieldHistogram(caller, input, options) {
      const running = await start(caller, input);
      const buckets = await running.buckets(options.interval);
      const sql = bucketStatisticsSql(running.search, options, buckets.expression, MAX_BUCKET_ROWS);
      const rows = await running.rows<BucketStatisticsRow>(sql, BUCKET_SETTINGS);
      return {
        interval: buckets.interval.name,
        results: fillBuckets(rows, buckets, bucketStatisticsOf, NO_BUCKET_STATISTICS),
        queried_timerange: rangeOf(running.search.span),
        ...running.summary(),
      };
    },
    async sources(caller, range, allowPartial) {
      const running = await start(caller, { query: '*', range: { type: 'relative', range }, allowPartial });
      return sources(running, range);
    },
  };
}

async function termsHistogram(
  running: RunningSearch,
  options: TermsOptions & HistogramOptions,
): Promise<TermsHistogramResult> {
  const fields = fieldsOf(options, MAX_STACKED_FIELDS);
  const buckets = await running.buckets(options.interval);
  const size = sizeOf(options.size);
  const rows = await running.rows<BucketTermRow>(
    bucketTermsSql(running.search, fields, { ...options, size }, buckets.expression, MAX_BUCKET_TERMS + 1),
    BUCKET_SETTINGS,
  );
  if (rows.length > MAX_BUCKET_TERMS) {
    throw new InvalidError(
      `The interval ${JSON.stringify(buckets.interval.name)} with ${size} terms produces more than ${MAX_BUCKET_TERMS} values. Use a longer interval, fewer terms or a shorter time range.`,
    );
  }
  const { missing_servers: _, ...summary } = running.summary();
  const byBucket = Map.groupBy(rows, ({ bucket }) => Number(bucket));
  // Thousands of buckets: objects that keep the order of numbers would take most of the time. `terms` has the order.
  const termsIn = (found: readonly TermRow[]) => termsOf(found, fields, Object.fromEntries);
  const perBucket = [...byBucket].map(([bucket, found]) => ({ bucket, terms: termsIn(found) }));
  const shown = new Set(shownTerms(rows, fields).map(({ term }) => term));
  return {
    interval: buckets.interval.name,
    size,
    buckets: fillBuckets(perBucket, buckets, ({ terms }) => ({ ...terms, ...summary }), {
      ...NO_TERMS,
      ...summary,
    }),
    terms: [...shown],
    queried_timerange: rangeOf(running.search.span),
    ...running.summary(),
  };
}

async function sources(running: RunningSearch, range: number): Promise<SourcesResult> {
  const rows = await running.rows<{ value_0: string; messages: Count; sources: Count }>(
    `SELECT value_0, count() AS messages, count() OVER () AS sources FROM ${groupedRows(running.search, ['source'])} WHERE isNotNull(value_0) GROUP BY value_0 ORDER BY messages DESC, value_0 LIMIT ${MAX_SOURCES}`,
  );
  return {
    total: Number(rows[0]?.sources ?? 0),
    sources: orderedRecord(rows.map(({ value_0, messages }) => [value_0, Number(messages)])),
    took_ms: running.summary().time,
    range,
    ...missingIn(running.search),
  };
}

/** The first and the last time of the messages that the search finds. @param column SQL for a time, which may be NULL */
export async function messageTimeSpan(
  { search, rows }: Pick<RunningSearch, 'search' | 'rows'>,
  column = 'timestamp',
): Promise<TimeSpan> {
  const [found] = await rows<{ earliest: Count; latest: Count }>(
    `SELECT min(time) AS earliest, max(time) AS latest FROM ${search.source([`toUnixTimestamp64Milli(${column}) AS time`])}`,
  );
  return { from: Number(found?.earliest ?? 0), to: Number(found?.latest ?? 0) };
}

function sizeOf(wanted: number): number {
  return wanted > 0 ? wanted : DEFAULT_TERMS;
}
