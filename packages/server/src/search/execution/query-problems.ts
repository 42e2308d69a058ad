/** What is wrong with a query or odd about it, as the API tells it. */
import type { QueryNode, QueryProblem } from '@millrace/query';
import { FAILURE_FIELDS, FAILURE_STREAM_ID, InvalidError } from '#core/index.ts';
import { OWN_FIELD_NAMES } from '#storage/index.ts';
import type { CataloguedField } from '#storage/service.ts';
import { unknownFieldFindings } from '../validation/field-findings.ts';

/** 400 in Graylog's shape for queries, with the place in the text and the way out. */
export function queryParseError(text: string, problems: readonly QueryProblem[]): InvalidError {
  const errors = problems.filter(({ severity }) => severity === 'error');
  const first = errors[0];
  const before = text.slice(0, first?.at.from ?? 0).split('\n');
  const message = [first?.message ?? 'The query is not understood.', first?.suggestion]
    .filter(Boolean)
    .join(' ');
  return new InvalidError(message, {
    details: {
      type: 'QueryParseError',
      details: errors.map((problem) => problem.message),
      line: before.length,
      column: (before.at(-1)?.length ?? 0) + 1,
      problems,
    },
  });
}

/**
 * A field nobody has sent is no error: it may come. But it is mostly a slip of the pen, and who may see all fields hears
 * which one was meant.
 */
export function unknownFieldWarnings(
  text: string,
  fields: readonly CataloguedField[],
  maySeeAllFields: boolean,
): QueryProblem[] {
  if (!text.includes(':')) return [];
  const known = [...OWN_FIELD_NAMES, ...fields.map(({ name }) => name)];
  return unknownFieldFindings(text, known, maySeeAllFields ? known : OWN_FIELD_NAMES).map(
    ({ problem }) => problem,
  );
}

type FieldNode = Extract<QueryNode, { at: unknown }>;

export function forEachField(
  query: QueryNode,
  visit: (field: string, at: FieldNode['at'], node: FieldNode) => void,
): void {
  switch (query.type) {
    case 'all':
      return;
    case 'and':
    case 'or':
      for (const part of query.parts) forEachField(part, visit);
      return;
    case 'not':
      forEachField(query.part, visit);
      return;
    case 'exists':
    case 'match':
      if (query.field !== undefined) visit(query.field, query.at, query);
  }
}

const FAILURE_FIELD_NAMES: ReadonlySet<string> = new Set(FAILURE_FIELDS);

/** Whether the query itself asks for processing failures: by their stream (`streams:<id>`) or by a field they have. */
export function asksForFailures(query: QueryNode): boolean {
  let asks = false;
  forEachField(query, (field, _at, node) => {
    if (FAILURE_FIELD_NAMES.has(field)) asks = true;
    if (field !== 'streams' || node.type !== 'match') return;
    const { match } = node;
    if ((match.type === 'term' || match.type === 'phrase') && match.text === FAILURE_STREAM_ID) asks = true;
  });
  return asks;
}
