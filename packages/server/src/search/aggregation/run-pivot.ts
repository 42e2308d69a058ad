import type { GroupingRequest, MetricRequest } from '@millrace/contract';
import { InvalidError } from '#core/index.ts';
import { fieldColumn } from '#storage/index.ts';
import type { PreparedSearch, Searches } from '../execution/index.ts';
import type { SearchCaller } from '../search-caller.ts';
import { messageTimeSpan } from './aggregations.ts';
import { BUCKET_SETTINGS } from './bucket-keys.ts';
import { bucketsFor } from './histograms.ts';
import { metricOf } from './metrics.ts';
import { groupingOf, type Pivot, type PivotRow, pivotSql, type SortKey } from './pivot.ts';

export interface PivotRequest {
  readonly groupings: readonly GroupingRequest[];
  readonly metrics: readonly MetricRequest[];
  /** By default what `groupings` say, then what `metrics` say. */
  readonly order?: readonly SortKey[];
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
      await groupingOf(grouping, {
        buckets: (interval, options) =>
          bucketsFor(
            search,
            interval,
            search.timeZone,
            (column) => messageTimeSpan({ search, rows }, column),
            options,
          ),
        isNumeric: (field) => isNumeric(search, field),
      }),
    );
  }
  const names = groupings.map(({ field }) => field.name);
  const duplicate = names.find((name, at) => names.indexOf(name) !== at);
  if (duplicate !== undefined) {
    throw new InvalidError(`group_by contains the field ${JSON.stringify(duplicate)} twice.`);
  }
  const order = request.order ?? [
    ...sortKeysOf('grouping', request.groupings),
    ...sortKeysOf('metric', request.metrics),
  ];
  const pivot = { groupings, metrics, order };
  return { pivot, rows: await rows<PivotRow>(pivotSql(search, pivot)) };
}

function sortKeysOf(
  by: SortKey['by'],
  requests: readonly { readonly sort?: 'asc' | 'desc' | undefined }[],
): SortKey[] {
  return requests.flatMap(({ sort }, at) => (sort === undefined ? [] : [{ by, at, direction: sort }]));
}

/** Texts among the numbers of a field come after them. */
function isNumeric({ fields }: PreparedSearch, field: string): boolean {
  const { kind } = fieldColumn(field);
  if (kind !== 'dynamic') return kind === 'number';
  return fields.find(({ name }) => name === field)?.types.includes('number') ?? false;
}
