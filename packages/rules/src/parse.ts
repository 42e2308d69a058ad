import type { Pipeline, Rule } from './ast.ts';
import { parser } from './grammar/parser.ts';
import { MAX_DEPTH, MAX_NESTING, MAX_SOURCE_LENGTH } from './limits.ts';
import { createProblems, type Problems, type RuleProblem } from './problems.ts';
import { createReader } from './read.ts';
import { reportSyntaxErrors } from './syntax-errors.ts';
import { type Part, partsOf } from './tree.ts';

export interface ParsedFile {
  /** Empty when there are problems. */
  readonly rules: readonly Rule[];
  readonly pipelines: readonly Pipeline[];
  readonly problems: readonly RuleProblem[];
}

export interface ParsedRule {
  /** Undefined when there are problems. */
  readonly rule: Rule | undefined;
  readonly problems: readonly RuleProblem[];
}

export interface ParsedPipeline {
  /** Undefined when there are problems. */
  readonly pipeline: Pipeline | undefined;
  readonly problems: readonly RuleProblem[];
}

/** Parses any number of rules and pipelines. Never throws; the time is linear in the length of the text. */
export function parseFile(text: string): ParsedFile {
  const problems = createProblems(text);
  const file = readFile(text, problems);
  return problems.isEmpty
    ? { ...file, problems: [] }
    : { rules: [], pipelines: [], problems: problems.list() };
}

/** Parses a text that is one rule. */
export function parseRule(text: string): ParsedRule {
  const problems = createProblems(text);
  const { rules, pipelines } = readFile(text, problems);
  const [rule, another] = rules;
  if (problems.isEmpty) {
    if (rule === undefined) {
      problems.add('syntax_error', { from: 0, to: text.length }, 'The text is not a rule.', {
        hint: 'A rule: rule "name" when condition then statements end',
      });
    }
    expectNothingElse(another ?? pipelines[0], problems, 'rule');
  }
  return problems.isEmpty ? { rule, problems: [] } : { rule: undefined, problems: problems.list() };
}

/** Parses a text that is one pipeline. */
export function parsePipeline(text: string): ParsedPipeline {
  const problems = createProblems(text);
  const { rules, pipelines } = readFile(text, problems);
  const [pipeline, another] = pipelines;
  if (problems.isEmpty) {
    if (pipeline === undefined) {
      problems.add('syntax_error', { from: 0, to: text.length }, 'The text is not a pipeline.', {
        hint: 'A pipeline: pipeline "name" stage 0 match either rule "name" end',
      });
    }
    expectNothingElse(another ?? rules[0], problems, 'pipeline');
  }
  return problems.isEmpty ? { pipeline, problems: [] } : { pipeline: undefined, problems: problems.list() };
}

function expectNothingElse(extra: Rule | Pipeline | undefined, problems: Problems, what: string): void {
  if (extra === undefined || !problems.isEmpty) return;
  problems.add('syntax_error', extra, `The text is more than one ${what}.`, {
    hint: 'Save every rule and every pipeline by itself.',
  });
}

function readFile(text: string, problems: Problems): { rules: Rule[]; pipelines: Pipeline[] } {
  const nothing = { rules: [], pipelines: [] };
  if (text.length > MAX_SOURCE_LENGTH) {
    const at = { from: MAX_SOURCE_LENGTH, to: text.length };
    problems.add(
      'syntax_error',
      at,
      `The text has ${text.length} characters; at most ${MAX_SOURCE_LENGTH} are allowed.`,
      {
        hint: 'Make several rules of it.',
      },
    );
    return nothing;
  }
  const { root, nesting, depth } = partsOf(parser.parse(text));
  reportSyntaxErrors(root, text, problems);
  if (!problems.isEmpty) return nothing;
  if (nesting > MAX_NESTING) {
    problems.add(
      'syntax_error',
      root,
      `Expressions are nested ${nesting} levels deep; at most ${MAX_NESTING} are allowed.`,
      {
        hint: 'Give a part of it a name: let part = …;',
      },
    );
    return nothing;
  }
  if (depth > MAX_DEPTH) {
    problems.add(
      'syntax_error',
      root,
      `Sums have too many parts, in a row and inside of each other: about ${MAX_DEPTH} are allowed.`,
      {
        hint: 'Give a part of it a name: let part = …;',
      },
    );
    return nothing;
  }
  const reader = createReader(text, problems);
  const named = (name: string) => root.children.filter((part: Part) => part.name === name);
  const rules = named('Rule').map((part) => reader.rule(part));
  const pipelines = named('Pipeline').map((part) => reader.pipeline(part));
  return problems.isEmpty ? { rules, pipelines } : nothing;
}
