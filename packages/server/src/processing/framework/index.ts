export type { StepRunner, StepRunnerDeps } from './run-steps.ts';
export { createStepRunner } from './run-steps.ts';
export type { ProcessingBatch, Step } from './step.ts';
