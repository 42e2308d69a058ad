import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { createTurns, type FieldValue } from '#core/index.ts';
import type { StreamDefinition } from '../index.ts';

/** What a thread is started with. */
export interface MatchJob {
  readonly stream: Pick<StreamDefinition, 'matchingType' | 'rules'>;
  /** For all rules of the stream on one message. */
  readonly timeoutMs: number;
}

/** Undefined: it took too long. */
export interface ThreadMatch {
  readonly matches: boolean | undefined;
  readonly rules: readonly (boolean | undefined)[];
}

/** A thread that matches messages against one stream. Close it afterwards. */
export interface MatchThread {
  match(fields: ReadonlyMap<string, FieldValue>): Promise<ThreadMatch>;
  close(): void;
}

/** Threads for rules that may take long, so that the API does not wait. */
export interface MatchThreads {
  /** Rejects with `UnavailableError` when too many are waiting for a thread. */
  open(job: MatchJob): Promise<MatchThread>;
}

const MATCH_WORKER = new URL('./match-worker.ts', import.meta.url);

export function createMatchThreads(): MatchThreads {
  const turns = createTurns({
    max: 2,
    maxWaiting: 10,
    refusal: 'Too many tests of slow rules are waiting; try again.',
  });

  return {
    async open(job) {
      await turns.take();
      const worker = new Worker(MATCH_WORKER, { workerData: job });
      let isClosed = false;
      return {
        async match(fields) {
          const answer = once(worker, 'message');
          worker.postMessage(fields);
          const [match] = (await answer) as [ThreadMatch];
          return match;
        },
        close() {
          if (isClosed) return;
          isClosed = true;
          void worker.terminate().finally(turns.end);
        },
      };
    },
  };
}
