export type { PatternFinder } from './pattern-finder.ts';
export { createPatternFinder } from './pattern-finder.ts';
export type { CountedValue, PatternVariable, TemplatePart } from './pattern-summary.ts';
export { isVariable, summarisePattern, templateText } from './pattern-summary.ts';
