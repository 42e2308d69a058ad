/** The thread for texts that an extractor may take long to read: see `extractor-tools.ts`. */
import { parentPort } from 'node:worker_threads';
import { createTimeGuard } from '#core/index.ts';
import { type ExtractorTest, prepareTest, type TestResult } from './extractor-tests.ts';

const guard = createTimeGuard();

parentPort?.on('message', (test: ExtractorTest) => {
  const run = prepareTest(test);
  let result: TestResult | undefined;
  const isDone = guard.run(() => {
    result = run();
  }, test.timeoutMs);
  parentPort?.postMessage(isDone ? result : undefined);
});
