import type { ParsedQuery } from './ast.ts';
import { createClauseReader } from './clauses.ts';
import { parser } from './grammar/parser.ts';
import { MAX_NESTING, MAX_QUERY_LENGTH } from './limits.ts';
import { ALL } from './nodes.ts';
import { createProblems } from './problems.ts';
import { partsOf } from './tree.ts';

/** Parses a query. Never throws; the time is linear in the length of the text. */
export function parseQuery(text: string): ParsedQuery {
  // Replaces lone surrogates. The replacement has the same length, so positions stay valid.
  const wellFormed = text.toWellFormed();
  const problems = createProblems(wellFormed);
  const refused = (): ParsedQuery => ({ text, query: undefined, problems: problems.list() });
  if (text.length > MAX_QUERY_LENGTH) {
    problems.error(
      { from: MAX_QUERY_LENGTH, to: text.length },
      `The query has ${text.length} characters; at most ${MAX_QUERY_LENGTH} are allowed.`,
      {
        suggestion:
          'Make it shorter. To match many values of a field, use a wildcard or a regular expression.',
      },
    );
    return refused();
  }
  const { root, nesting } = partsOf(parser.parse(wellFormed));
  if (nesting > MAX_NESTING) {
    problems.error(
      { from: 0, to: text.length },
      `The brackets of the query are nested ${nesting} levels deep; at most ${MAX_NESTING} are allowed.`,
      { suggestion: 'Remove brackets that have no effect.' },
    );
    return refused();
  }
  if (root.children.length === 0) return { text, query: ALL, problems: [] };
  const query = createClauseReader(problems).read(root.children, undefined, root);
  if (query === undefined || problems.hasErrors()) return refused();
  return { text, query, problems: problems.list() };
}
