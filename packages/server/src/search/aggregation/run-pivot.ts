/** A pivot from what is asked to its rows. */
import type { GroupingRequest, MetricRequest } from '@millrace/contract';
import { InvalidError } from '#core/index.ts';
import type { PreparedSearch, Searches } from '../execution/index.ts';
import type { SearchCaller } from '../search-caller.ts';
import { wholeTime } from './aggregations.ts';
import { bucketsFor } from './histograms.ts';
import { BUCKET_SETTINGS } from './intervals.ts';
import { metricOf } from './metrics.ts';
import { groupingOf, type Pivot, type PivotRow, pivotSql } from './pivot.ts';

export interface PivotRequest {
  readonly groupings: readonly GroupingRequest[];
  readonly metrics: readonly MetricRequest[];
}

/** Rejects as `Searches` does, and with `InvalidError` for a function, an interval or a field named twice. */
export async function runPivot(
  searches: Pick<Searches, 'rows'>,
  { principal, signal }: SearchCaller,
  search: PreparedSearch,
  request: PivotRequest,
): Promise<{ readonly pivot: Pivot; readonly rows: PivotRow[] }> {
  const rows = <Row>(sql: string) =>
    searches.rows<Row>(search, sql, { principal, signal, settings: BUCKET_SETTINGS });
  const metrics = request.metrics.map((metric) => metricOf(metric, request.metrics));
  const groupings = [];
  for (const grouping of request.groupings) {
    groupings.push(
      await groupingOf(grouping, (interval) =>
        bucketsFor(search, interval, search.timeZone, () => wholeTime({ search, rows })),
      ),
    );
  }
  const names = groupings.map(({ field }) => field.name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new InvalidError(`The field ${JSON.stringify(twice)} is grouped by twice.`);
  const pivot = { groupings, metrics };
  return { pivot, rows: await rows<PivotRow>(pivotSql(search, pivot)) };
}
