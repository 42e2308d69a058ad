/** Sources of rules and pipelines: what they are, and what is wrong with them. */
import type { PipelineProblem } from '@millrace/contract';
import { checkRule, type Pipeline, parsePipeline, parseRule, type RuleProblem } from '@millrace/rules';
import { FUNCTIONS, functionsKnowing, type PipelineFunction, type RuleKnowledge } from '../rules/index.ts';

/** A source cannot be saved. */
export class PipelineSourceError extends Error {
  override readonly name = 'PipelineSourceError';
  readonly problems: readonly PipelineProblem[];

  constructor(problems: readonly RuleProblem[]) {
    const [first] = problems;
    super(first === undefined ? 'the source has problems' : `line ${first.line}: ${first.message}`);
    this.problems = problems.map(problemView);
  }
}

/** The name of the rule. Throws `PipelineSourceError`. */
export function requireRule(source: string, known: RuleKnowledge): string {
  const { rule, problems } = parseRule(source);
  if (rule === undefined) throw new PipelineSourceError(problems);
  const checked = checkRule(rule, source, functionsKnowing(FUNCTIONS, known));
  if (checked.rule === undefined) throw new PipelineSourceError(checked.problems);
  return rule.name;
}

/** The grok patterns that are written in a rule; none for a rule with other errors, which does not run. */
export function grokPatternsIn(source: string): readonly string[] {
  const { rule } = source.includes('grok') ? parseRule(source) : { rule: undefined };
  if (rule === undefined) return [];
  const patterns: string[] = [];
  const collecting = (name: string, parameter: string): [string, PipelineFunction][] => {
    const known = FUNCTIONS.get(name);
    const checkConstants = (constants: ReadonlyMap<string, unknown>) => {
      const written = [constants.get(parameter)].flat();
      patterns.push(...written.filter((pattern) => typeof pattern === 'string'));
      return [];
    };
    return known === undefined ? [] : [[name, { ...known, checkConstants }]];
  };
  const functions = new Map([
    ...FUNCTIONS,
    ...collecting('grok', 'pattern'),
    ...collecting('multi_grok', 'patterns'),
  ]);
  const checked = checkRule(rule, source, functions);
  return checked.rule === undefined ? [] : patterns;
}

/** Throws `PipelineSourceError`. */
export function requirePipeline(source: string): Pipeline {
  const { pipeline, problems } = parsePipeline(source);
  if (pipeline === undefined) throw new PipelineSourceError(problems);
  return pipeline;
}

/** `errors` is null when there are none. */
export function readPipeline(source: string) {
  const { pipeline, problems } = parsePipeline(source);
  return { pipeline, errors: pipeline === undefined ? problems.map(problemView) : null };
}

/** Null: there are none. */
export function ruleErrors(source: string, known: RuleKnowledge): PipelineProblem[] | null {
  try {
    requireRule(source, known);
    return null;
  } catch (error) {
    if (error instanceof PipelineSourceError) return [...error.problems];
    throw error;
  }
}

function problemView({ type, line, column, message, hint, fix }: RuleProblem): PipelineProblem {
  return { type, line, position_in_line: column, reason: message, hint: hint ?? null, fix: fix ?? null };
}
