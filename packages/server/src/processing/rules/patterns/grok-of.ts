import { isList, textOf } from '@millrace/rules';
import type { PipelineContext } from '../context.ts';
import { type RuleKnowledge, STOCK_KNOWLEDGE } from '../knowledge.ts';
import { type CompiledGrok, createGrokCache } from './grok.ts';
import { PatternError } from './java-regex.ts';

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

/** For `checkConstants` of functions with a grok pattern. */
export function grokProblems(
  constants: ReadonlyMap<string, unknown>,
  parameter: string,
  { grokPatterns }: RuleKnowledge = STOCK_KNOWLEDGE,
) {
  const pattern = constants.get(parameter);
  return typeof pattern === 'string' ? problemsOf(pattern, parameter, grokPatterns) : [];
}

/** The same for a list of patterns. */
export function grokListProblems(
  constants: ReadonlyMap<string, unknown>,
  parameter: string,
  { grokPatterns }: RuleKnowledge = STOCK_KNOWLEDGE,
) {
  const patterns = constants.get(parameter);
  if (!isList(patterns)) return [];
  return patterns.flatMap((pattern) => problemsOf(textOf(pattern), parameter, grokPatterns));
}

function problemsOf(pattern: string, parameter: string, grokPatterns: ReadonlyMap<string, string>) {
  try {
    compiled(grokPatterns, pattern);
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
