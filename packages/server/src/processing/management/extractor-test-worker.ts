/** The thread for texts that an extractor may take long to read: see `extractor-tools.ts`. */
import { parentPort } from 'node:worker_threads';
import { createTimeGuard } from '#core/index.ts';
import type { ExtractorTest } from './extractor-tests.ts';
import { runTest } from './extractor-tests.ts';

const guard = createTimeGuard();

parentPort?.on('message', (test: ExtractorTest) => {
  let result: ReturnType<typeof runTest> | undefined;
  const isDone = guard.run(() => {
    result = runTest(test);
  }, test.timeoutMs);
  parentPort?.postMessage(isDone ? result : undefined);
});
