/** What the workers use of this folder; the main thread uses `service.ts`. */
export type { Processor, ProcessorConfig, ProcessorDeps } from './processor.ts';
export { createProcessor } from './processor.ts';
export type { FailedFrame } from './steps/index.ts';
export { failureMessage } from './steps/index.ts';
