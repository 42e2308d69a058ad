import type { QueryExplanation } from '@millrace/contract';
import type { QueryProblem } from '@millrace/query';

/** A problem in a query, with Graylog's name for its type. */
export interface Finding {
  readonly problem: QueryProblem;
  readonly type: QueryExplanation['error_type'];
  readonly field?: string;
}

const TITLES: Readonly<Record<Finding['type'], string>> = {
  QUERY_PARSING_ERROR: 'Query parsing error',
  INVALID_OPERATOR: 'Invalid operator',
  INVALID_VALUE_TYPE: 'Invalid value type',
  UNKNOWN_FIELD: 'Unknown field',
  QUERY_WARNING: 'Query warning',
};

/** In Graylog's shape: lines start at 1, columns at 0, the end is exclusive. */
export function explanationOf(text: string, { problem, type, field }: Finding): QueryExplanation {
  const { severity, message, at, suggestion, replacement } = problem;
  const begin = placeOf(text, at.from);
  const end = placeOf(text, at.to);
  const word = type === 'INVALID_OPERATOR' ? text.slice(at.from, at.to) : field;
  return {
    error_type: type,
    error_title: TITLES[type],
    error_message: message,
    severity: severity === 'error' ? 'ERROR' : 'WARNING',
    begin_line: begin.line,
    begin_column: begin.column,
    end_line: end.line,
    end_column: end.column,
    ...(word === undefined ? {} : { related_property: word }),
    ...(suggestion === undefined ? {} : { suggestion }),
    ...(replacement === undefined ? {} : { replacement }),
  };
}

function placeOf(text: string, position: number): { line: number; column: number } {
  const lines = text.slice(0, position).split('\n');
  return { line: lines.length, column: lines.at(-1)?.length ?? 0 };
}
