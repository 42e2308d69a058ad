/** Collects what is wrong with a text. */
import type { TextSpan } from './ast.ts';
import { MAX_PROBLEMS } from './limits.ts';

/** For programs; the names that Graylog has for the same mistake. */
export type ProblemType =
  | 'syntax_error'
  | 'invalid_literal'
  | 'undeclared_function'
  | 'undeclared_variable'
  | 'wrong_number_of_args'
  | 'unknown_parameter'
  | 'duplicate_argument'
  | 'missing_required_param'
  | 'optional_parameters_must_be_named'
  | 'incompatible_argument_type'
  | 'incompatible_type'
  | 'incompatible_types'
  | 'incompatible_index_type'
  | 'non_indexable_type'
  | 'invalid_argument'
  | 'duplicate_stage';

/** A change of the text that corrects a problem. */
export interface Edit extends TextSpan {
  readonly insert: string;
}

export interface RuleProblem extends TextSpan {
  readonly type: ProblemType;
  /** A sentence. */
  readonly message: string;
  /** Both count from 1. */
  readonly line: number;
  readonly column: number;
  /** What to do. */
  readonly hint?: string;
  readonly fix?: Edit;
}

export interface ProblemDetails {
  readonly hint?: string | undefined;
  readonly fix?: Edit | undefined;
}

export interface Problems {
  add(type: ProblemType, at: TextSpan, message: string, details?: ProblemDetails): void;
  readonly isEmpty: boolean;
  /** No more are reported. */
  readonly isFull: boolean;
  /** In the order of the text. */
  list(): RuleProblem[];
}

export function createProblems(text: string): Problems {
  const found: RuleProblem[] = [];
  const lineStarts = startsOfLines(text);
  return {
    get isEmpty() {
      return found.length === 0;
    },
    get isFull() {
      return found.length >= MAX_PROBLEMS;
    },
    add(type, at, message, { hint, fix } = {}) {
      if (found.length >= MAX_PROBLEMS) return;
      found.push({
        type,
        message,
        from: at.from,
        to: at.to,
        ...placeOf(lineStarts, at.from),
        ...(hint === undefined ? {} : { hint }),
        ...(fix === undefined ? {} : { fix }),
      });
    },
    list: () => found.toSorted((one, other) => one.from - other.from),
  };
}

function startsOfLines(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function placeOf(starts: readonly number[], position: number): { line: number; column: number } {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= position) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: position - (starts[low] ?? 0) + 1 };
}

/** A part of the text for a message, shortened and on one line. */
export function quoted(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return `"${line.length > 40 ? `${line.slice(0, 39)}…` : line}"`;
}
