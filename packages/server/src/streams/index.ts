/** What the workers use of this folder; the main thread uses `service.ts`. */

export type { ExtractorFault, SnapshotConverter, SnapshotExtractor } from './extractor-snapshot.ts';
export type { StreamFault } from './matcher/faults.ts';
export { createStreamFaultCounter } from './matcher/faults.ts';
export type { ReadField, StreamMatch, StreamMatcher } from './matcher/match-one.ts';
export { createStreamMatcher } from './matcher/match-one.ts';
export type { PlanSettings, RoutingPlan } from './matcher/plan.ts';
export { compilePlan } from './matcher/plan.ts';
export type { RouterDeps, RouterSettings, StreamRouter } from './matcher/router.ts';
export { createStreamRouter } from './matcher/router.ts';
export type { BuiltInStreams, RoutingTargets } from './matcher/routing-targets.ts';
export { createRoutingTargets } from './matcher/routing-targets.ts';
export type { PipelineSettings, RuleFault, SnapshotPipeline, SnapshotRule } from './pipeline-snapshot.ts';
export { NO_PIPELINES } from './pipeline-snapshot.ts';
export type { PluginRuleTest, PluginRuleType } from './rules/plugin-types.ts';
export { PLUGIN_RULE_NUMBERS, pluginRuleTypes, registerRuleType } from './rules/plugin-types.ts';
export { requireValidRule, requireValidRules } from './rules/predicate.ts';
export { safeTextLength } from './rules/regex-cost.ts';
export type {
  MatchingType,
  RoutableStream,
  StreamDefinition,
  StreamRule,
} from './rules/rule.ts';
export { RULE_TYPE, ruleTypeOf, ruleTypes } from './rules/rule.ts';
export type { RuleTypeDescription } from './rules/rule-type.ts';
export type { MessageProcessorOrder, ProcessingSnapshot, RunningStream, SnapshotInput } from './snapshot.ts';
export { DEFAULT_PROCESSOR_ORDER, PIPELINES_PROCESSOR, STREAM_RULES_PROCESSOR } from './snapshot.ts';
