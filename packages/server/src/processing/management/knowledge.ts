import type { Metadata } from '#metadata/index.ts';
import { grokPatternsOf, type RuleKnowledge } from '../rules/index.ts';

/** What rules may name at the moment. */
export async function readKnowledge({
  repositories,
}: Pick<Metadata, 'repositories'>): Promise<RuleKnowledge> {
  const patterns = await repositories.grokPatterns.list();
  return { grokPatterns: grokPatternsOf(patterns.map(({ name, pattern }) => [name, pattern])) };
}
