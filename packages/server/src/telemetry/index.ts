export type {
  ComponentDescription,
  ComponentIdentity,
  ComponentKind,
  ComponentMetrics,
} from './component-metrics.ts';
export { COMPONENT_KINDS, componentPrefix } from './component-metrics.ts';
export type { Counter, Histogram, Meter, MetricOptions, Timer } from './instruments.ts';
export type { Logger, LoggerOptions, LogLevel } from './logger.ts';
export { createLogger, LOG_LEVELS } from './logger.ts';
export type { GaugeMerge, GaugeValue, MetricType, Series } from './metric-data.ts';
export type { MetricRecord, MetricShape, MetricsSnapshot } from './metric-shapes.ts';
export type { Metrics } from './metrics.ts';
export { createMetrics } from './metrics.ts';
export { registerProcessMetrics } from './process-metrics.ts';
export type { MetricsData } from './worker-readings.ts';
