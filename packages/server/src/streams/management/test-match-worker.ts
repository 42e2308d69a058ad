/** The thread of one test match whose rules may take long: see `test-match.ts`. */
import { parentPort, workerData } from 'node:worker_threads';
import type { TestMatchResponse } from '@millrace/contract';
import { createSingleStreamMatcher, createTimeGuard } from '../index.ts';
import type { TestMatchJob } from './test-match.ts';

const { stream, fields, timeoutMs } = workerData as TestMatchJob;
const matcher = createSingleStreamMatcher(stream, (field) => fields.get(field));
let answer: TestMatchResponse | undefined;
const isDone = createTimeGuard().run(() => {
  answer = matcher.match();
}, timeoutMs);
const noRule = Object.fromEntries(stream.rules.map(({ id }) => [id, false]));
const timedOut: TestMatchResponse = { matches: false, rules: noRule, timed_out: true };
parentPort?.postMessage(isDone && answer !== undefined ? answer : timedOut);
