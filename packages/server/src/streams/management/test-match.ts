import { Worker } from 'node:worker_threads';
import type { TestMatchResponse } from '@millrace/contract';
import { type FieldValue, UnavailableError } from '#core/index.ts';
import { createSingleStreamMatcher, type StreamDefinition } from '../index.ts';

/** What the thread of a slow test match is given. */
export interface TestMatchJob {
  readonly stream: Pick<StreamDefinition, 'matchingType' | 'rules'>;
  readonly fields: ReadonlyMap<string, FieldValue>;
  readonly timeoutMs: number;
}

/** Tries the rules of a stream on a made-up message. */
export interface TestMatcher {
  match(
    stream: TestMatchJob['stream'],
    message: Readonly<Record<string, unknown>>,
  ): Promise<TestMatchResponse>;
}

/** Matches that may take longer than this run in a thread of their own, so that the API does not wait. */
const QUICK_MS = 10;
const MAX_WAITING = 10;
const TEST_MATCH_WORKER = new URL('./test-match-worker.ts', import.meta.url);

export function createTestMatcher(settings: { readonly timeoutMs: number }): TestMatcher {
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();

  async function inTurn(job: TestMatchJob): Promise<TestMatchResponse> {
    if (waiting >= MAX_WAITING) throw new UnavailableError('Too many test matches are waiting; try again.');
    waiting += 1;
    try {
      const run = last.then(() => matchInThread(job));
      last = run.catch(() => {});
      return await run;
    } finally {
      waiting -= 1;
    }
  }

  return {
    async match(stream, message) {
      const fields = readFields(message);
      const matcher = createSingleStreamMatcher(stream, (field) => fields.get(field));
      if (matcher.isQuick(QUICK_MS)) return matcher.match();
      return inTurn({ stream, fields, timeoutMs: settings.timeoutMs });
    },
  };
}

function matchInThread(job: TestMatchJob): Promise<TestMatchResponse> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(TEST_MATCH_WORKER, { workerData: job });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the thread of a test match ended without an answer')));
  });
}

/** As the decoder does: null is not a value, objects and arrays become their JSON text. */
function readFields(message: Readonly<Record<string, unknown>>): Map<string, FieldValue> {
  const fields = new Map<string, FieldValue>();
  for (const [name, value] of Object.entries(message)) {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
      fields.set(name, value);
    } else if (value !== null && value !== undefined) fields.set(name, JSON.stringify(value));
  }
  return fields;
}
