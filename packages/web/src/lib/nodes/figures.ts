import type { MetricsSummary } from '@millrace/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../api/index.ts';

const POLL_MS = 2000;

const METRICS = {
  receivedPerSecond: 'org.graylog2.throughput.input.1-sec-rate',
  storedPerSecond: 'org.graylog2.throughput.output.1-sec-rate',
  waiting: 'org.graylog2.journal.entries-uncommitted',
  journalShare: 'org.graylog2.journal.utilization-ratio',
  journalLimit: 'org.graylog2.journal.size-limit',
  journalPerSecond: 'org.graylog2.journal.append.1-sec-rate',
  memory: 'millrace.process.rss',
} as const;

/** What a node does now. */
export type NodeFigures = Readonly<Record<keyof typeof METRICS, number>>;

type NodeMetrics = Readonly<Record<string, MetricsSummary | null>>;
type Metric = MetricsSummary['metrics'][number]['metric'];

/** By node; a node that says nothing is missing. */
export const nodeFiguresQuery = queryOptions({
  queryKey: ['node-figures'],
  queryFn: ({ signal }) =>
    call('POST /cluster/metrics/multiple', {
      body: { metrics: Object.values(METRICS) },
      signal,
      isBackground: true,
    }),
  select: nodeFigures,
  refetchInterval: POLL_MS,
  placeholderData: keepPreviousData,
  meta: { isBackground: true },
});

export function nodeFigures(nodes: NodeMetrics): Map<string, NodeFigures> {
  const all = new Map<string, NodeFigures>();
  for (const [nodeId, summary] of Object.entries(nodes)) {
    if (summary === null || summary.metrics.length === 0) continue;
    const values = new Map(summary.metrics.map(({ full_name, metric }) => [full_name, numberOf(metric)]));
    const figures = Object.entries(METRICS).map(([key, name]) => [key, values.get(name) ?? 0]);
    all.set(nodeId, Object.fromEntries(figures) as NodeFigures);
  }
  return all;
}

function numberOf(metric: Metric): number {
  const value = 'value' in metric ? Number(metric.value) : 'count' in metric ? metric.count : Number.NaN;
  return Number.isFinite(value) ? value : 0;
}

export function sumOf(nodes: Iterable<NodeFigures>, figure: keyof NodeFigures): number {
  return [...nodes].reduce((sum, figures) => sum + figures[figure], 0);
}

/** How long it takes to store what waits, at the rate of now; undefined when something waits and nothing is stored. */
export function drainMs({ waiting, storedPerSecond }: Pick<NodeFigures, 'waiting' | 'storedPerSecond'>) {
  if (waiting === 0) return 0;
  return storedPerSecond > 0 ? (waiting / storedPerSecond) * 1000 : undefined;
}

/** How long messages fit into the rest of a journal; undefined when nothing arrives. */
export function roomMs(
  { journalShare, journalLimit, journalPerSecond }: NodeFigures,
  bytesOfMessage: number | undefined,
): number | undefined {
  if (bytesOfMessage === undefined || bytesOfMessage <= 0 || journalPerSecond <= 0) return undefined;
  const free = Math.max(0, 1 - journalShare) * journalLimit;
  return (free / (bytesOfMessage * journalPerSecond)) * 1000;
}

/** What a message takes in the journal, of all that came since the node started. */
export function bytesOfMessage({ metrics }: MetricsSummary): number | undefined {
  const total = (ending: string) =>
    metrics
      .filter(({ full_name }) => full_name.endsWith(ending))
      .reduce((sum, { metric }) => sum + numberOf(metric), 0);
  const events = total('.received.events');
  return events > 0 ? total('.received.bytes') / events : undefined;
}
