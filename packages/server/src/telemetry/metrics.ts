import { randomUUID } from 'node:crypto';
import { type Clock, systemClock } from '#core/index.ts';
import {
  type ComponentDescription,
  type ComponentMetrics,
  createComponentMetrics,
} from './component-metrics.ts';
import { Distribution } from './distribution.ts';
import type { Counter, Histogram, Meter, MetricOptions, Timer } from './instruments.ts';
import type { GaugeMerge, GaugeValue, MetricData, MetricReading, MetricType, Series } from './metric-data.ts';
import { type MetricRecord, type MetricsSnapshot, metricRecord, metricsSnapshot } from './metric-shapes.ts';
import { prometheusText, seriesOf } from './prometheus.ts';
import { LastSecond, Rates } from './rates.ts';
import { createWorkerReadings, type MetricsData } from './worker-readings.ts';

/**
 * All metrics of a node, by name (`org.graylog2.throughput.input`).
 *
 * Contract: the same name always gives the same metric; for a gauge, the newest callback wins. A name keeps its type:
 * asking for another type throws. Reading includes what workers reported: counts and rates are added, gauges are merged
 * as their `merge` says.
 */
export interface Metrics {
  counter(name: string, options?: MetricOptions): Counter;
  /** A counter with a gauge `<name>.1-sec-rate`: the count of the last whole second. */
  counterWithRate(name: string, options?: MetricOptions): Counter;
  gauge(
    name: string,
    read: () => GaugeValue,
    options?: MetricOptions & { readonly merge?: GaugeMerge },
  ): void;
  meter(name: string, options?: MetricOptions): Meter;
  /** A meter with the same gauge. */
  meterWithRate(name: string, options?: MetricOptions): Meter;
  histogram(name: string, options?: MetricOptions): Histogram;
  timer(name: string, options?: MetricOptions): Timer;
  component<DropReason extends string, ErrorType extends string, Stage extends string>(
    component: ComponentDescription<DropReason, ErrorType, Stage>,
  ): ComponentMetrics<DropReason, ErrorType, Stage>;
  /** Removes the metric of that name and all below it (`<prefix>.…`). */
  remove(prefix: string): void;

  names(): string[];
  get(name: string): MetricRecord | undefined;
  /** The metrics whose name is `prefix` or below it. */
  byPrefix(prefix: string): MetricRecord[];
  select(isWanted: (name: string) => boolean): MetricRecord[];
  snapshot(): MetricsSnapshot;
  prometheus(): Promise<string>;

  /** This registry's own readings as plain data, for `importData` in another thread. */
  exportData(): MetricsData;
  /** Replaces the readings of a worker with its latest. */
  importData(source: string, data: MetricsData): void;
  /** The worker has ended: its counts stay, its gauges disappear. */
  retireSource(source: string): void;
}

class PlainCounter implements Counter {
  count = 0;

  increment(by = 1): void {
    this.count += by;
  }
}

interface Registered {
  readonly instrument: object;
  readonly type: MetricType;
  readonly help: string;
  readonly series: Series;
  readonly merge: GaugeMerge;
  read(): MetricData;
}

