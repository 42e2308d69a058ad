export type { InterpreterBatch, RuleWatch } from './interpreter.ts';
export type { ProgramRule, ProgramStage } from './program.ts';
export { createPipelineStep, type PipelineStepDeps } from './step.ts';
