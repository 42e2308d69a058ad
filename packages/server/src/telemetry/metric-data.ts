import { addDistributions, type DistributionData, withoutRecent } from './distribution.ts';
import { addRates, type RatesData } from './rates.ts';

export type GaugeValue = number | string | null;

/** The reading of one metric as plain data, which a worker can post. */
export type MetricData =
  | { readonly type: 'counter'; readonly count: number }
  | { readonly type: 'gauge'; readonly value: GaugeValue }
  | { readonly type: 'meter'; readonly rates: RatesData }
  | { readonly type: 'histogram'; readonly distribution: DistributionData }
  | { readonly type: 'timer'; readonly rates: RatesData; readonly distribution: DistributionData };

export type MetricType = MetricData['type'];

/** How the readings of a gauge in several workers are merged; `each` keeps them apart, one per worker. */
export type GaugeMerge = 'sum' | 'max' | 'each';

/** The name and labels under which Prometheus sees a metric. */
export interface Series {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

export interface MetricReading {
  readonly name: string;
  readonly help: string;
  readonly series: Series;
  readonly merge: GaugeMerge;
  readonly data: MetricData;
}

/** Merges two readings of one metric. If their types differ, the first one wins. */
export function addMetricData(a: MetricData, b: MetricData, merge: GaugeMerge): MetricData {
  if (a.type === 'counter' && b.type === 'counter') return { type: 'counter', count: a.count + b.count };
  if (a.type === 'gauge' && b.type === 'gauge') {
    return { type: 'gauge', value: addGaugeValues(a.value, b.value, merge) };
  }
  if (a.type === 'meter' && b.type === 'meter') return { type: 'meter', rates: addRates(a.rates, b.rates) };
  if (a.type === 'histogram' && b.type === 'histogram') {
    return { type: 'histogram', distribution: addDistributions(a.distribution, b.distribution) };
  }
  if (a.type === 'timer' && b.type === 'timer') {
    return {
      type: 'timer',
      rates: addRates(a.rates, b.rates),
      distribution: addDistributions(a.distribution, b.distribution),
    };
  }
  return a;
}

function addGaugeValues(a: GaugeValue, b: GaugeValue, merge: GaugeMerge): GaugeValue {
  if (typeof a !== 'number') return a === null ? b : a;
  if (typeof b !== 'number') return a;
  return merge === 'max' ? Math.max(a, b) : a + b;
}

/** What remains of a reading when its worker has ended: totals stay, rates and gauges do not. */
export function retiredMetricData(data: MetricData): MetricData | undefined {
  switch (data.type) {
    case 'counter':
      return data;
    case 'gauge':
      return undefined;
    case 'meter':
      return { type: 'meter', rates: withoutRates(data.rates) };
    case 'histogram':
      return { type: 'histogram', distribution: withoutRecent(data.distribution) };
    case 'timer':
      return {
        type: 'timer',
        rates: withoutRates(data.rates),
        distribution: withoutRecent(data.distribution),
      };
  }
}

function withoutRates(rates: RatesData): RatesData {
  return { count: rates.count, oneMinute: 0, fiveMinute: 0, fifteenMinute: 0, mean: 0 };
}
