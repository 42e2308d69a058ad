import type { GroupingRequest, MetricRequest } from '@millrace/contract';
import { InvalidError } from '#core/index.ts';
import type { PreparedSearch, Searches } from '../execution/index.ts';
import type { SearchCaller } from '../search-caller.ts';
import { messageTimeSpan } from './aggregations.ts';
import { bucketsFor } from './histograms.ts';
import { BUCKET_SETTINGS } from './intervals.ts';
import { metricOf } from './metrics.ts';
import { groupingOf, type Pivot, type PivotRow, pivotSql } from './pivot.ts';

export interface PivotRequest {
  readonly groupings: readonly GroupingRequest[];
  readonly metrics: readonly MetricRequest[];
}

/** Rejects as `Searches` does, and with `InvalidError` for an unknown function or interval, or a duplicate field. */
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
        bucketsFor(search, interval, search.timeZone, () => messageTimeSpan({ search, rows })),
      ),
    );
  }
  const names = groupings.map(({ field }) => field.name);
  const duplicate = names.find((name, at) => names.indexOf(name) !== at);
  if (duplicate !== undefined) {
    throw new InvalidError(`group_by contains the field ${JSON.stringify(duplicate)} twice.`);
  }
  const pivot = { groupings, metrics };
  return { pivot, rows: await rows<PivotRow>(pivotSql(search, pivot)) };
}
