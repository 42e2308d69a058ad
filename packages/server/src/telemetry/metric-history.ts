import { type Clock, createPeriodicJob, type Startable, type Timers } from '#core/index.ts';
import type { Logger } from './logger.ts';
import type { GaugeValue } from './metric-data.ts';
import type { MetricsSnapshot } from './metric-shapes.ts';
import type { Metrics } from './metrics.ts';

/** The values of one metric at one moment, under the names that Graylog's history uses. */
export interface HistoricFigures {
  readonly time: number;
  readonly figures: Readonly<Record<string, GaugeValue>>;
}

/** The metrics of the last minutes, in memory. */
export interface MetricHistory extends Startable {
  /** Oldest first; empty if the metric is unknown or too new. */
  of(name: string, after?: number): readonly HistoricFigures[];
  /** Takes a sample now. A started history does so at every interval. */
  sample(): void;
}

export interface MetricHistorySettings {
  readonly intervalMs?: number;
  readonly keepMs?: number;
  /** Metrics beyond this number get no history, so memory does not grow with the number of streams. */
  readonly maxMetrics?: number;
}

const DEFAULTS = { intervalMs: 10_000, keepMs: 300_000, maxMetrics: 1000 } as const;

interface Sample {
  readonly time: number;
  readonly figures: ReadonlyMap<string, Readonly<Record<string, GaugeValue>>>;
}

export interface MetricHistoryDeps {
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly timers?: Timers;
}

export function createMetricHistory(
  { metrics, clock, logger, timers }: MetricHistoryDeps,
  options: MetricHistorySettings = {},
): MetricHistory {
  const settings = { ...DEFAULTS, ...options };
  let samples: Sample[] = [];

  function sample(): void {
    const time = clock.now();
    samples = samples.filter((old) => time - old.time < settings.keepMs);
    samples.push({ time, figures: historicFigures(metrics.snapshot(), settings.maxMetrics) });
  }

  // Without jitter: the points of a chart are the same distance apart.
  const sampling = createPeriodicJob(
    { run: sample, logger, ...(timers && { timers }) },
    { name: 'sampling metrics', intervalMs: settings.intervalMs, jitter: 0 },
  );

  return {
    name: 'metric-history',
    async start() {
      sampling.start();
    },
    stop: sampling.stop,
    sample,
    of: (name, after = Number.NEGATIVE_INFINITY) =>
      samples.flatMap(({ time, figures }) => {
        const found = time > after ? figures.get(name) : undefined;
        return found === undefined ? [] : [{ time, figures: found }];
      }),
  };
}

const SNAPSHOT_PARTS = ['gauges', 'counters', 'meters', 'timers', 'histograms'] as const;

/** The names in a history that differ from those in the registry. */
const HISTORIC_NAMES: Readonly<Record<string, string>> = {
  m1_rate: '1-minute-rate',
  m5_rate: '5-minute-rate',
  m15_rate: '15-minute-rate',
  mean_rate: 'mean-rate',
  p50: 'median',
  p75: '75-percentile',
  p95: '95-percentile',
  p98: '98-percentile',
  p99: '99-percentile',
  p999: '999-percentile',
  stddev: 'std_dev',
  units: 'rate-unit',
  rate_units: 'rate-unit',
  duration_units: 'duration-unit',
};

function historicFigures(snapshot: MetricsSnapshot, limit: number): Sample['figures'] {
  const byName = new Map<string, Record<string, GaugeValue>>();
  for (const part of SNAPSHOT_PARTS) {
    for (const [name, figures] of Object.entries(snapshot[part])) {
      if (byName.size >= limit) return byName;
      const renamed: Record<string, GaugeValue> = {};
      for (const key in figures) renamed[HISTORIC_NAMES[key] ?? key] = figures[key] ?? null;
      byName.set(name, renamed);
    }
  }
  return byName;
}
