export type { FoundPattern, PatternFinder } from './pattern-finder.ts';
export { createPatternFinder } from './pattern-finder.ts';
export type { PatternSearch } from './pattern-search.ts';
export { createPatternSearch } from './pattern-search.ts';
export type { CountedValue, PatternVariable, TemplatePart } from './pattern-summary.ts';
export { isVariable, summarisePattern, templateText } from './pattern-summary.ts';
