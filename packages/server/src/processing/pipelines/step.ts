import type { Clock, FaultCounter, TimeGuard } from '#core/index.ts';
import type { ProcessingSnapshot } from '#streams/index.ts';
import type { Metrics } from '#telemetry/index.ts';
import { namingChanges, type Step, walkGuarded } from '../framework/index.ts';
import { grokPatternsOf, MAX_NAME_LENGTH, type RuleEnvironment, type RuleLookups } from '../rules/index.ts';
import { PipelineInterpreter, type RuleWatch } from './interpreter.ts';
import { compilePrograms, type ProgramRule } from './program.ts';

export interface PipelineStepDeps {
  readonly guard: TimeGuard;
  /** For durations. */
  readonly monotonic: Clock;
  /** For `now()`. */
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly faults: FaultCounter;
  readonly debug: (text: string) => void;
  readonly lookups?: RuleLookups | undefined;
  readonly watch?: RuleWatch | undefined;
  /** The names that rules have counted by, also those of earlier snapshots: their counters stay. */
  readonly counters: Set<string>;
}

/**
 * Runs the pipelines of messages under the time guard, which is armed for many messages at once: a message that takes
 * longer than the limit ends there, with what was done for it so far.
 */
export function createPipelineStep(deps: PipelineStepDeps, snapshot: ProcessingSnapshot): Step {
  const programs = compilePrograms(snapshot.pipelines, deps.debug);
  // Without pipelines a batch costs this one call.
  if (programs.isEmpty) return namingChanges(function pipelines() {});
  const errors = deps.metrics.counter('millrace.processing.rule_errors', {
    help: 'Rules of pipelines that failed on a message, or took too long for it',
  });
  const environment = environmentOf(deps, snapshot);
  const timeoutMs = snapshot.streamTimeoutMs;
  let interpreter: PipelineInterpreter | undefined;

  return namingChanges(function pipelines(batch) {
    const [first] = batch.messages;
    if (first === undefined) return;
    interpreter ??= new PipelineInterpreter(
      {
        programs,
        environment,
        failed: () => errors.increment(),
        watch: deps.watch,
      },
      batch,
      first,
    );
    const current = interpreter;
    current.disabled = disabledOf(programs.rules, deps.faults);
    walkGuarded(deps, {
      // Messages that rules make are appended while this walks, and processed as well.
      count: () => batch.messages.length,
      timeoutMs,
      work: (index) => current.run(batch, index),
      interrupted(index) {
        const rule = current.interrupted(batch, index, timeoutMs);
        if (rule === undefined) return;
        deps.faults.record(rule.id);
        current.disabled = disabledOf(programs.rules, deps.faults);
      },
    });
  });
}

/** Asked for once in a batch, and after each fault: nearly always there are none. */
function disabledOf(rules: readonly ProgramRule[], faults: FaultCounter): ReadonlySet<string> {
  return new Set(rules.map(({ id }) => id).filter((id) => faults.isExceeded(id)));
}

function environmentOf(
  { clock, debug, metrics, lookups, counters }: PipelineStepDeps,
  snapshot: ProcessingSnapshot,
): RuleEnvironment {
  const { grokPatterns, streamNames, inputNames } = snapshot.pipelines;
  const streams = byName(streamNames);
  const inputs = byName(inputNames.map(([id, name]) => [id, name.toLowerCase()] as const));
  return {
    defaultStreamId: snapshot.defaultStream.id,
    streamsNamed: (name) => streams.get(name) ?? [],
    inputsNamed: (name) => inputs.get(name.toLowerCase()) ?? [],
    now: () => clock.now(),
    grokPatterns: grokPatternsOf(grokPatterns),
    debug,
    lookups,
    count(name, by) {
      // Names may be made of messages: their number and their length must have an end.
      if (name.length > MAX_NAME_LENGTH)
        throw new Error(`the name of a counter has at most ${MAX_NAME_LENGTH} characters`);
      if (!counters.has(name) && counters.size >= MAX_COUNTERS)
        throw new Error(
          `there are ${MAX_COUNTERS} counters already; they stay until the node is started again`,
        );
      counters.add(name);
      metrics.counter(`org.graylog.rulemetrics.${name}`).increment(by);
    },
  };
}

const MAX_COUNTERS = 1000;

function byName(
  pairs: readonly (readonly [id: string, name: string])[],
): ReadonlyMap<string, readonly string[]> {
  const ids = new Map<string, string[]>();
  for (const [id, name] of pairs) ids.set(name, [...(ids.get(name) ?? []), id]);
  return ids;
}
