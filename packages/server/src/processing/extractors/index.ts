/** Extractors of inputs: they read texts of messages into fields. Runs in the workers; nothing here waits. */
export type { CompiledExtractor, ExtractorDefinition } from './compile.ts';
export { compileExtractor, WITHOUT_TARGET } from './compile.ts';
export { CONVERTERS } from './converters/registry.ts';
export type { Extracted, ExtractorContext } from './extractor-type.ts';
export { extractorMetricsPrefix } from './metrics.ts';
export type { ExtractorStepDeps, ExtractorSteps } from './step.ts';
export { createExtractorSteps } from './step.ts';
export { tryExtractor } from './try-extractor.ts';
export { EXTRACTOR_TYPES } from './types/registry.ts';
