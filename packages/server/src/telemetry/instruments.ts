import type { Series } from './metric-data.ts';

export interface Counter {
  /** Adds `by` (default 1). A plain addition, cheap enough for any path. */
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
  /** `times`: how many events took that long; 1 if it is left out. For events that are measured together. */
  update(microseconds: number, times?: number): void;
}

export interface MetricOptions {
  /** One sentence for the Prometheus page. */
  readonly help?: string;
  /** Its name in Prometheus. Default: derived from the metric's name. */
  readonly series?: Series;
}
