import type { Metadata } from '#metadata/index.ts';
import type { RuleKnowledge } from '../rules/index.ts';

/** What rules may name at the moment. */
export async function readKnowledge({
  repositories,
}: Pick<Metadata, 'repositories'>): Promise<RuleKnowledge> {
  const patterns = await repositories.grokPatterns.list();
  return { grokPatterns: new Map(patterns.map(({ name, pattern }) => [name, pattern])) };
}
