/**
 * What is wrong with grok patterns: by themselves, and for those who use them. Patterns take long to compile, and longer to
 * try: this runs in a thread of its own.
 */
import { errorMessage, InvalidConfiguration } from '#core/index.ts';
import { compileExtractor, type ExtractorDefinition } from '../extractors/index.ts';
import { type GuardedWalkDeps, walkGuarded } from '../framework/index.ts';
import { type CompiledGrok, compileGrok, grokNamesIn } from '../rules/index.ts';

export type PatternMap = ReadonlyMap<string, string>;

/** Patterns before and after a change that is wanted. */
export interface GrokChange {
  readonly before: PatternMap;
  readonly after: PatternMap;
  /** The names that are new or have another pattern. */
  readonly edited: readonly string[];
  readonly users: PatternUsers;
}

/** Who uses patterns. */
export interface PatternUsers {
  /** With the patterns that are written in them. */
  readonly rules: readonly { readonly title: string; readonly patterns: readonly string[] }[];
  readonly extractors: readonly ExtractorDefinition[];
}

export interface GrokProblem {
  readonly message: string;
  /** What it is about. */
  readonly path?: string;
}

/** For one text; usual patterns take microseconds. */
const SLOW_MS = 1000;
/** For everything. */
const BUDGET_MS = 10_000;
/** Texts on which repetitions inside of repetitions show: each nearly matches, many times. */
const PROBES = ['a', '1', ' ', 'a.', '1:', '/a', 'a ', '"', "\\'", '=a', 'aA1_-'].map(
  (part) => `${part.repeat(40)}\u0000`,
);

class OutOfTime extends Error {}

/** The first thing that is wrong; undefined: nothing. */
export function checkChange(deps: GuardedWalkDeps, change: GrokChange): GrokProblem | undefined {
  const deadline = deps.monotonic.now() + BUDGET_MS;
  const leftMs = () => {
    const left = deadline - deps.monotonic.now();
    if (left <= 0) throw new OutOfTime();
    return left;
  };
  try {
    return problemOfEdited({ ...deps, leftMs }, change) ?? problemOfUsers({ ...deps, leftMs }, change);
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error;
    return {
      message: `The patterns take longer than ${BUDGET_MS / 1000} s to check. Import fewer of them at a time, or write them shorter.`,
    };
  }
}

interface CheckDeps extends GuardedWalkDeps {
  /** Throws `OutOfTime` when there is no time left. */
  readonly leftMs: () => number;
}

/** Whether each is valid among the others, and quick on texts that are made to be slow. */
function problemOfEdited(deps: CheckDeps, { edited, after }: GrokChange): GrokProblem | undefined {
  const parts = PROBES.length + 1;
  let compiled: CompiledGrok | undefined;
  let problem: GrokProblem | undefined;
  const work = (index: number) => {
    const name = edited[Math.floor(index / parts)] ?? '';
    const probe = PROBES[(index % parts) - 1];
    deps.leftMs();
    try {
      if (probe === undefined) compiled = compileGrok(`%{${name}}`, after);
      else compiled?.match(probe, false);
    } catch (error) {
      const message = `The grok pattern ${name} is not valid: ${errorMessage(error)}.`;
      problem = { message, path: 'pattern' };
    }
  };
  walkGuarded(deps, {
    count: () => (problem === undefined ? edited.length * parts : 0),
    timeoutMs: SLOW_MS,
    work,
    interrupted(index) {
      const probe = PROBES[(index % parts) - 1];
      // The machine may have been busy with something else: ask once more.
      const limitMs = Math.min(deps.leftMs(), probe === undefined ? BUDGET_MS : SLOW_MS);
      if (deps.guard.run(() => work(index), limitMs)) return;
      deps.leftMs();
      problem = slowProblem(edited[Math.floor(index / parts)] ?? '', probe ?? '');
    },
  });
  return problem;
}

function slowProblem(name: string, text: string): GrokProblem {
  const start = JSON.stringify(text.slice(0, 12));
  return {
    message: `The grok pattern ${name} takes longer than ${SLOW_MS} ms for ${text.length} characters that start with ${start}. A repetition inside of a repetition does that, such as (a+)+: write it without one of them, or as an atomic group (?>…).`,
    path: 'pattern',
  };
}

/** Who worked before and would not after. */
function problemOfUsers(deps: CheckDeps, change: GrokChange): GrokProblem | undefined {
  const { before, after, edited, users } = change;
  const changed = changedNames(before, after);
  const concerns = (pattern: string) => grokNamesIn(pattern).some((name) => changed.has(name));
  const own = new Set(edited);
  const questions = [
    ...[...after.keys()]
      .filter((name) => changed.has(name) && !own.has(name))
      .map((name) => ({
        label: `the grok pattern ${name}`,
        works: (known: PatternMap) => isValid(`%{${name}}`, known),
      })),
    ...users.rules
      .filter(({ patterns }) => patterns.some(concerns))
      .map(({ title, patterns }) => ({
        label: `the rule "${title}"`,
        works: (known: PatternMap) => patterns.every((pattern) => isValid(pattern, known)),
      })),
    ...users.extractors
      .filter(({ configuration }) => concerns(String(configuration.grok_pattern)))
      .map((extractor) => ({
        label: `the extractor "${extractor.title}"`,
        works: (known: PatternMap) =>
          !(compileExtractor(extractor, { grokPatterns: known }) instanceof InvalidConfiguration),
      })),
  ];
  const broken: string[] = [];
  const isDone = deps.guard.run(() => {
    for (const { label, works } of questions) {
      if (!works(after) && works(before)) broken.push(label);
    }
  }, deps.leftMs());
  if (!isDone) throw new OutOfTime();
  if (broken.length === 0) return undefined;
  const shown = broken.slice(0, 5).join(', ');
  const more = broken.length > 5 ? ` and ${broken.length - 5} more` : '';
  return { message: `It is used by ${shown}${more}, which would stop working. Change them first.` };
}

/** Names that are new, gone or have another pattern, and all that refer to them, directly or through others. */
function changedNames(before: PatternMap, after: PatternMap): ReadonlySet<string> {
  const users = new Map<string, Set<string>>();
  for (const [name, pattern] of [...before, ...after]) {
    for (const used of grokNamesIn(pattern)) users.getOrInsertComputed(used, () => new Set()).add(name);
  }
  const changed = new Set<string>();
  const open = [...before.keys(), ...after.keys()].filter((name) => before.get(name) !== after.get(name));
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (changed.has(name)) continue;
    changed.add(name);
    open.push(...(users.get(name) ?? []));
  }
  return changed;
}

function isValid(pattern: string, patterns: PatternMap): boolean {
  try {
    compileGrok(pattern, patterns);
    return true;
  } catch {
    return false;
  }
}
