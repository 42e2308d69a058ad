import type { PipelineContext } from '../context.ts';
import { type CompiledGrok, createGrokCache } from './grok.ts';

const caches = new WeakMap<ReadonlyMap<string, string>, (pattern: string) => CompiledGrok>();

/** The compiled pattern. Throws `PatternError`. */
export function grokOf({ environment }: PipelineContext, pattern: string): CompiledGrok {
  const { grokPatterns } = environment;
  let cache = caches.get(grokPatterns);
  if (cache === undefined) {
    cache = createGrokCache(grokPatterns);
    caches.set(grokPatterns, cache);
  }
  return cache(pattern);
}
