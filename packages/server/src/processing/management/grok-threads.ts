import { askOnce, createTaskThreads, type FieldValue } from '#core/index.ts';
import type { GrokChange, GrokProblem } from './grok-check.ts';

/** A text to look at with a pattern. */
export interface GrokMatching {
  readonly patterns: ReadonlyMap<string, string>;
  readonly pattern: string;
  readonly text: string;
  readonly limitMs: number;
}

/** Fields that were found, `null` if the pattern was not, `slow` if it took too long, or what is wrong with it. */
export type GrokMatched =
  | { readonly fields: ReadonlyMap<string, FieldValue> | null }
  | { readonly slow: true }
  | { readonly error: string };

/** What a thread is asked. */
export type GrokQuestion =
  | { readonly kind: 'match'; readonly matching: GrokMatching }
  | { readonly kind: 'check'; readonly change: GrokChange };

/**
 * Compiles patterns and looks at texts in threads of their own, so that what takes long delays nobody. Everything rejects
 * with `UnavailableError` when too many are waiting for a thread.
 */
export interface GrokThreads {
  match(matching: GrokMatching): Promise<GrokMatched>;
  /** What is wrong with patterns as they would be after a change; undefined: nothing. */
  check(change: GrokChange): Promise<GrokProblem | undefined>;
}

const GROK_WORKER = new URL('./grok-worker.ts', import.meta.url);

export function createGrokThreads(): GrokThreads {
  const threads = createTaskThreads<undefined, GrokQuestion, GrokMatched | GrokProblem | undefined>(
    GROK_WORKER,
    'Too many tests of grok patterns are waiting; try again.',
  );
  return {
    match: (matching) => askOnce(threads, { kind: 'match', matching }) as Promise<GrokMatched>,
    check: (change) => askOnce(threads, { kind: 'check', change }) as Promise<GrokProblem | undefined>,
  };
}
