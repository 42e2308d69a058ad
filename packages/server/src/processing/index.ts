/** Decodes, changes and routes the messages of a journal partition, in the worker that owns it. */
export type { NewMessage, ProcessingBatch, Step } from './framework/index.ts';
export type {
  MessageProcessor,
  Processor,
  ProcessorDeps,
  ProcessorSettings,
} from './processor.ts';
export { createProcessor } from './processor.ts';
export type { RuleLookups } from './rules/index.ts';
export type {
  SimulatedMessage,
  Simulation,
  SimulationAnswer,
  SimulationSettings,
} from './simulation/index.ts';
export { createSimulation } from './simulation/index.ts';
export type { FailedFrame } from './steps/index.ts';
export { failureMessage } from './steps/index.ts';
