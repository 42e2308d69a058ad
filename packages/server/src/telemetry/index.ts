export type {
  ComponentDescription,
  ComponentIdentity,
  ComponentKind,
  ComponentMetrics,
} from './component-metrics.ts';
export { COMPONENT_KINDS, componentPrefix } from './component-metrics.ts';
export type { Counter, Histogram, Meter, MetricOptions, Timer } from './instruments.ts';
export type { LogLevel, LogLevels } from './log-levels.ts';
export { createLogLevels, LOG_LEVELS, ROOT_LOGGER } from './log-levels.ts';
export { inOrderOfLogMeters, registerLogMeters } from './log-meters.ts';
export type { Logger, LoggerOptions } from './logger.ts';
export { createLogger } from './logger.ts';
export type { GaugeMerge, GaugeValue, MetricType, Series } from './metric-data.ts';
export type { HistoricFigures, MetricHistory, MetricHistorySettings } from './metric-history.ts';
export { createMetricHistory } from './metric-history.ts';
export type { MetricRecord, MetricShape, MetricsSnapshot } from './metric-shapes.ts';
export type { Metrics } from './metrics.ts';
export { createMetrics } from './metrics.ts';
export { registerProcessMetrics } from './process-metrics.ts';
export type { RecentLogLine, RecentLogLines, RecentLogLinesSettings } from './recent-log-lines.ts';
export { createRecentLogLines } from './recent-log-lines.ts';
export type { MetricsData } from './worker-readings.ts';
