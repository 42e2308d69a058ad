import { createTaskThreads, type FieldValue, type TaskThread, type TaskThreads } from '#core/index.ts';
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

type Fields = ReadonlyMap<string, FieldValue>;

/** A thread that matches messages against one stream. Close it afterwards. */
export type MatchThread = TaskThread<Fields, ThreadMatch>;

/** Threads for rules that may take long, so that the API does not wait. */
export type MatchThreads = TaskThreads<MatchJob, Fields, ThreadMatch>;

const MATCH_WORKER = new URL('./match-worker.ts', import.meta.url);

export function createMatchThreads(): MatchThreads {
  return createTaskThreads(MATCH_WORKER, 'Too many tests of slow rules are waiting; try again.');
}
