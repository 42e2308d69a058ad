import { type DistributionData, summarize } from './distribution.ts';
import type { GaugeValue, MetricData, MetricReading, MetricType } from './metric-data.ts';
import type { RatesData } from './rates.ts';

/*
 * The shapes of metrics in Graylog's API: single metrics ("metric objects"), and the whole registry as the Dropwizard
 * metrics library prints it. Timers measure microseconds.
 */

export interface RateShape {
  readonly total: number;
  readonly mean: number;
  readonly one_minute: number;
  readonly five_minute: number;
  readonly fifteen_minute: number;
}

export interface TimeShape {
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  readonly std_dev: number;
  readonly '95th_percentile': number;
  readonly '98th_percentile': number;
  readonly '99th_percentile': number;
}

export type MetricShape =
  | { readonly count: number }
  | { readonly value: GaugeValue }
  | { readonly rate: RateShape; readonly rate_unit: string }
  | { readonly time: TimeShape; readonly count: number }
  | {
      readonly rate: RateShape;
      readonly rate_unit: string;
      readonly time: TimeShape;
      readonly duration_unit: string;
    };

/** One metric as `/system/metrics/multiple` lists it. */
export interface MetricRecord {
  readonly full_name: string;
  readonly name: string;
  readonly type: MetricType;
  readonly metric: MetricShape;
}

type Figures = Readonly<Record<string, GaugeValue>>;

/** The whole registry as `/system/metrics` shows it. */
export interface MetricsSnapshot {
  readonly version: string;
  readonly gauges: Record<string, Figures>;
  readonly counters: Record<string, Figures>;
  readonly histograms: Record<string, Figures>;
  readonly meters: Record<string, Figures>;
  readonly timers: Record<string, Figures>;
}

const RATE_UNIT = 'events/second';
const MICROSECONDS_PER_SECOND = 1e6;

export function metricRecord(reading: MetricReading): MetricRecord {
  return {
    full_name: reading.name,
    name: reading.name.slice(reading.name.lastIndexOf('.') + 1),
    type: reading.data.type,
    metric: metricShape(reading.data),
  };
}

export function metricShape(data: MetricData): MetricShape {
  switch (data.type) {
    case 'counter':
      return { count: data.count };
    case 'gauge':
      return { value: data.value };
    case 'meter':
      return { rate: rateShape(data.rates), rate_unit: RATE_UNIT };
    case 'histogram':
      return { time: timeShape(data.distribution), count: data.distribution.count };
    case 'timer':
      return {
        rate: rateShape(data.rates),
        rate_unit: RATE_UNIT,
        time: timeShape(data.distribution),
        duration_unit: 'microseconds',
      };
  }
}

function rateShape(rates: RatesData): RateShape {
  return {
    total: rates.count,
    mean: rates.mean,
    one_minute: rates.oneMinute,
    five_minute: rates.fiveMinute,
    fifteen_minute: rates.fifteenMinute,
  };
}

function timeShape(distribution: DistributionData): TimeShape {
  const summary = summarize(distribution);
  return {
    min: summary.min,
    max: summary.max,
    mean: summary.mean,
    std_dev: summary.standardDeviation,
    '95th_percentile': summary.quantile(0.95),
    '98th_percentile': summary.quantile(0.98),
    '99th_percentile': summary.quantile(0.99),
  };
}

export function metricsSnapshot(readings: Iterable<MetricReading>): MetricsSnapshot {
  const snapshot: MetricsSnapshot = {
    version: '4.0.0',
    gauges: {},
    counters: {},
    histograms: {},
    meters: {},
    timers: {},
  };
  for (const { name, data } of readings) {
    switch (data.type) {
      case 'counter':
        snapshot.counters[name] = { count: data.count };
        break;
      case 'gauge':
        snapshot.gauges[name] = { value: data.value };
        break;
      case 'meter':
        snapshot.meters[name] = { ...rateFigures(data.rates), units: RATE_UNIT };
        break;
      case 'histogram':
        snapshot.histograms[name] = {
          count: data.distribution.count,
          ...distributionFigures(data.distribution, 1),
        };
        break;
      case 'timer':
        snapshot.timers[name] = {
          ...distributionFigures(data.distribution, MICROSECONDS_PER_SECOND),
          ...rateFigures(data.rates),
          duration_units: 'seconds',
          rate_units: 'calls/second',
        };
        break;
    }
  }
  return snapshot;
}

function rateFigures(rates: RatesData): Figures {
  return {
    count: rates.count,
    m15_rate: rates.fifteenMinute,
    m1_rate: rates.oneMinute,
    m5_rate: rates.fiveMinute,
    mean_rate: rates.mean,
  };
}

function distributionFigures(distribution: DistributionData, divisor: number): Figures {
  const summary = summarize(distribution);
  return {
    max: summary.max / divisor,
    mean: summary.mean / divisor,
    min: summary.min / divisor,
    p50: summary.quantile(0.5) / divisor,
    p75: summary.quantile(0.75) / divisor,
    p95: summary.quantile(0.95) / divisor,
    p98: summary.quantile(0.98) / divisor,
    p99: summary.quantile(0.99) / divisor,
    p999: summary.quantile(0.999) / divisor,
    stddev: summary.standardDeviation / divisor,
  };
}