export function createMetrics(deps: { readonly clock?: Clock } = {}): Metrics {
  const clock = deps.clock ?? systemClock;
  const registered = new Map<string, Registered>();
  const workers = createWorkerReadings();
  const registryId = randomUUID();

  function register<T extends object>(
    name: string,
    type: MetricType,
    options: (MetricOptions & { readonly merge?: GaugeMerge }) | undefined,
    create: () => { instrument: T; read: () => MetricData },
  ): T {
    const present = registered.get(name);
    if (present !== undefined && present.type !== type) {
      throw new Error(`The metric ${name} is a ${present.type}, so it cannot also be a ${type}.`);
    }
    // Safe: the types are equal, and each type has one kind of instrument. A gauge has no instrument to share.
    if (present !== undefined && type !== 'gauge') return present.instrument as T;
    const { instrument, read } = create();
    registered.set(name, {
      instrument,
      type,
      read,
      help: options?.help ?? name,
      series: options?.series ?? seriesOf(name),
      merge: options?.merge ?? 'each',
    });
    return instrument;
  }

  function* ownReadings(isWanted: (name: string) => boolean): Generator<MetricReading> {
    for (const [name, { help, series, merge, read }] of registered) {
      if (isWanted(name)) yield { name, help, series, merge, data: read() };
    }
  }

  function sortedReadings(isWanted: (name: string) => boolean = () => true): MetricReading[] {
    const readings = workers.mergedWith(ownReadings(isWanted), isWanted);
    return [...readings.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  const instruments = createInstruments(register, clock);

  const metrics: Metrics = {
    ...instruments,
    component: (component) => createComponentMetrics(metrics, component),
    remove(prefix) {
      for (const name of registered.keys()) {
        if (isBelow(name, prefix)) registered.delete(name);
      }
      workers.remove((name) => isBelow(name, prefix));
    },

    names: () => sortedReadings().map((reading) => reading.name),
    get(name) {
      const [reading] = sortedReadings((candidate) => candidate === name);
      return reading === undefined ? undefined : metricRecord(reading);
    },
    byPrefix: (prefix) => sortedReadings((name) => isBelow(name, prefix)).map(metricRecord),
    select: (isWanted) => sortedReadings(isWanted).map(metricRecord),
    snapshot: () => metricsSnapshot(sortedReadings()),
    prometheus: () => prometheusText(sortedReadings()),

    exportData: () => ({ registry: registryId, readings: [...ownReadings(() => true)] }),
    importData: (source, data) => workers.take(source, data),
    retireSource: (source) => workers.retire(source),
  };
  return metrics;
}

type Register = <T extends object>(
  name: string,
  type: MetricType,
  options: (MetricOptions & { readonly merge?: GaugeMerge }) | undefined,
  create: () => { instrument: T; read: () => MetricData },
) => T;

function createInstruments(register: Register, clock: Clock) {
  const instruments: Pick<
    Metrics,
    'counter' | 'counterWithRate' | 'gauge' | 'meter' | 'meterWithRate' | 'histogram' | 'timer'
  > = {
    counter: (name, options) =>
      register(name, 'counter', options, () => {
        const counter = new PlainCounter();
        return { instrument: counter, read: () => ({ type: 'counter', count: counter.count }) };
      }),
    counterWithRate: (name, options) =>
      register<Counter>(name, 'counter', options, () => {
        const lastSecond = new LastSecond(clock);
        const counter = {
          count: 0,
          increment(by = 1) {
            counter.count += by;
            lastSecond.mark(by);
          },
        };
        instruments.gauge(`${name}.1-sec-rate`, () => lastSecond.read(), { merge: 'sum' });
        return { instrument: counter, read: () => ({ type: 'counter', count: counter.count }) };
      }),
    gauge(name, read, options) {
      register(name, 'gauge', options, () => ({
        instrument: {},
        read: () => ({ type: 'gauge', value: readGauge(read) }),
      }));
    },
    meter: (name, options) =>
      register(name, 'meter', options, () => {
        const rates = new Rates(clock);
        return {
          instrument: { mark: (events = 1) => rates.mark(events) },
          read: () => ({ type: 'meter', rates: rates.data() }),
        };
      }),
    meterWithRate: (name, options) =>
      register<Meter>(name, 'meter', options, () => {
        const rates = new Rates(clock);
        const lastSecond = new LastSecond(clock);
        const meter = {
          mark(events = 1) {
            rates.mark(events);
            lastSecond.mark(events);
          },
        };
        instruments.gauge(`${name}.1-sec-rate`, () => lastSecond.read(), { merge: 'sum' });
        return { instrument: meter, read: () => ({ type: 'meter', rates: rates.data() }) };
      }),
    histogram: (name, options) =>
      register(name, 'histogram', options, () => {
        const distribution = new Distribution(clock);
        return {
          instrument: distribution,
          read: () => ({ type: 'histogram', distribution: distribution.data() }),
        };
      }),
    timer: (name, options) =>
      register(name, 'timer', options, () => {
        const rates = new Rates(clock);
        const distribution = new Distribution(clock);
        return {
          instrument: {
            update(microseconds: number, times = 1) {
              rates.mark(times);
              distribution.update(microseconds, times);
            },
          },
          read: () => ({ type: 'timer', rates: rates.data(), distribution: distribution.data() }),
        };
      }),
  };
  return instruments;
}

function isBelow(name: string, prefix: string): boolean {
  return name === prefix || name.startsWith(prefix.endsWith('.') ? prefix : `${prefix}.`);
}

/** One broken gauge must not break the whole metrics page. */
function readGauge(read: () => GaugeValue): GaugeValue {
  try {
    return read();
  } catch {
    return null;
  }
}
