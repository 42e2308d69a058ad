import {
  forEachClause,
  type QueryNode,
  type QueryProblem,
  type TextSpan,
  type ValueMatch,
} from '@millrace/query';
import { fieldColumn } from '#storage/index.ts';
import { canFindFields } from './field-patterns.ts';
import { matchesNothing, timeTest } from './meaning.ts';
import { type MomentContext, parseMoment } from './moments.ts';
import { compileRegex } from './regexes.ts';

/** Problems with the values of a query that parses: values that cannot match anything. */
export function valueProblems(query: QueryNode, context: MomentContext): QueryProblem[] {
  const problems: QueryProblem[] = [];
  forEachClause(query, (clause) => {
    if (clause.type === 'match') problems.push(...matchProblems(clause, context));
    if (clause.type === 'some-field') problems.push(...someFieldProblems(clause));
  });
  return problems;
}

function someFieldProblems({
  pattern,
  match,
  at,
}: Extract<QueryNode, { type: 'some-field' }>): QueryProblem[] {
  if (canFindFields(pattern)) return match === undefined ? [] : regexProblems(match, at);
  return [
    {
      severity: 'error',
      message: 'The field name with * or ? is too long.',
      at,
      suggestion: 'Make it shorter, or use fewer * and ?.',
    },
  ];
}

function matchProblems(
  { field, match, at }: Extract<QueryNode, { type: 'match' }>,
  context: MomentContext,
): QueryProblem[] {
  const invalid = regexProblems(match, at);
  if (invalid.length > 0) return invalid;
  if (field === undefined || fieldColumn(field).kind !== 'time' || !matchesNothing(timeTest(match, context)))
    return [];
  return [
    {
      severity: 'error',
      message: `The field ${field} holds times, and ${noTime(match, context)}.`,
      at,
      suggestion:
        'Write for example "2026-03-01 12:00:00", 2026-03-01T12:00:00Z, 2026-03-01, milliseconds since 1970, or now-1h.',
    },
  ];
}

function regexProblems(match: ValueMatch, at: TextSpan): QueryProblem[] {
  if (match.type !== 'regex' || compileRegex(match.source) !== undefined) return [];
  return [
    {
      severity: 'error',
      message: `The regular expression ${JSON.stringify(match.source)} is invalid in RE2 or too large.`,
      at,
      suggestion: 'Make it shorter, and leave out look-around and back references.',
    },
  ];
}

function noTime(match: ValueMatch, context: MomentContext): string {
  switch (match.type) {
    case 'term':
    case 'phrase':
    case 'fuzzy':
      return `${JSON.stringify(match.text)} is not a time`;
    case 'range': {
      const wrong = [match.lower, match.upper].flatMap((end) =>
        end === undefined || parseMoment(end.text, context) !== undefined ? [] : JSON.stringify(end.text),
      );
      return wrong.length > 1 ? `${wrong.join(' and ')} are not times` : `${wrong.join()} is not a time`;
    }
    default:
      return 'a pattern is not a time';
  }
}
