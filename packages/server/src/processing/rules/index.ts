/** The functions of the rule language, and what they work with. Runs in the workers; nothing here waits. */
export type { PipelineContext, RuleBatch, RuleEnvironment } from './context.ts';
export { MessageValue } from './context.ts';
export type { FunctionDefinition, Parameter, Params, PipelineFunction } from './define.ts';
export { defineFunction, nullable, optional, required } from './define.ts';
export { FUNCTIONS, registerFunction } from './functions/index.ts';
export { functionsKnowing } from './functions-knowing.ts';
export { type RuleKnowledge, STOCK_KNOWLEDGE } from './knowledge.ts';
export { fieldNames, fieldValueOf, type ReadField, readerOf } from './message-fields.ts';
export { type CompiledGrok, compileGrok, createGrokCache } from './patterns/grok.ts';
export { PatternError } from './patterns/java-regex.ts';
export { grokPatternsOf, STOCK_GROK_PATTERNS } from './patterns/stock-patterns.ts';
