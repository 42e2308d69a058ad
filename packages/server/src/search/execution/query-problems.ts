/** Errors and warnings about a query, as the API reports them. */
import { type FieldPattern, forEachClause, type QueryNode, type QueryProblem } from '@millrace/query';
import { FAILURE_FIELDS, FAILURE_STREAM_ID, InvalidError } from '#core/index.ts';
import { OWN_FIELD_NAMES } from '#storage/index.ts';
import type { CataloguedField } from '#storage/service.ts';
import { fieldNameTest } from '../query/index.ts';
import { unknownFieldFindings } from '../validation/field-findings.ts';

/** A 400 in Graylog's shape for queries, with the position in the text and a suggestion. */
export function queryParseError(text: string, problems: readonly QueryProblem[]): InvalidError {
  const errors = problems.filter(({ severity }) => severity === 'error');
  const first = errors[0];
  const before = text.slice(0, first?.at.from ?? 0).split('\n');
  const message = [first?.message ?? 'The query cannot be parsed.', first?.suggestion]
    .filter(Boolean)
    .join(' ');
  return new InvalidError(message, {
    details: {
      type: 'QueryParseError',
      details: errors.map((problem) => problem.message),
      line: before.length,
      column: (before.at(-1)?.length ?? 0) + 1,
      problems: problems.map((problem) => ({ path: 'query', ...problem })),
    },
  });
}

/**
 * Warns about fields that no message has. That is not an error, since such messages may still arrive, but it is usually
 * a typing error.
 *
 * @param fields those that the caller may know
 */
export function unknownFieldWarnings(text: string, fields: readonly CataloguedField[]): QueryProblem[] {
  if (!text.includes(':')) return [];
  const known = [...OWN_FIELD_NAMES, ...fields.map(({ name }) => name)];
  return unknownFieldFindings(text, known).map(({ problem }) => problem);
}

const FAILURE_FIELD_NAMES: ReadonlySet<string> = new Set(FAILURE_FIELDS);
/** What the names of all these fields begin with. */
const FAILURE_FIELD_START = 'fail';

/**
 * Whether the query asks for processing failures, by their stream (`streams:<id>`) or by a field only they have. A
 * pattern such as `*_type` fits many other fields, so it asks for failures only if it begins as their fields do.
 */
export function asksForFailures(query: QueryNode): boolean {
  let asks = asksForStream(query, FAILURE_STREAM_ID);
  forEachClause(query, (clause) => {
    if (clause.type === 'some-field') asks ||= fitsFailureField(clause.pattern);
    else if (clause.field !== undefined) asks ||= FAILURE_FIELD_NAMES.has(clause.field);
  });
  return asks;
}

function fitsFailureField(pattern: FieldPattern): boolean {
  const [first] = pattern;
  if (first?.type !== 'text' || !first.text.startsWith(FAILURE_FIELD_START)) return false;
  return FAILURE_FIELDS.some(fieldNameTest(pattern));
}

/** Whether the query names the stream: `streams:<id>`. */
export function asksForStream(query: QueryNode, streamId: string): boolean {
  let asks = false;
  forEachClause(query, (clause) => {
    if (clause.type !== 'match' || clause.field !== 'streams') return;
    const { match } = clause;
    if ((match.type === 'term' || match.type === 'phrase') && match.text === streamId) asks = true;
  });
  return asks;
}
