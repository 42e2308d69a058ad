import type { PipelineContext } from '../context.ts';
import { type CompiledGrok, createGrokCache } from './grok.ts';
import { PatternError } from './java-regex.ts';
import { STOCK_GROK_PATTERNS } from './stock-patterns.ts';

const caches = new WeakMap<ReadonlyMap<string, string>, (pattern: string) => CompiledGrok>();

/** The compiled pattern. Throws `PatternError`. */
export function grokOf({ environment }: PipelineContext, pattern: string): CompiledGrok {
  return compiled(environment.grokPatterns, pattern);
}

function compiled(grokPatterns: ReadonlyMap<string, string>, pattern: string): CompiledGrok {
  let cache = caches.get(grokPatterns);
  if (cache === undefined) {
    cache = createGrokCache(grokPatterns);
    caches.set(grokPatterns, cache);
  }
  return cache(pattern);
}

/** For `checkConstants` of functions with a grok pattern. There are no others than the stock patterns yet. */
export function grokProblems(constants: ReadonlyMap<string, unknown>, parameter: string) {
  const pattern = constants.get(parameter);
  if (typeof pattern !== 'string') return [];
  try {
    compiled(STOCK_GROK_PATTERNS, pattern);
    return [];
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    return [
      {
        parameter,
        message: `The grok pattern is not valid: ${error.message}.`,
        hint: 'For example: %{IP:client} %{WORD:method} %{NUMBER:code:int}',
      },
    ];
  }
}
