/** Messages over time in groups by the values of a field, in one statement that reads them once. */
import { formatTimestamp, type SearchHistogram, type SearchHistogramRequest } from '@millrace/contract';
import type { PreparedSearch, Searches } from '../execution/index.ts';
import { missingIn, rangeOf, type SearchCaller, searchInputOf } from '../search-caller.ts';
import { requireTimeZone, type TimeSpan } from '../time/index.ts';
import { messageTimeSpan } from './aggregations.ts';
import { groupedRows } from './grouped-rows.ts';
import type { Count } from './numbers.ts';
import { stepsSince, type TimeSteps } from './time-steps.ts';

/** Counts are exact, also over several index sets. Rejects as `Searches` does. */
export interface SearchHistograms {
  find(caller: SearchCaller, request: SearchHistogramRequest): Promise<SearchHistogram>;
}

/** Longer values are cut. */
const MAX_VALUE_LENGTH = 4096;
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const INTERVALS: readonly number[] = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 7, 14, 30, 90, 365, 730, 1825, 3650].map((count) => count * DAY),
];

interface GroupRow {
  readonly is_total: number;
  readonly value: string | null;
  readonly messages: Count;
  readonly times: readonly (readonly [bucket: Count, messages: Count])[];
}

export function createSearchHistograms(searches: Searches): SearchHistograms {
  return {
    async find({ principal, signal }, request) {
      const search = await searches.prepare(principal, searchInputOf(request));
      const rows = <Row>(sql: string) => searches.rows<Row>(search, sql, { principal, signal });
      // A range without a start begins with the first message.
      const span = search.span.from > 0 ? search.span : await messageTimeSpan({ search, rows });
      const grid = gridOf(span, request.buckets, requireTimeZone(search.timeZone));
      const last = search.span.from > 0 ? span.to : undefined;
      const found = await rows<GroupRow>(histogramSql(search, { ...grid, last }, request));
      return { ...histogramOf(found, grid, span), ...missingIn(search) };
    },
  };
}

/** Buckets of equal length. */
export interface TimeGrid {
  readonly start: number;
  readonly intervalMs: number;
  readonly count: number;
}

/** The shortest round interval that needs no more buckets. They begin at round times of the zone. */
export function gridOf({ from, to }: TimeSpan, maxBuckets: number, timeZone: string): TimeGrid {
  const at = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(timeZone);
  const offset = at.offsetNanoseconds / 1_000_000;
  const gridWith = (intervalMs: number): TimeGrid => {
    const start = Math.floor((from + offset) / intervalMs) * intervalMs - offset;
    return { start, intervalMs, count: Math.floor((to - start) / intervalMs) + 1 };
  };
  const fitting = INTERVALS.find((intervalMs) => gridWith(intervalMs).count <= maxBuckets);
  // Centuries, or very few buckets: as long as it takes.
  const longest = Math.max(to - from + 1, 10 * 365 * DAY);
  return gridWith(fitting ?? Math.ceil(longest / Math.max(1, maxBuckets - 1)));
}

/** Groups twice: by time and value, and by time alone, from which the messages of the other values follow. */
function histogramSql(
  search: PreparedSearch,
  { start, intervalMs, last }: TimeGrid & Pick<TimeSteps, 'last'>,
  { by, size }: Pick<SearchHistogramRequest, 'by' | 'size'>,
): string {
  const bucket = `${stepsSince('timestamp', { start, lengthMs: intervalMs, last })} AS bucket`;
  if (by === undefined || by === null) {
    const counted = `SELECT bucket, count() AS number FROM ${search.source([bucket])} GROUP BY bucket`;
    return `SELECT 1 AS is_total, CAST(NULL, 'Nullable(String)') AS value, sum(number) AS messages, groupArray((bucket, number)) AS times FROM (${counted})`;
  }
  const counted = `SELECT bucket, value_0, grouping(value_0) = 1 AS is_total, if(is_total, sum(is_first), count()) AS number FROM ${groupedRows(search, [by], [bucket])} GROUP BY GROUPING SETS ((bucket, value_0), (bucket))`;
  const groups = `SELECT is_total, leftUTF8(value_0, ${MAX_VALUE_LENGTH}) AS value, sum(number) AS messages, groupArray((bucket, number)) AS times FROM (${counted}) GROUP BY is_total, value_0`;
  return `SELECT * FROM (${groups}) ORDER BY is_total DESC, messages DESC, value LIMIT ${size + 1}`;
}

function histogramOf(rows: readonly GroupRow[], grid: TimeGrid, span: TimeSpan): SearchHistogram {
  const all = rows.find(({ is_total }) => Number(is_total) === 1);
  const values = rows.filter(({ is_total }) => Number(is_total) === 0);
  const whole = groupOf(all, grid);
  const groups = (values.length === 0 && all !== undefined ? [all] : values).map((row) => groupOf(row, grid));
  const counts = whole.counts.map((count, at) =>
    // A message with several values counts once for each, so the groups may hold more than there are messages.
    Math.max(0, count - groups.reduce((sum, group) => sum + (group.counts[at] ?? 0), 0)),
  );
  return {
    ...rangeOf(span),
    interval_ms: grid.intervalMs,
    starts: Array.from({ length: grid.count }, (_, at) => formatTimestamp(grid.start + at * grid.intervalMs)),
    groups: groups.filter(({ total }) => total > 0),
    other: { total: counts.reduce((sum, count) => sum + count, 0), counts },
    total: whole.total,
  };
}

function groupOf(row: GroupRow | undefined, { count }: TimeGrid): SearchHistogram['groups'][number] {
  const counts = new Array<number>(count).fill(0);
  for (const [bucket, messages] of row?.times ?? []) {
    // Over all time, messages may have arrived since the first and the last one were asked for.
    const at = Math.min(count - 1, Math.max(0, Number(bucket)));
    counts[at] = (counts[at] ?? 0) + Number(messages);
  }
  return { key: row?.value ?? null, total: Number(row?.messages ?? 0), counts };
}
