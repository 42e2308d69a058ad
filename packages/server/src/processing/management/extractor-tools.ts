import { askOnce, createTaskThreads, InvalidError } from '#core/index.ts';
import { type ExtractorTest, isQuick, runTest, type TestResult } from './extractor-tests.ts';

/** Tries extractors on texts, before somebody creates them. */
export interface ExtractorTools {
  /** Rejects with `InvalidError` when it takes longer than a message may take. */
  test(test: Pick<ExtractorTest, 'type' | 'config' | 'text' | 'regex'>): Promise<TestResult>;
}

export interface ExtractorToolsDeps {
  /** All that there are, by name. */
  readonly grokPatterns: () => ReadonlyMap<string, string>;
}

const WORKER = new URL('./extractor-test-worker.ts', import.meta.url);

export function createExtractorTools(
  { grokPatterns }: ExtractorToolsDeps,
  { timeoutMs }: { readonly timeoutMs: number },
): ExtractorTools {
  const threads = createTaskThreads<undefined, ExtractorTest, TestResult | undefined>(
    WORKER,
    'Too many tests of slow extractors are waiting; try again.',
  );

  async function runInThread(test: ExtractorTest): Promise<TestResult> {
    const result = await askOnce(threads, test);
    if (result !== undefined) return result;
    throw new InvalidError(
      `It took longer than the ${timeoutMs} ms that an extractor may take for a message. ` +
        'Change the pattern: repetitions inside of repetitions, such as (a+)+, are slow on texts that nearly match.',
    );
  }

  return {
    async test(wanted) {
      const test: ExtractorTest = { ...wanted, grokPatterns: grokPatterns(), timeoutMs };
      return isQuick(test) ? runTest(test) : runInThread(test);
    },
  };
}
