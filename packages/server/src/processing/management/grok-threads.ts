import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { createTurns, type FieldValue } from '#core/index.ts';

/** A text to look at with a pattern. */
export interface GrokTask {
  readonly pattern: string;
  readonly text: string;
}

/** What a thread is started with. */
export interface GrokJob {
  readonly patterns: readonly (readonly [name: string, pattern: string])[];
  readonly tasks: readonly GrokTask[];
  /** For each task. */
  readonly limitMs: number;
}

/** Fields that were found, `null` if the pattern was not, `slow` if it took too long, or what is wrong with it. */
export type GrokAnswer =
  | { readonly fields: ReadonlyMap<string, FieldValue> | null }
  | { readonly slow: true }
  | { readonly error: string };

/** Looks at texts in a thread of its own, so that a pattern that takes long hurts nobody. */
export type RunGrok = (job: GrokJob) => Promise<readonly GrokAnswer[]>;

const GROK_WORKER = new URL('./grok-worker.ts', import.meta.url);

/** The function rejects with `UnavailableError` when too many are waiting for a thread. */
export function createGrokThreads(): RunGrok {
  const turns = createTurns({
    max: 2,
    maxWaiting: 10,
    refusal: 'Too many tests of grok patterns are waiting; try again.',
  });
  return async (job) => {
    await turns.take();
    const worker = new Worker(GROK_WORKER, { workerData: job });
    try {
      const [answers] = (await once(worker, 'message')) as [readonly GrokAnswer[]];
      return answers;
    } finally {
      void worker.terminate().finally(turns.end);
    }
  };
}
