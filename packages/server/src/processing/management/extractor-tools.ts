import { askOnce, createTaskThreads, createTimeGuard, InvalidError } from '#core/index.ts';
import { type ExtractorTest, isQuick, runTest, type TestResult } from './extractor-tests.ts';
import { type ExtractorTrial, isQuickTrial, runTrial, type TrialResult } from './extractor-trial.ts';

/** Tries extractors on texts, before somebody creates them. */
export interface ExtractorTools {
  /** Rejects with `InvalidError` when it takes longer than a message may take. */
  test(test: Pick<ExtractorTest, 'type' | 'config' | 'text' | 'regex'>): Promise<TestResult>;
  /** All that an extractor does to a message. Nothing is stored. */
  try(trial: Pick<ExtractorTrial, 'extractor' | 'message'>): Promise<TrialResult>;
}

export interface ExtractorToolsDeps {
  /** All that there are, by name. */
  readonly grokPatterns: () => ReadonlyMap<string, string>;
}

/** What the thread is asked. */
export type ExtractorQuestion =
  | { readonly kind: 'test'; readonly test: ExtractorTest }
  | (ExtractorTrial & { readonly kind: 'trial' });

/** Undefined: the test took too long. */
export type ExtractorAnswer = TestResult | TrialResult | undefined;

const WORKER = new URL('./extractor-test-worker.ts', import.meta.url);

export function createExtractorTools(
  { grokPatterns }: ExtractorToolsDeps,
  { timeoutMs }: { readonly timeoutMs: number },
): ExtractorTools {
  const threads = createTaskThreads<undefined, ExtractorQuestion, ExtractorAnswer>(
    WORKER,
    'Too many tests of slow extractors are waiting; try again.',
  );

  const guard = createTimeGuard();

  async function runInThread(test: ExtractorTest): Promise<TestResult> {
    const result = (await askOnce(threads, { kind: 'test', test })) as TestResult | undefined;
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
    async try(wanted) {
      const trial = { ...wanted, grokPatterns: grokPatterns(), timeoutMs };
      if (isQuickTrial(trial)) return runTrial(guard, trial);
      return (await askOnce(threads, { kind: 'trial', ...trial })) as TrialResult;
    },
  };
}
