import { summarize } from './distribution.ts';
import type { MetricReading, Series } from './metric-data.ts';

const ID_SEGMENT = /^(?:[0-9a-f]{24}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/**
 * Turns a metric name in Graylog's style into a Prometheus name. Ids in the name become labels, so that all streams
 * share one metric.
 */
export function seriesOf(name: string): Series {
  const labels: Record<string, string> = {};
  const words: string[] = ['millrace'];
  for (const segment of name.replace(/^(?:org\.graylog2|millrace)\./, '').split('.')) {
    if (ID_SEGMENT.test(segment)) {
      const position = Object.keys(labels).length + 1;
      labels[position === 1 ? 'id' : `id_${position}`] = segment;
    } else {
      words.push(snakeCase(segment));
    }
  }
  return { name: words.join('_'), labels };
}

function snakeCase(text: string): string {
  return text
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase();
}

interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

interface Family {
  readonly name: string;
  readonly type: 'counter' | 'gauge';
  readonly help: string;
  readonly samples: Sample[];
}

/**
 * The readings in the text format of Prometheus. The library is loaded by the first scrape, because loading takes
 * 70 ms, and its objects live for one scrape: the hot path never uses it.
 */
export async function prometheusText(readings: Iterable<MetricReading>): Promise<string> {
  const { Counter, Gauge, Registry } = await import('prom-client');
  const registry = new Registry();
  for (const { name, type, help, samples } of families(readings)) {
    const labelNames = [...new Set(samples.flatMap((sample) => Object.keys(sample.labels)))];
    const options = { name, help, labelNames, registers: [registry] };
    if (type === 'counter') {
      const counter = new Counter(options);
      for (const { labels, value } of samples) counter.inc(labels, value);
    } else {
      const gauge = new Gauge(options);
      for (const { labels, value } of samples) gauge.set(labels, value);
    }
  }
  return registry.metrics();
}

function families(readings: Iterable<MetricReading>): Iterable<Family> {
  const byName = new Map<string, Family>();

  function add(name: string, wanted: Family['type'], help: string, sample: Sample): void {
    if (!Number.isFinite(sample.value)) return;
    // Pipeline rules may count down, and Prometheus has no negative counters.
    const type = sample.value < 0 ? 'gauge' : wanted;
    const present = byName.get(name);
    if (present !== undefined && present.type !== type) {
      add(`${name}_${type}`, type, help, sample);
    } else if (present !== undefined) {
      present.samples.push(sample);
    } else {
      byName.set(name, { name, type, help, samples: [sample] });
    }
  }

  for (const { series, help, data } of readings) {
    const { labels } = series;
    const total = `${series.name.replace(/_total$/, '')}_total`;
    if (data.type === 'counter') add(total, 'counter', help, { labels, value: data.count });
    if (data.type === 'gauge' && typeof data.value === 'number') {
      add(series.name, 'gauge', help, { labels, value: data.value });
    }
    if (data.type === 'meter') add(total, 'counter', help, { labels, value: data.rates.count });
    if (data.type === 'histogram' || data.type === 'timer') {
      const unit = data.type === 'timer' ? '_seconds' : '';
      const divisor = data.type === 'timer' ? 1e6 : 1;
      const summary = summarize(data.distribution);
      for (const quantile of [0.5, 0.95, 0.99]) {
        const value = summary.quantile(quantile) / divisor;
        add(`${series.name}${unit}`, 'gauge', help, {
          labels: { ...labels, quantile: `${quantile}` },
          value,
        });
      }
      add(`${series.name}${unit}_count`, 'counter', help, { labels, value: data.distribution.count });
      add(`${series.name}${unit}_sum`, 'counter', help, { labels, value: data.distribution.sum / divisor });
    }
  }
  return byName.values();
}
