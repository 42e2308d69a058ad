export { type InterpreterBatch, PROCESSING_ERROR_FIELD, type RuleWatch } from './interpreter.ts';
export type { ProgramRule, ProgramStage } from './program.ts';
export { createPipelineStep, type PipelineStepDeps } from './step.ts';
