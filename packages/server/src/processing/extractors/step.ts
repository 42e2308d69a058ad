import {
  type Clock,
  type FaultCounter,
  fieldReader,
  InvalidConfiguration,
  type Message,
  type TimeGuard,
} from '#core/index.ts';
import type { ProcessingSnapshot, SnapshotExtractor } from '#streams/index.ts';
import type { Metrics } from '#telemetry/index.ts';
import type { Step } from '../framework/index.ts';
import { grokPatternsOf } from '../rules/index.ts';
import { type CompiledExtractor, compileExtractor } from './compile.ts';
import { extractorMeters, extractorMetricsPrefix } from './metrics.ts';
import { type RunDeps, type RunnableExtractor, runExtractor } from './run-extractor.ts';

export interface ExtractorStepDeps {
  readonly guard: TimeGuard;
  /** For durations. */
  readonly monotonic: Clock;
  readonly metrics: Metrics;
}

/** Makes the steps of one worker, one for each snapshot. What has not changed since the last one is kept. */
export interface ExtractorSteps {
  create(snapshot: ProcessingSnapshot, faults: FaultCounter): Step;
}

export function createExtractorSteps({ guard, monotonic, metrics }: ExtractorStepDeps): ExtractorSteps {
  let known: ReadonlyMap<string, RunnableExtractor> = new Map();
  let knownPatterns = '';

  function compileAll({ extractors, pipelines, streamTimeoutMs }: ProcessingSnapshot) {
    const patterns = JSON.stringify([pipelines.grokPatterns, streamTimeoutMs]);
    const before = patterns === knownPatterns ? known : new Map<string, RunnableExtractor>();
    const grokPatterns = grokPatternsOf(pipelines.grokPatterns);
    const compiled = new Map<string, RunnableExtractor>();
    const byInput = new Map<string, RunnableExtractor[]>();
    for (const extractor of extractors) {
      const key = JSON.stringify(extractor);
      const runnable =
        before.get(key) ??
        runnableOf(extractor, compileExtractor(extractor, { grokPatterns }), streamTimeoutMs);
      if (runnable === undefined) continue;
      compiled.set(key, runnable);
      byInput.getOrInsertComputed(extractor.inputId, () => []).push(runnable);
    }
    forgetMetrics(new Set(extractors.map(extractorMetricsPrefix)));
    known = compiled;
    knownPatterns = patterns;
    return byInput;
  }

  /** Undefined for what a newer version has stored and this one does not understand. */
  function runnableOf(
    extractor: SnapshotExtractor,
    compiled: CompiledExtractor | InvalidConfiguration,
    timeoutMs: number,
  ): RunnableExtractor | undefined {
    if (compiled instanceof InvalidConfiguration) return undefined;
    const { condition, extraction } = compiled;
    const prefix = extractorMetricsPrefix(extractor);
    measured.add(prefix);
    return {
      id: extractor.id,
      compiled,
      meters: extractorMeters(metrics, prefix),
      read: fieldReader(compiled.sourceField),
      // A message has the whole limit for both.
      safeConditionLength: condition?.safeLength(timeoutMs / 2) ?? Number.POSITIVE_INFINITY,
      safeLength: extraction.safeLength(timeoutMs / 2),
    };
  }

  const measured = new Set<string>();
  function forgetMetrics(wanted: ReadonlySet<string>): void {
    for (const prefix of measured) {
      if (wanted.has(prefix)) continue;
      measured.delete(prefix);
      metrics.remove(prefix);
    }
  }

  return {
    create(snapshot, faults) {
      const byInput = compileAll(snapshot);
      // Without extractors a batch costs this one call.
      if (byInput.size === 0) return function extractors() {};
      const deps: RunDeps = { guard, monotonic, faults, timeoutMs: snapshot.streamTimeoutMs };
      return function extractors({ messages }) {
        for (const [inputId, received] of messagesByInput(messages, byInput)) {
          for (const extractor of byInput.get(inputId) ?? []) runExtractor(deps, extractor, received);
        }
      };
    },
  };
}

/** The messages of inputs that have extractors. */
function messagesByInput(
  messages: readonly Message[],
  inputs: ReadonlyMap<string, unknown>,
): ReadonlyMap<string, Message[]> {
  const byInput = new Map<string, Message[]>();
  for (const message of messages) {
    const { inputId } = message.origin;
    if (inputs.has(inputId)) byInput.getOrInsertComputed(inputId, () => []).push(message);
  }
  return byInput;
}
