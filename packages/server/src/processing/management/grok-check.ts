/** What is wrong with grok patterns: by themselves, and for those who use them. */
import { errorMessage, InvalidConfiguration, InvalidError } from '#core/index.ts';
import { compileExtractor, type ExtractorDefinition } from '../extractors/index.ts';
import { compileGrok } from '../rules/index.ts';
import type { RunGrok } from './grok-threads.ts';
import { ruleErrors } from './sources.ts';

export type PatternMap = ReadonlyMap<string, string>;

/** For one text; usual patterns take microseconds. */
const SLOW_MS = 1000;
/** Texts on which repetitions inside of repetitions show: each nearly matches, many times. */
const PROBES = ['a', '1', ' ', 'a.', '1:', '/a', 'a ', '"', "\\'", '=a', 'aA1_-'].map(
  (part) => `${part.repeat(40)}\u0000`,
);

/** Throws `InvalidError` for the first of these names whose pattern is not valid among the others. */
export function requireValid(names: Iterable<string>, patterns: PatternMap): void {
  for (const name of names) {
    try {
      compileGrok(`%{${name}}`, patterns);
    } catch (error) {
      throw new InvalidError(`The grok pattern ${name} is not valid: ${errorMessage(error)}.`, {
        path: 'pattern',
      });
    }
  }
}

/** Throws `InvalidError` for a pattern that takes very long for a short text. */
export async function requireFast(
  run: RunGrok,
  names: readonly string[],
  patterns: PatternMap,
): Promise<void> {
  const tasks = names.flatMap((name) => PROBES.map((text) => ({ pattern: `%{${name}}`, text, name })));
  const answers = await run({ patterns: [...patterns], tasks, limitMs: SLOW_MS });
  const slow = tasks.find((_, index) => 'slow' in (answers[index] ?? {}));
  if (slow === undefined) return;
  const text = JSON.stringify(slow.text.slice(0, 12));
  throw new InvalidError(
    `The grok pattern ${slow.name} takes longer than ${SLOW_MS} ms for ${slow.text.length} characters that start with ${text}. A repetition inside of a repetition does that, such as (a+)+: write it without one of them, or as an atomic group (?>…).`,
    { path: 'pattern' },
  );
}

/** Who uses patterns. */
export interface PatternUsers {
  readonly rules: readonly { readonly title: string; readonly source: string }[];
  readonly extractors: readonly ExtractorDefinition[];
}

/** Throws `InvalidError` when patterns, rules or extractors worked before and would not after. */
export function requireUnbroken(
  before: PatternMap,
  after: PatternMap,
  { rules, extractors }: PatternUsers,
): void {
  const patterns = [...after.keys()].filter(
    (name) => before.has(name) && isValid(name, before) && !isValid(name, after),
  );
  const broken = rules.filter(
    ({ source }) =>
      ruleErrors(source, { grokPatterns: before }) === null &&
      ruleErrors(source, { grokPatterns: after }) !== null,
  );
  const stopped = extractors.filter((each) => works(each, before) && !works(each, after));
  const users = [
    ...patterns.map((name) => `the grok pattern ${name}`),
    ...broken.map(({ title }) => `the rule "${title}"`),
    ...stopped.map(({ title }) => `the extractor "${title}"`),
  ];
  if (users.length === 0) return;
  const shown = users.slice(0, 5).join(', ');
  const more = users.length > 5 ? ` and ${users.length - 5} more` : '';
  throw new InvalidError(`It is used by ${shown}${more}, which would stop working. Change them first.`);
}

function works(extractor: ExtractorDefinition, grokPatterns: PatternMap): boolean {
  return !(compileExtractor(extractor, { grokPatterns }) instanceof InvalidConfiguration);
}

function isValid(name: string, patterns: PatternMap): boolean {
  try {
    compileGrok(`%{${name}}`, patterns);
    return true;
  } catch {
    return false;
  }
}
