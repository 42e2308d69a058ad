import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { createTurns } from './turns.ts';

/** A thread that answers questions. Close it afterwards. */
export interface TaskThread<Question, Answer> {
  ask(question: Question): Promise<Answer>;
  close(): void;
}

/** Threads for work that may take long, so that the API does not wait. */
export interface TaskThreads<Job, Question, Answer> {
  /** Rejects with `UnavailableError` when too many are waiting for a thread. */
  open(job: Job): Promise<TaskThread<Question, Answer>>;
}

/**
 * @param file what a thread runs; it gets the job as `workerData`, and answers each message with one
 * @param tooMany what people are told when too many are waiting
 */
export function createTaskThreads<Job, Question, Answer>(
  file: URL,
  tooMany: string,
): TaskThreads<Job, Question, Answer> {
  const turns = createTurns({ max: 2, maxWaiting: 10, refusal: tooMany });
  return {
    async open(job) {
      await turns.take();
      const worker = new Worker(file, { workerData: job });
      let isClosed = false;
      return {
        async ask(question) {
          const answered = once(worker, 'message');
          worker.postMessage(question);
          const [answer] = (await answered) as [Answer];
          return answer;
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
