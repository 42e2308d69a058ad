import { z } from 'zod';
import { integerParameter } from './parameters.ts';
import { timestampSchema } from './time.ts';

const rateSchema = z.strictObject({
  total: z.number(),
  mean: z.number(),
  one_minute: z.number(),
  five_minute: z.number(),
  fifteen_minute: z.number(),
});

const timeSchema = z.strictObject({
  min: z.number(),
  max: z.number(),
  mean: z.number(),
  std_dev: z.number(),
  '95th_percentile': z.number(),
  '98th_percentile': z.number(),
  '99th_percentile': z.number(),
});

const gaugeValueSchema = z.union([z.number(), z.string(), z.null()]);

/** One metric; which of the alternatives it is follows from its type. */
export const metricSchema = z
  .union([
    z.strictObject({ count: z.number() }),
    z.strictObject({ value: gaugeValueSchema }),
    z.strictObject({ rate: rateSchema, rate_unit: z.string() }),
    z.strictObject({ time: timeSchema, count: z.number() }),
    z.strictObject({
      rate: rateSchema,
      rate_unit: z.string(),
      time: timeSchema.describe('Microseconds.'),
      duration_unit: z.string(),
    }),
  ])
  .meta({ id: 'Metric' });

/** `GET /system/metrics/{name}`: meters and timers also as the Dropwizard library prints them. */
export const oneMetricSchema = z
  .looseObject({
    count: z.number().optional(),
    value: gaugeValueSchema.optional(),
    rate: rateSchema.optional(),
    rate_unit: z.string().optional(),
    time: timeSchema.optional(),
    duration_unit: z.string().optional(),
    m1_rate: z.number().optional(),
    m5_rate: z.number().optional(),
    m15_rate: z.number().optional(),
    mean_rate: z.number().optional(),
    units: z.string().optional(),
  })
  .meta({ id: 'OneMetric' });

export const metricTypeSchema = z.enum(['counter', 'gauge', 'meter', 'histogram', 'timer']);

export const metricRecordSchema = z
  .object({
    full_name: z.string(),
    name: z.string().describe('The part after the last dot.'),
    type: metricTypeSchema,
    metric: metricSchema,
  })
  .meta({ id: 'MetricRecord' });

/** `POST /system/metrics/multiple`, `GET /system/metrics/namespace/{prefix}` */
export const metricsSummarySchema = z
  .object({ total: z.int().min(0), metrics: z.array(metricRecordSchema) })
  .meta({ id: 'MetricsSummary' });
export type MetricsSummary = z.infer<typeof metricsSummarySchema>;

/** `POST /cluster/metrics/multiple` */
export const clusterMetricsSchema = z
  .record(z.string(), metricsSummarySchema.nullable())
  .meta({ id: 'ClusterMetrics', description: 'By node id; null for a node that did not answer in time.' });

const MAX_METRIC_NAME_LENGTH = 1000;
const MAX_METRICS_ASKED = 10_000;

export const metricsReadRequestSchema = z
  .strictObject({
    metrics: z
      .array(z.string().max(MAX_METRIC_NAME_LENGTH))
      .max(MAX_METRICS_ASKED)
      .meta({ example: ['org.graylog2.throughput.input.1-sec-rate'] }),
  })
  .meta({ id: 'MetricsReadRequest' });

/** `GET /system/metrics/names` */
export const metricNamesSchema = z.object({ names: z.array(z.string()) }).meta({ id: 'MetricNames' });
export type MetricNames = z.infer<typeof metricNamesSchema>;

const figuresByNameSchema = z.record(z.string(), z.record(z.string(), gaugeValueSchema));

/** `GET /system/metrics` */
export const metricsRegistrySchema = z
  .object({
    version: z.string(),
    gauges: figuresByNameSchema,
    counters: figuresByNameSchema,
    histograms: figuresByNameSchema,
    meters: figuresByNameSchema,
    timers: figuresByNameSchema,
  })
  .meta({ id: 'MetricsRegistry' });

export const metricNameParameter = z
  .string()
  .min(1)
  .max(MAX_METRIC_NAME_LENGTH)
  .meta({ description: 'Full name of a metric', example: 'org.graylog2.throughput.output.1-sec-rate' });

export const metricHistoryQuerySchema = z.object({
  after: integerParameter()
    .default(-1)
    .describe('Only values after this moment, in milliseconds since the epoch; -1 for all there are.'),
});

/** `GET /system/metrics/{name}/history` */
export const metricHistorySchema = z
  .object({
    name: z.string(),
    node: z.string(),
    type: metricTypeSchema,
    values: z.array(
      z.intersection(z.object({ timestamp: timestampSchema }), z.record(z.string(), z.unknown())),
    ),
  })
  .meta({ id: 'MetricHistory' });
export type MetricHistory = z.infer<typeof metricHistorySchema>;
