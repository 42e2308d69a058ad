import type { Series } from './metric-data.ts';

export interface Counter {
  /** Adds to the count, 1 unless told otherwise. A plain addition: cheap enough for any path. */
  increment(by?: number): void;
  readonly count: number;
}

export interface Meter {
  mark(events?: number): void;
}

export interface Histogram {
  update(value: number): void;
}

export interface Timer {
  update(microseconds: number): void;
}

export interface MetricOptions {
  /** One sentence for the reader of the Prometheus page. */
  readonly help?: string;
  /** Its name there; derived from the metric's name unless told otherwise. */
  readonly series?: Series;
}
