/** The functions of the rule language, and what they work with. Runs in the workers; nothing here waits. */
export type { PipelineContext, RuleBatch, RuleEnvironment } from './context.ts';
export { MessageValue } from './context.ts';
export type { FunctionDefinition, Parameter, Params, PipelineFunction } from './define.ts';
export { defineFunction, nullable, optional, required } from './define.ts';
export { FUNCTIONS, registerFunction } from './functions/index.ts';
export { fieldNames, type ReadField, readerOf } from './message-fields.ts';
export { compileGrok } from './patterns/grok.ts';
export { PatternError } from './patterns/java-regex.ts';
export { STOCK_GROK_PATTERNS } from './patterns/stock-patterns.ts';
