import type { Counter, Metrics, Timer } from '#telemetry/index.ts';
import { EXTRACTOR_TYPES } from './types/registry.ts';

/** What an extractor has done, under Graylog's names. */
export interface ExtractorMeters {
  readonly conditionHits: Counter;
  readonly conditionMisses: Counter;
  readonly exceptions: Counter;
  readonly converterExceptions: Counter;
  readonly conditionTime: Timer;
  readonly executionTime: Timer;
  readonly converterTime: Timer;
  readonly completeTime: Timer;
}

/** The metrics of an extractor start with this. */
export function extractorMetricsPrefix({ type, id }: { readonly type: string; readonly id: string }): string {
  const wireType = EXTRACTOR_TYPES.find(type)?.wireType ?? 'org.graylog2.inputs.extractors.Extractor';
  return `${wireType}.${type}.${id}`;
}

export function extractorMeters(metrics: Metrics, prefix: string): ExtractorMeters {
  const counter = (name: string) => metrics.counter(`${prefix}.${name}`);
  const timer = (name: string) => metrics.timer(`${prefix}.${name}`);
  return {
    conditionHits: counter('conditionHits'),
    conditionMisses: counter('conditionMisses'),
    exceptions: counter('exceptions'),
    converterExceptions: counter('converterExceptions'),
    conditionTime: timer('conditionTime'),
    executionTime: timer('executionTime'),
    converterTime: timer('converterExecutionTime'),
    completeTime: timer('completeExecutionTime'),
  };
}
