import {
  type MetricsSummary,
  metricHistoryQuerySchema,
  metricHistorySchema,
  metricNameParameter,
  metricNamesSchema,
  metricsReadRequestSchema,
  metricsRegistrySchema,
  metricsSummarySchema,
  oneMetricSchema,
} from '@millrace/contract';
import { z } from 'zod';
import { NotFoundError, type Principal } from '#core/index.ts';
import { inOrderOfLogMeters, type MetricHistory, type MetricRecord, type Metrics } from '#telemetry/index.ts';
import { rawReply } from '../reply.ts';
import { defineRoute, type Route } from '../route.ts';

export interface MetricRouteDeps {
  readonly nodeId: string;
  readonly metrics: Metrics;
  readonly history: MetricHistory;
}

const tag = 'System/Metrics';
const PROMETHEUS_TEXT = 'text/plain; version=0.0.4; charset=utf-8';

export function metricRoutes(deps: MetricRouteDeps): Route[] {
  return [...wholeRegistryRoutes(deps), ...someMetricsRoutes(deps), ...oneMetricRoutes(deps)];
}

function wholeRegistryRoutes({ metrics }: MetricRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/system/metrics',
      tag,
      summary: 'Get all metrics of this node',
      permission: 'metrics:readall',
      responses: { 200: metricsRegistrySchema },
      errors: [],
      handler: () => metrics.snapshot(),
    }),
    defineRoute({
      method: 'GET',
      path: '/system/metrics/names',
      tag,
      summary: 'List the names of all metrics of this node',
      permission: 'metrics:allkeys',
      responses: { 200: metricNamesSchema },
      errors: [],
      handler: () => ({ names: metrics.names() }),
    }),
    defineRoute({
      method: 'GET',
      path: '/metrics',
      tag,
      summary: 'Get all metrics of this node for Prometheus',
      permission: 'metrics:read',
      responses: { 200: { contentType: PROMETHEUS_TEXT, description: 'Prometheus text format' } },
      errors: [],
      handler: async () => rawReply(200, PROMETHEUS_TEXT, await metrics.prometheus()),
    }),
  ];
}

function someMetricsRoutes({ metrics }: MetricRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/system/metrics/multiple',
      tag,
      summary: 'Get several metrics of this node by name',
      description: 'Unknown names and names the caller may not read are left out.',
      permission: { kind: 'authenticated' },
      body: metricsReadRequestSchema,
      responses: { 200: metricsSummarySchema },
      errors: [],
      handler: ({ body, principal }) => namedMetrics(metrics, principal, body.metrics),
    }),
    defineRoute({
      method: 'GET',
      path: '/system/metrics/namespace/:namespace',
      tag,
      summary: 'Get the metrics of this node whose names start with a namespace',
      permission: { kind: 'authenticated' },
      params: z.object({ namespace: metricNameParameter }),
      responses: { 200: metricsSummarySchema },
      errors: ['not_found'],
      handler: ({ params, principal }) => metricsOfNamespace(metrics, principal, params.namespace),
    }),
  ];
}

function oneMetricRoutes({ nodeId, metrics, history }: MetricRouteDeps): Route[] {
  const params = z.object({ metricName: metricNameParameter });

  function recordOf(metricName: string) {
    const record = metrics.get(metricName);
    if (record === undefined) throw new NotFoundError(`No metric with the name ${metricName} found.`);
    return record;
  }

  return [
    defineRoute({
      method: 'GET',
      path: '/system/metrics/:metricName',
      tag,
      summary: 'Get one metric of this node',
      permission: 'metrics:read',
      instance: ({ metricName }) => metricName,
      params,
      responses: { 200: oneMetricSchema },
      errors: ['not_found'],
      handler: ({ params: { metricName } }) => withRawRates(recordOf(metricName).metric),
    }),
    defineRoute({
      method: 'GET',
      path: '/system/metrics/:metricName/history',
      tag,
      summary: 'Get the history of a metric of this node over the last five minutes',
      permission: 'metrics:readhistory',
      instance: ({ metricName }) => metricName,
      params,
      query: metricHistoryQuerySchema,
      responses: { 200: metricHistorySchema },
      errors: ['not_found'],
      handler: ({ params: { metricName }, query }) => ({
        name: metricName,
        node: nodeId,
        type: recordOf(metricName).type,
        values: history
          .of(metricName, query.after)
          .map(({ time, figures }) => ({ timestamp: new Date(time).toISOString(), ...figures })),
      }),
    }),
  ];
}

/** In the requested order. */
export function namedMetrics(
  metrics: Metrics,
  principal: Principal,
  names: readonly string[],
): MetricsSummary {
  const wanted = new Set(names.filter((name) => principal.can('metrics:read', name)));
  const found = new Map(
    metrics.select((name) => wanted.has(name)).map((record) => [record.full_name, record]),
  );
  return summaryOf([...wanted].flatMap((name) => found.get(name) ?? []));
}

export function metricsOfNamespace(
  metrics: Metrics,
  principal: Principal,
  namespace: string,
): MetricsSummary {
  const found = metrics.select((name) => name.startsWith(namespace) && principal.can('metrics:read', name));
  if (found.length === 0) throw new NotFoundError(`No metrics with namespace ${namespace} found.`);
  return summaryOf(inOrderOfLogMeters(found));
}

function summaryOf(records: MetricsSummary['metrics']): MetricsSummary {
  return { total: records.length, metrics: records };
}

/** Clients of a single metric read its rates under the names of the Dropwizard library. */
function withRawRates(metric: MetricRecord['metric']): z.input<typeof oneMetricSchema> {
  if (!('rate' in metric)) return metric;
  const { total, mean, one_minute, five_minute, fifteen_minute } = metric.rate;
  return {
    ...metric,
    count: total,
    mean_rate: mean,
    m1_rate: one_minute,
    m5_rate: five_minute,
    m15_rate: fifteen_minute,
    // Timers have other names for it.
    ...('time' in metric ? {} : { units: 'events/second' }),
  };
}
