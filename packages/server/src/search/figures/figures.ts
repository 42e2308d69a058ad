/**
 * Figures over the messages of some streams, for many who ask at the same time: each figure has its own query and its
 * own window, and may be about some of the streams. All figures without groups are computed by one statement, which reads
 * the messages once.
 */
import { formatTimestamp, type MetricRequest } from '@millrace/contract';
import type { Principal } from '#core/index.ts';
import { groupedRows, valueColumns } from '../aggregation/grouped-rows.ts';
import { type Metric, metricAt } from '../aggregation/metrics.ts';
import type { PreparedSearch, RunOptions, Searches } from '../execution/index.ts';
import { requireQuery } from '../execution/index.ts';
import { instantSql, queryColumn, queryCondition } from '../query/index.ts';
import { expressionSql, type FigureExpression, type FigureValue } from './expression.ts';

/** Milliseconds since the epoch; `to` is excluded. */
export interface FigureWindow {
  readonly from: number;
  readonly to: number;
}

export interface Figure extends FigureWindow {
  readonly metric: Pick<MetricRequest, 'function' | 'field' | 'configuration'>;
  /** A message counts if it matches all of them. */
  readonly queries: readonly string[];
}

export interface Measurement {
  readonly figures: readonly Figure[];
  /** Fields; messages that lack one of them belong to no group. Empty: one row over all messages. */
  readonly groupBy: readonly string[];
  /** Only messages of these streams, which are among those of all measurements. Undefined: of all of them. */
  readonly streams?: readonly string[] | undefined;
  /** Only groups for which it is true. */
  readonly having?: FigureExpression | undefined;
  /** The most groups. */
  readonly limit: number;
}

export interface Measured {
  /** Without groups exactly one, with no key. */
  readonly rows: readonly MeasuredRow[];
  /** There are more groups than the limit. */
  readonly isTruncated: boolean;
}

export interface MeasuredRow {
  /** The values of the fields of `groupBy`. */
  readonly key: readonly string[];
  readonly figures: readonly FigureValue[];
}

/** Which time of a message decides whether it is in a window. */
export type TimeBasis = 'message' | 'receive';

export interface MeasuredMessages {
  /** Empty: all streams, without failures. */
  readonly streams: readonly string[];
  readonly basis: TimeBasis;
}

export interface FiguresCaller extends Pick<RunOptions, 'signal' | 'timeoutMs' | 'slot'> {
  readonly principal: Principal;
}

/** Rejects as `Searches` does, and with `InvalidError` for an unknown function. */
export interface Figures {
  /** The answers are in the order of the measurements. */
  measure(
    caller: FiguresCaller,
    messages: MeasuredMessages,
    measurements: readonly Measurement[],
  ): Promise<Measured[]>;
}

/** By receive time, messages count whose own time is at most this far away. Without a bound all would be read. */
const MAX_TIME_DIFFERENCE_MS = 24 * 3_600_000;

export function createFigures({ searches }: { readonly searches: Searches }): Figures {
  return {
    async measure(caller, messages, measurements) {
      const ungrouped = measurements.filter(({ groupBy }) => groupBy.length === 0);
      const answers = new Map<Measurement, Measured>();
      if (ungrouped.length > 0) {
        const rows = await measureTogether(searches, caller, messages, ungrouped);
        for (const [at, measurement] of ungrouped.entries()) {
          answers.set(measurement, { rows: [{ key: [], figures: rows[at] ?? [] }], isTruncated: false });
        }
      }
      for (const measurement of measurements) {
        if (measurement.groupBy.length === 0) continue;
        answers.set(measurement, await measureGroups(searches, caller, messages, measurement));
      }
      return measurements.map((measurement) => answers.get(measurement) ?? { rows: [], isTruncated: false });
    },
  };
}

interface Statement {
  readonly search: PreparedSearch;
  readonly metrics: readonly Metric[];
  readonly columns: readonly string[];
  readonly conditions: readonly string[];
}

async function measureTogether(
  searches: Searches,
  caller: FiguresCaller,
  messages: MeasuredMessages,
  measurements: readonly Measurement[],
): Promise<FigureValue[][]> {
  const figures = measurements.flatMap((measurement) =>
    measurement.figures.map((figure) => ({ ...figure, streams: measurement.streams })),
  );
  const { search, metrics, columns, conditions } = await prepare(searches, caller, messages, figures);
  const selected = metrics.map((metric, at) => `${figureSql(metric)} AS figure_${at}`);
  const source = search.source(columns, { conditions });
  const [row = {}] = await searches.rows<Record<string, unknown>>(
    search,
    `SELECT ${selected.join(', ')} FROM ${source}`,
    caller,
  );
  let at = 0;
  return measurements.map((measurement) => measurement.figures.map(() => figureOf(row[`figure_${at++}`])));
}

