import { errorMessage, type FieldValue, InvalidConfiguration, type RawConfiguration } from '#core/index.ts';
import { type CompiledExtractor, compileExtractor, type ExtractorDefinition } from '../extractors/index.ts';
import { storedValueOf } from '../rules/index.ts';

/** An extractor and a text to try it on. */
export interface ExtractorTest {
  readonly type: string;
  readonly config: RawConfiguration;
  readonly text: string;
  /** For types with a regular expression: the expression, to tell whether it is found at all. */
  readonly regex?: string | undefined;
  readonly grokPatterns: ReadonlyMap<string, string>;
  readonly timeoutMs: number;
}

export interface TestedPiece {
  readonly field: string | undefined;
  readonly value: FieldValue;
  readonly begin: number;
  readonly end: number;
}

/** What the extractor would do. */
export type TestResult =
  | { readonly kind: 'invalid'; readonly problems: InvalidConfiguration['problems'] }
  /** The text does not have the form that the type reads. */
  | { readonly kind: 'unreadable'; readonly reason: string | undefined }
  | { readonly kind: 'read'; readonly isFound: boolean; readonly pieces: readonly TestedPiece[] };

/** Longer expressions take long to compile, and grok patterns may stand for long ones. */
const QUICK_PATTERN_LENGTH = 200;
const QUICK_TEXT_LENGTH = 100_000;

/** Whether the test can run at once: it needs neither a time guard nor a thread of its own. */
export function isQuick(test: ExtractorTest): boolean {
  if (!hasQuickPatterns(test.type, [test.regex, ...Object.values(test.config)])) return false;
  return isQuickOn(compiledOf(test), test.text, test.timeoutMs);
}

/** Whether what is configured takes no time to compile. */
export function hasQuickPatterns(type: string, configured: readonly unknown[]): boolean {
  return (
    type !== 'grok' &&
    configured.every((each) => typeof each !== 'string' || each.length <= QUICK_PATTERN_LENGTH)
  );
}

/** Whether the text takes a small part of the time that a message has, whatever it contains. */
export function isQuickOn(
  compiled: CompiledExtractor | InvalidConfiguration,
  text: string,
  timeoutMs: number,
): boolean {
  if (text.length > QUICK_TEXT_LENGTH) return false;
  if (compiled instanceof InvalidConfiguration) return true;
  const { condition, extraction } = compiled;
  const limitMs = timeoutMs / 100;
  return (
    text.length <= (condition?.safeLength(limitMs) ?? Number.POSITIVE_INFINITY) &&
    text.length <= extraction.safeLength(limitMs)
  );
}

export function runTest(test: ExtractorTest): TestResult {
  return prepareTest(test)();
}

/** Compiles everything now, so that what is left to do takes only as long as the text makes it. */
export function prepareTest(test: ExtractorTest): () => TestResult {
  const compiled = compiledOf(test);
  if (compiled instanceof InvalidConfiguration) {
    return () => ({ kind: 'invalid', problems: compiled.problems });
  }
  // Expressions are compiled when they are used for the first time.
  readText(compiled, '');
  return () => readText(compiled, test.text);
}

function readText({ extraction, condition }: CompiledExtractor, text: string): TestResult {
  try {
    const found = extraction.extract(text);
    if (found === undefined) return { kind: 'unreadable', reason: undefined };
    const pieces = found.flatMap(({ field, value, begin, end }): TestedPiece[] => {
      const stored = storedValueOf(value);
      return stored === undefined ? [] : [{ field, value: stored, begin, end }];
    });
    return { kind: 'read', isFound: condition?.holds(text) ?? pieces.length > 0, pieces };
  } catch (error) {
    return { kind: 'unreadable', reason: errorMessage(error) };
  }
}

function compiledOf({ type, config, regex, grokPatterns }: ExtractorTest) {
  const definition: ExtractorDefinition = {
    title: 'test',
    type,
    cursorStrategy: 'copy',
    sourceField: 'message',
    targetField: 'test',
    configuration: config,
    converters: [],
    conditionType: regex === undefined ? 'none' : 'regex',
    conditionValue: regex ?? '',
  };
  return compileExtractor(definition, { grokPatterns }) satisfies CompiledExtractor | InvalidConfiguration;
}
