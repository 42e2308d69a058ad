import type { MetricsSummary, ViewSearchResult } from '@millrace/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../../lib/api/index.ts';

const POLL_MS = 2000;
const HISTORY_POLL_MS = 60_000;
const HISTORY_MINUTES = 15;
/** Messages of these streams are in others as well, and all of them are counted. */
const MAX_STREAMS = 1000;

const metricOf = (id: string) => `org.graylog2.plugin.streams.Stream.${id}.incomingMessages.1-sec-rate`;

/** Messages a second of each stream, over all nodes. Streams without a figure have none. */
export function useRates(ids: readonly string[]): ReadonlyMap<string, number> {
  const { data } = useQuery({
    queryKey: ['stream-rates', ids],
    queryFn: ({ signal }) =>
      call('POST /cluster/metrics/multiple', {
        body: { metrics: ids.map(metricOf) },
        signal,
        isBackground: true,
      }),
    enabled: ids.length > 0,
    refetchInterval: POLL_MS,
    placeholderData: keepPreviousData,
    meta: { isBackground: true },
  });
  return useMemo(() => ratesOf(ids, data ?? {}), [ids, data]);
}

export function ratesOf(
  ids: readonly string[],
  nodes: Readonly<Record<string, MetricsSummary | null>>,
): Map<string, number> {
  const values = new Map<string, number>();
  for (const { full_name, metric } of Object.values(nodes).flatMap((node) => node?.metrics ?? [])) {
    const value = 'value' in metric ? Number(metric.value) : Number.NaN;
    if (Number.isFinite(value)) values.set(full_name, (values.get(full_name) ?? 0) + value);
  }
  const known = ids.map((id) => [id, values.get(metricOf(id))] as const);
  return new Map(known.filter((entry): entry is readonly [string, number] => entry[1] !== undefined));
}

/** Messages of each minute of the last quarter of an hour, by stream. */
export function useHistories(ids: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const { data } = useQuery({
    queryKey: ['stream-histories', ids],
    queryFn: ({ signal }) =>
      call('POST /views/search/sync', { body: historySearch(ids), signal, isBackground: true }),
    enabled: ids.length > 0,
    refetchInterval: HISTORY_POLL_MS,
    placeholderData: keepPreviousData,
    meta: { isBackground: true },
  });
  return useMemo(() => historiesOf(ids, data), [ids, data]);
}

function historySearch(ids: readonly string[]): object {
  const pivot = {
    id: 'history',
    type: 'pivot',
    rollup: false,
    row_groups: [
      { type: 'values', fields: ['streams'], limit: MAX_STREAMS },
      { type: 'time', fields: ['timestamp'], interval: { type: 'timeunit', timeunit: '1m' } },
    ],
    column_groups: [],
    series: [{ type: 'count', id: 'count()' }],
  };
  return {
    queries: [
      {
        id: 'streams',
        query: { type: 'elasticsearch', query_string: `streams:(${ids.join(' OR ')})` },
        timerange: { type: 'relative', range: HISTORY_MINUTES * 60 },
        search_types: [pivot],
      },
    ],
  };
}

const MINUTE_MS = 60_000;

export function historiesOf(
  ids: readonly string[],
  result: Pick<ViewSearchResult, 'results'> | undefined,
): Map<string, number[]> {
  const answer = result?.results.streams;
  const pivot = answer?.search_types.history;
  if (answer === undefined || pivot === undefined || !('rows' in pivot)) return new Map();
  const { effective_timerange } = pivot;
  const start = Math.floor(Date.parse(effective_timerange.from) / MINUTE_MS);
  const histories = new Map(ids.map((id) => [id, new Array<number>(HISTORY_MINUTES + 1).fill(0)]));
  for (const { key, values } of pivot.rows) {
    const [id = '', time = ''] = key;
    const minute = Math.floor(Date.parse(time) / MINUTE_MS) - start;
    const history = histories.get(id);
    if (history !== undefined && minute >= 0 && minute < history.length) {
      history[minute] = Number(values[0]?.value ?? 0);
    }
  }
  return histories;
}
