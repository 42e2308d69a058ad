/** The thread for grok patterns that may take long: see `grok-threads.ts`. */
import { parentPort, workerData } from 'node:worker_threads';
import { createTimeGuard, errorMessage, type FieldValue } from '#core/index.ts';
import { type CompiledGrok, createGrokCache, fieldValueOf } from '../rules/index.ts';
import type { GrokAnswer, GrokJob, GrokTask } from './grok-threads.ts';

const { patterns, tasks, limitMs } = workerData as GrokJob;
const guard = createTimeGuard();
const grokOf = createGrokCache(new Map(patterns));

function answer({ pattern, text }: GrokTask): GrokAnswer {
  try {
    const compiled = grokOf(pattern);
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
    const stored = fieldValueOf(value);
    if (stored !== undefined) fields.set(name, stored);
  }
  return fields;
}

parentPort?.postMessage(tasks.map(answer));
