import type { Input, MetricsSummary } from '@millrace/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../../lib/api/index.ts';

const POLL_MS = 2000;

/** What an input does now and has done, on one node or on all. */
export interface Figures {
  readonly perSecond: number;
  readonly bytesPerSecond: number;
  readonly openConnections: number;
  readonly connections: number;
  readonly received: number;
}

const METRICS: Readonly<Record<keyof Figures, string>> = {
  perSecond: 'incomingMessages.1-sec-rate',
  bytesPerSecond: 'read_bytes_total.1-sec-rate',
  openConnections: 'open_connections',
  connections: 'total_connections',
  received: 'incomingMessages',
};
const NAMES = Object.entries(METRICS) as [keyof Figures, string][];

type Named = Pick<Input, 'id' | 'type'>;
type Metric = MetricsSummary['metrics'][number]['metric'];
type NodeMetrics = Readonly<Record<string, MetricsSummary | null>>;

/** Figures by node of each input; inputs of which nothing is known are missing. */
export type FiguresByInput = ReadonlyMap<string, ReadonlyMap<string, Figures>>;

export function useFigures(inputs: readonly Named[]): FiguresByInput {
  const { data } = useQuery({
    queryKey: ['input-figures', inputs.map(({ id }) => id)],
    queryFn: ({ signal }) =>
      call('POST /cluster/metrics/multiple', {
        body: { metrics: inputs.flatMap((input) => NAMES.map(([, name]) => metricOf(input, name))) },
        signal,
        isBackground: true,
      }),
    enabled: inputs.length > 0,
    refetchInterval: POLL_MS,
    placeholderData: keepPreviousData,
    meta: { isBackground: true },
  });
  return useMemo(() => figuresOf(inputs, data ?? {}), [inputs, data]);
}

function metricOf({ id, type }: Named, name: string): string {
  return `${type}.${id}.${name}`;
}

export function figuresOf(inputs: readonly Named[], nodes: NodeMetrics): FiguresByInput {
  const byNode = Object.entries(nodes).map(
    ([nodeId, summary]) =>
      [
        nodeId,
        new Map(summary?.metrics.map(({ full_name, metric }) => [full_name, numberOf(metric)])),
      ] as const,
  );
  const all = new Map<string, ReadonlyMap<string, Figures>>();
  for (const input of inputs) {
    const known = byNode.filter(([, values]) => values.has(metricOf(input, METRICS.received)));
    if (known.length === 0) continue;
    all.set(
      input.id,
      new Map(
        known.map(([nodeId, values]) => {
          const read = (name: string) => values.get(metricOf(input, name)) ?? 0;
          return [
            nodeId,
            Object.fromEntries(NAMES.map(([key, name]) => [key, read(name)])) as unknown as Figures,
          ];
        }),
      ),
    );
  }
  return all;
}

function numberOf(metric: Metric): number {
  const value = 'value' in metric ? metric.value : 'rate' in metric ? metric.rate.total : metric.count;
  return Number.isFinite(Number(value)) ? Number(value) : 0;
}

/** All nodes together; undefined when none has said anything. */
export function sumOfFigures(nodes: ReadonlyMap<string, Figures> | undefined): Figures | undefined {
  if (nodes === undefined) return undefined;
  const sum = (figure: (figures: Figures) => number) =>
    [...nodes.values()].reduce((total, figures) => total + figure(figures), 0);
  return {
    perSecond: sum(({ perSecond }) => perSecond),
    bytesPerSecond: sum(({ bytesPerSecond }) => bytesPerSecond),
    openConnections: sum(({ openConnections }) => openConnections),
    connections: sum(({ connections }) => connections),
    received: sum(({ received }) => received),
  };
}
