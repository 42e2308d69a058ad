/** What is wrong with the source of a rule or a pipeline, as the editor shows it. */
import type { PipelineFunctionView, PipelineProblem } from '@millrace/contract';
import {
  checkRule,
  type Edit,
  type FunctionSignature,
  parsePipeline,
  parseRule,
  type RuleType,
} from '@millrace/rules';
import { ApiError } from '../api/index.ts';

export interface SourceProblem {
  /** UTF-16 units of the source. */
  readonly from: number;
  readonly to: number;
  /** Both count from 1. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly fix?: Edit | undefined;
}

export type Signatures = ReadonlyMap<string, FunctionSignature>;

/** What the checker has to know of the functions that the server lists. */
export function signaturesOf(functions: readonly PipelineFunctionView[]): Signatures {
  return new Map(
    functions.map(({ name, description, params, return_type, pure }) => [
      name,
      {
        name,
        description,
        returns: return_type as RuleType,
        isPure: pure,
        params: params.map((each) => ({
          name: each.name,
          type: each.type as RuleType,
          isOptional: each.optional,
          takesNull: each.optional,
          description: each.description,
        })),
      },
    ]),
  );
}

/** What can be said without asking the server. Before the functions are known, only what is not a rule at all. */
export function ruleProblems(source: string, functions: Signatures | undefined): readonly SourceProblem[] {
  const { rule, problems } = parseRule(source);
  if (rule === undefined || functions === undefined) return problems;
  return checkRule(rule, source, functions).problems;
}

export function pipelineProblems(source: string): readonly SourceProblem[] {
  return parsePipeline(source).problems;
}

/** What the server said about a source; nothing when it said something else. */
export function problemsInAnswer(error: unknown, source: string): readonly SourceProblem[] {
  if (!(error instanceof ApiError) || !Array.isArray(error.body)) return [];
  return (error.body as PipelineProblem[]).map((problem) => {
    const { line, position_in_line: column, reason, hint, fix } = problem;
    const from = offsetOf(source, line, column);
    const word = /^[\w$`"]*/.exec(source.slice(from))?.[0] ?? '';
    return {
      from,
      to: from + Math.max(1, word.length),
      line,
      column,
      message: reason,
      ...(hint === null ? {} : { hint }),
      ...(fix === null ? {} : { fix }),
    };
  });
}

function offsetOf(source: string, line: number, column: number): number {
  let start = 0;
  for (let at = 1; at < line; at += 1) {
    const end = source.indexOf('\n', start);
    if (end < 0) break;
    start = end + 1;
  }
  return Math.min(start + column - 1, source.length);
}

export function withFix(source: string, { from, to, insert }: Edit): string {
  return `${source.slice(0, from)}${insert}${source.slice(to)}`;
}
