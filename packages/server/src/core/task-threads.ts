import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { createTurns } from './turns.ts';

/** A thread that answers questions. Close it afterwards. */
export interface TaskThread<Question, Answer> {
  /** Rejects when the thread ends without an answer. */
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

  function start(job: Job): Worker {
    try {
      return new Worker(file, { workerData: job });
    } catch (error) {
      turns.end();
      throw error;
    }
  }

  return {
    async open(job) {
      await turns.take();
      const worker = start(job);
      const ended = new Promise<never>((_, reject) => {
        worker.once('error', reject);
        worker.once('exit', () => reject(new Error('the thread has ended without an answer')));
      });
      // Who asks is told. It may end before anybody has asked, and it ends when it is closed.
      ended.catch(() => undefined);
      let isClosed = false;
      return {
        async ask(question) {
          const waiting = new AbortController();
          try {
            const answered = once(worker, 'message', { signal: waiting.signal });
            worker.postMessage(question);
            const [answer] = (await Promise.race([answered, ended])) as [Answer];
            return answer;
          } finally {
            waiting.abort();
          }
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

/** Asks one question in a thread of its own. */
export async function askOnce<Question, Answer>(
  threads: TaskThreads<undefined, Question, Answer>,
  question: Question,
): Promise<Answer> {
  const thread = await threads.open(undefined);
  try {
    return await thread.ask(question);
  } finally {
    thread.close();
  }
}
