/** The thread for grok patterns that may take long: see `grok-threads.ts`. */
import { parentPort } from 'node:worker_threads';
import { createTimeGuard, errorMessage, type FieldValue, monotonicClock } from '#core/index.ts';
import { type CompiledGrok, compileGrok, storedValueOf } from '../rules/index.ts';
import { checkChange } from './grok-check.ts';
import type { GrokMatched, GrokMatching, GrokQuestion } from './grok-threads.ts';

const guard = createTimeGuard();

function match({ patterns, pattern, text, limitMs }: GrokMatching): GrokMatched {
  try {
    const compiled = compileGrok(pattern, patterns);
    let found: ReturnType<CompiledGrok['match']>;
    const work = () => {
      found = compiled.match(text, false);
    };
    if (!guard.run(work, limitMs)) return { slow: true };
    return { fields: found === undefined ? null : shown(found) };
  } catch (error) {
    return { error: errorMessage(error) };
  }
}

function shown(found: NonNullable<ReturnType<CompiledGrok['match']>>): ReadonlyMap<string, FieldValue> {
  const fields = new Map<string, FieldValue>();
  for (const [name, value] of found) {
    const stored = storedValueOf(value);
    if (stored !== undefined) fields.set(name, stored);
  }
  return fields;
}

parentPort?.on('message', (question: GrokQuestion) => {
  const answer =
    question.kind === 'match'
      ? match(question.matching)
      : checkChange({ guard, monotonic: monotonicClock }, question.change);
  parentPort?.postMessage(answer);
});
