export type { BatchContext, NewMessage, StreamTargets } from './batch.ts';
export { MAX_MESSAGES_PER_RECORD, ProcessingBatch } from './batch.ts';
export type { GuardedWalk, GuardedWalkDeps } from './guarded-walk.ts';
export { walkGuarded } from './guarded-walk.ts';
export { MAX_ERROR_LENGTH, noteProcessingError, PROCESSING_ERROR_FIELD } from './processing-error.ts';
export type { StepRunner, StepRunnerDeps } from './run-steps.ts';
export { createStepRunner } from './run-steps.ts';
export { namingChanges, type Step } from './step.ts';
export { inConfiguredOrder, type StepOrder } from './step-order.ts';