async function measureGroups(
  searches: Searches,
  caller: FiguresCaller,
  messages: MeasuredMessages,
  measurement: Measurement,
): Promise<Measured> {
  const { search, metrics, columns, conditions } = await prepare(
    searches,
    caller,
    { ...messages, streams: measurement.streams ?? messages.streams },
    measurement.figures,
  );
  const conditioned = {
    source: (inner: readonly string[]) => search.source(inner, { conditions }),
  };
  const rows = groupedRows(conditioned, measurement.groupBy, columns);
  const keys = valueColumns(measurement.groupBy);
  const names = metrics.map((_, at) => `figure_${at}`);
  const selected = metrics.map((metric, at) => `${figureSql(metric)} AS figure_${at}`);
  const having =
    measurement.having === undefined ? '' : ` HAVING ${expressionSql(measurement.having, names)}`;
  const found = await searches.rows<Record<string, unknown>>(
    search,
    `SELECT ${[...keys, ...selected].join(', ')} FROM ${rows} WHERE ${keys.map((key) => `isNotNull(${key})`).join(' AND ')} GROUP BY ${keys.join(', ')}${having} ORDER BY ${[...names.map((name) => `${name} DESC NULLS LAST`), ...keys].join(', ')} LIMIT ${measurement.limit + 1}`,
    caller,
  );
  return {
    rows: found.slice(0, measurement.limit).map((row) => ({
      key: keys.map((key) => String(row[key])),
      figures: names.map((name) => figureOf(row[name])),
    })),
    isTruncated: found.length > measurement.limit,
  };
}

/** The columns of all figures, each restricted to the messages that count for it. */
async function prepare(
  searches: Searches,
  { principal }: FiguresCaller,
  { streams, basis }: MeasuredMessages,
  figures: readonly (Figure & Pick<Measurement, 'streams'>)[],
): Promise<Statement> {
  const from = Math.min(...figures.map((figure) => figure.from));
  const to = Math.max(...figures.map((figure) => figure.to));
  const margin = basis === 'receive' ? MAX_TIME_DIFFERENCE_MS : 0;
  const search = await searches.prepare(principal, {
    query: '*',
    range: {
      type: 'absolute',
      from: formatTimestamp(Math.max(1, from - margin)),
      to: formatTimestamp(Math.max(1, to - 1 + margin)),
    },
    streams,
  });
  const time = basis === 'receive' ? 'received_at' : 'timestamp';
  const within = (window: FigureWindow) =>
    `${time} >= ${instantSql(window.from, search.parameters)} AND ${time} < ${instantSql(window.to, search.parameters)}`;
  const matches = new Map<string, string>();
  const conditions = new Set(figures.map((figure) => conditionOf(search, figure, to, queryCondition)));
  // What all figures ask for stands in WHERE, where the index answers it without reading texts.
  const queryOf = (figure: Figure) =>
    conditions.size === 1 ? '' : ` AND ${conditionOf(search, figure, to, queryColumn)}`;
  const columns: string[] = [];
  const ofStreams = streamConditions(search);
  const metrics = figures.map((figure, at) => {
    const condition = `${ofStreams(figure.streams)}${within(figure)}${queryOf(figure)}`;
    let only = matches.get(condition);
    if (only === undefined) {
      only = `match_${matches.size}`;
      matches.set(condition, only);
      columns.push(`(${condition}) AS ${only}`);
    }
    const metric = metricAt({ ...figure.metric, sort: undefined }, { at: String(at), only });
    columns.push(...metric.columns);
    return metric;
  });
  return {
    search,
    metrics,
    columns,
    conditions: [
      ...(basis === 'receive' ? [within({ from, to })] : []),
      // If every figure has a query, the index over words can be used.
      ...(conditions.has('1') ? [] : [`(${[...conditions].map((each) => `(${each})`).join(' OR ')})`]),
    ],
  };
}

/** Says of which streams a message must be, in front of other conditions; the same streams are one parameter. */
function streamConditions({
  parameters,
}: PreparedSearch): (streams: readonly string[] | undefined) => string {
  const known = new Map<string, string>();
  return (streams) => {
    if (streams === undefined) return '';
    const key = JSON.stringify(streams);
    const condition = known.get(key) ?? `hasAny(streams, ${parameters.add(streams, 'Array(String)')}) AND `;
    known.set(key, condition);
    return condition;
  };
}

function conditionOf(
  search: PreparedSearch,
  { queries }: Figure,
  now: number,
  sqlOf: typeof queryCondition,
): string {
  const { fields, visibleStreams, timeZone, parameters } = search;
  const conditions = new Set(
    queries.map((text) => {
      const { query } = requireQuery(text, { now, timeZone });
      return sqlOf(query, { fields, visibleStreams, now, timeZone }, parameters);
    }),
  );
  conditions.delete('1');
  return conditions.size === 0 ? '1' : [...conditions].map((each) => `(${each})`).join(' AND ');
}

/** The share of a group in all groups. Without groups it is that of the messages in themselves. */
function figureSql({ figure, dividedBy }: Metric): string {
  return dividedBy === undefined ? figure : `${figure} / nullIf(sum(${dividedBy}) OVER (), 0)`;
}

function figureOf(value: unknown): FigureValue {
  if (value === null || value === undefined) return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}
