import {
  type Clock,
  errorMessage,
  type FaultCounter,
  InvalidConfiguration,
  type Message,
  type TimeGuard,
} from '#core/index.ts';
import type { ProcessingSnapshot, SnapshotExtractor } from '#streams/index.ts';
import type { Metrics } from '#telemetry/index.ts';
import { namingChanges, type Step } from '../framework/index.ts';
import { grokPatternsOf, type RuleLookups } from '../rules/index.ts';
import { type CompiledExtractor, compileExtractor } from './compile.ts';
import type { ExtractorContext } from './extractor-type.ts';
import { extractorMeters, extractorMetricsPrefix } from './metrics.ts';
import { type RunDeps, type RunnableExtractor, runExtractor, runnableOf } from './run-extractor.ts';

export interface ExtractorStepDeps {
  readonly guard: TimeGuard;
  /** For durations. */
  readonly monotonic: Clock;
  readonly metrics: Metrics;
  /** Without it there are no lookup tables. */
  readonly lookups?: RuleLookups | undefined;
  /** Is told of extractors that are left out. */
  readonly debug?: ((text: string) => void) | undefined;
}

/** Makes the steps of one worker, one for each snapshot. What has not changed since the last one is kept. */
export interface ExtractorSteps {
  create(snapshot: ProcessingSnapshot, faults: FaultCounter): Step;
}

export function createExtractorSteps({
  guard,
  monotonic,
  metrics,
  lookups,
  debug = () => {},
}: ExtractorStepDeps): ExtractorSteps {
  let known: ReadonlyMap<string, RunnableExtractor> = new Map();
  let knownPatterns = '';

  function compileAll({ extractors, pipelines, streamTimeoutMs }: ProcessingSnapshot) {
    const patterns = JSON.stringify([pipelines.grokPatterns, streamTimeoutMs]);
    const before = patterns === knownPatterns ? known : new Map<string, RunnableExtractor>();
    const context = { grokPatterns: grokPatternsOf(pipelines.grokPatterns), lookups };
    const compiled = new Map<string, RunnableExtractor>();
    const byInput = new Map<string, RunnableExtractor[]>();
    for (const extractor of extractors) {
      const key = JSON.stringify(extractor);
      const runnable =
        before.get(key) ?? measuredOf(extractor, compiledOf(extractor, context), streamTimeoutMs);
      if (typeof runnable === 'string') {
        debug(`the extractor "${extractor.title}" (${extractor.id}) is left out: ${runnable}`);
        continue;
      }
      compiled.set(key, runnable);
      byInput.getOrInsertComputed(extractor.inputId, () => []).push(runnable);
    }
    forgetMetrics(new Set(extractors.map(extractorMetricsPrefix)));
    known = compiled;
    knownPatterns = patterns;
    return byInput;
  }

  /**
   * A text says why it cannot run. It could when it was saved, and changes of grok patterns that break extractors are
   * refused: a newer version has stored it, or two people have changed things at the same moment.
   */
  function measuredOf(
    extractor: SnapshotExtractor,
    compiled: CompiledExtractor | string,
    timeoutMs: number,
  ): RunnableExtractor | string {
    if (typeof compiled === 'string') return compiled;
    const prefix = extractorMetricsPrefix(extractor);
    measured.add(prefix);
    return runnableOf(extractor.id, compiled, extractorMeters(metrics, prefix), timeoutMs);
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
      if (byInput.size === 0) return namingChanges(function extractors() {});
      const deps: RunDeps = { guard, monotonic, faults, timeoutMs: snapshot.streamTimeoutMs };
      return namingChanges(function extractors({ messages }) {
        for (const [inputId, received] of messagesByInput(messages, byInput)) {
          for (const message of received) message.gelfFrame = -1;
          for (const extractor of byInput.get(inputId) ?? []) runExtractor(deps, extractor, received);
        }
      });
    },
  };
}

/** A text says what is wrong with it. Nothing is thrown: the worker would end, and again with the same snapshot. */
function compiledOf(extractor: SnapshotExtractor, context: ExtractorContext): CompiledExtractor | string {
  try {
    const compiled = compileExtractor(extractor, context);
    return compiled instanceof InvalidConfiguration ? compiled.text : compiled;
  } catch (error) {
    return errorMessage(error);
  }
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
