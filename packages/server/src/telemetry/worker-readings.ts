import { addMetricData, type MetricReading, retiredMetricData } from './metric-data.ts';

/** All readings of one registry, as plain data. A restarted worker has a new `registry` id. */
export interface MetricsData {
  readonly registry: string;
  readonly readings: readonly MetricReading[];
}

/** The latest readings of the workers, and the totals of workers that have ended. */
export interface WorkerReadings {
  /** Replaces the previous readings of this source. If the source has restarted, its earlier totals are kept. */
  take(source: string, data: MetricsData): void;
  /** The source has ended: its totals stay, its gauges and rates go. */
  retire(source: string): void;
  /** Removes the retired totals of metrics that no longer exist. */
  remove(isRemoved: (name: string) => boolean): void;
  /** `own` merged with the wanted readings of all sources. */
  mergedWith(own: Iterable<MetricReading>, isWanted: (name: string) => boolean): Map<string, MetricReading>;
}

export function createWorkerReadings(): WorkerReadings {
  const sources = new Map<string, MetricsData>();
  const retired = new Map<string, MetricReading>();

  function retire(source: string): void {
    const last = sources.get(source);
    if (last === undefined) return;
    sources.delete(source);
    for (const reading of last.readings) {
      const data = retiredMetricData(reading.data);
      if (data !== undefined) mergeInto(retired, { ...reading, data });
    }
  }

  return {
    take(source, data) {
      const last = sources.get(source);
      if (last !== undefined && last.registry !== data.registry) retire(source);
      sources.set(source, data);
    },
    retire,
    remove(isRemoved) {
      for (const name of retired.keys()) {
        if (isRemoved(name)) retired.delete(name);
      }
    },
    mergedWith(own, isWanted) {
      const merged = new Map<string, MetricReading>();
      for (const reading of own) merged.set(reading.name, reading);
      for (const reading of retired.values()) {
        if (isWanted(reading.name)) mergeInto(merged, reading);
      }
      for (const [source, { readings }] of sources) {
        for (const reading of readings) {
          const labelled = labelledBySource(source, reading);
          if (isWanted(labelled.name)) mergeInto(merged, labelled);
        }
      }
      return merged;
    },
  };
}

function mergeInto(readings: Map<string, MetricReading>, reading: MetricReading): void {
  const present = readings.get(reading.name);
  readings.set(
    reading.name,
    present === undefined
      ? reading
      : { ...present, data: addMetricData(present.data, reading.data, reading.merge) },
  );
}

/** A gauge that cannot be merged is shown once per worker. */
function labelledBySource(source: string, reading: MetricReading): MetricReading {
  if (reading.data.type !== 'gauge' || reading.merge !== 'each') return reading;
  return {
    ...reading,
    name: `${reading.name}.${source}`,
    series: { name: reading.series.name, labels: { ...reading.series.labels, worker: source } },
  };
}
