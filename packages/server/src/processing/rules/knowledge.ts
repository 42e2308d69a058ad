/** What a check of rules knows of the names in constant arguments. */
import { STOCK_GROK_PATTERNS } from './patterns/stock-patterns.ts';

export interface RuleKnowledge {
  readonly grokPatterns: ReadonlyMap<string, string>;
}

/** Of a database that nobody has changed. */
export const STOCK_KNOWLEDGE: RuleKnowledge = { grokPatterns: STOCK_GROK_PATTERNS };
