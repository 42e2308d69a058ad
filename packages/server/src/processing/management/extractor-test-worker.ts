/** The thread for what an extractor may take long to read: see `extractor-tools.ts`. */
import { parentPort } from 'node:worker_threads';
import { createTimeGuard } from '#core/index.ts';
import { type ExtractorTest, prepareTest, type TestResult } from './extractor-tests.ts';
import type { ExtractorAnswer, ExtractorQuestion } from './extractor-tools.ts';
import { runTrial } from './extractor-trial.ts';

const guard = createTimeGuard();

parentPort?.on('message', (question: ExtractorQuestion) => {
  const answer: ExtractorAnswer =
    question.kind === 'trial' ? runTrial(guard, question) : readWithin(question.test);
  parentPort?.postMessage(answer);
});

/** Undefined: it took too long. */
function readWithin(test: ExtractorTest): TestResult | undefined {
  const run = prepareTest(test);
  let result: TestResult | undefined;
  const isDone = guard.run(() => {
    result = run();
  }, test.timeoutMs);
  return isDone ? result : undefined;
}
