import type { ParsedQuery } from './ast.ts';
import { createClauseReader } from './clauses.ts';
import { parser } from './grammar/parser.ts';
import { MAX_NESTING, MAX_QUERY_LENGTH } from './limits.ts';
import { ALL } from './nodes.ts';
import { createProblems } from './problems.ts';
import { partsOf } from './tree.ts';

/** Reads a query. Never throws, and takes time in proportion to the length of the text. */
export function parseQuery(text: string): ParsedQuery {
  // Half a surrogate pair is no character; its replacement is as long, so positions stay.
  const wellFormed = text.toWellFormed();
  const problems = createProblems(wellFormed);
  const refused = (): ParsedQuery => ({ text, query: undefined, problems: problems.list() });
  if (text.length > MAX_QUERY_LENGTH) {
    problems.error(
      { from: MAX_QUERY_LENGTH, to: text.length },
      `The query has ${text.length} characters, at most ${MAX_QUERY_LENGTH} are allowed.`,
      {
        suggestion:
          'Shorten it; many values of one field may be found by a wildcard or a regular expression.',
      },
    );
    return refused();
  }
  const { root, nesting } = partsOf(parser.parse(wellFormed));
  if (nesting > MAX_NESTING) {
    problems.error(
      { from: 0, to: text.length },
      `The brackets of the query are nested ${nesting} deep, at most ${MAX_NESTING} are allowed.`,
      { suggestion: 'Leave out brackets that change nothing.' },
    );
    return refused();
  }
  if (root.children.length === 0) return { text, query: ALL, problems: [] };
  const query = createClauseReader(problems).read(root.children, undefined, root);
  if (query === undefined || problems.hasErrors()) return refused();
  return { text, query, problems: problems.list() };
}
