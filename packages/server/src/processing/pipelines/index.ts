export { createPipelineStep, type PipelineStepDeps } from './step.ts';
