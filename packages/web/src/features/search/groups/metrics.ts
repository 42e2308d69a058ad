/** A figure of a group, as it stands in the URL: `count`, `avg:took_ms`, `p95:took_ms`. */
export interface Metric {
  readonly text: string;
  readonly kind: string;
  readonly field: string | undefined;
}

export const METRIC_KINDS = [
  { value: 'count', label: 'Messages', hasField: false },
  { value: 'percentage', label: 'Share', hasField: false },
  { value: 'avg', label: 'Mean of', hasField: true },
  { value: 'p50', label: 'Median of', hasField: true },
  { value: 'p95', label: '95 % below, of', hasField: true },
  { value: 'p99', label: '99 % below, of', hasField: true },
  { value: 'min', label: 'Least of', hasField: true },
  { value: 'max', label: 'Most of', hasField: true },
  { value: 'sum', label: 'Sum of', hasField: true },
  { value: 'card', label: 'Different values of', hasField: true },
] as const;

export const MAX_METRICS = 5;

export function parseMetric(text: string): Metric {
  const [, kind = text, field] = /^([a-z0-9]+):(.+)$/s.exec(text) ?? [];
  return { text, kind, field };
}

export function metricTitle({ kind, field }: Metric): string {
  const label = METRIC_KINDS.find(({ value }) => value === kind)?.label ?? kind;
  return field === undefined ? label : `${label} ${field}`;
}

/** As the API takes it. The rows are sorted by the first figure. */
export function metricRequest({ kind, field }: Metric, isFirst: boolean) {
  const percentile = /^p(\d+)$/.exec(kind)?.[1];
  return {
    function: percentile === undefined ? kind : 'percentile',
    ...(field === undefined ? {} : { field }),
    ...(percentile === undefined ? {} : { configuration: { percentile: Number(percentile) } }),
    ...(isFirst ? { sort: 'desc' as const } : {}),
  };
}
