/**
 * Builds nodes in one form: no group inside a group of the same kind, no double negation, no "all messages" inside
 * AND. Also visits them.
 */
import type { QueryNode } from './ast.ts';

export type QueryClause = Extract<QueryNode, { readonly type: 'exists' | 'some-field' | 'match' }>;

/** Visits the leaves of a query, from left to right. */
export function forEachClause(query: QueryNode, visit: (clause: QueryClause) => void): void {
  switch (query.type) {
    case 'all':
      return;
    case 'and':
    case 'or':
      for (const part of query.parts) forEachClause(part, visit);
      return;
    case 'not':
      forEachClause(query.part, visit);
      return;
    case 'exists':
    case 'some-field':
    case 'match':
      visit(query);
  }
}

export const ALL: QueryNode = { type: 'all' };

export function negated(part: QueryNode): QueryNode {
  return part.type === 'not' ? part.part : { type: 'not', part };
}

/** AND over at least one part. */
export function allOf(parts: readonly QueryNode[]): QueryNode {
  const flat = parts
    .flatMap((part) => (part.type === 'and' ? part.parts : [part]))
    .filter((part) => part.type !== 'all');
  if (flat.length > 1) return { type: 'and', parts: flat };
  return flat[0] ?? ALL;
}

/** OR over at least one part. */
export function anyOf(parts: readonly QueryNode[]): QueryNode {
  const flat = parts.flatMap((part) => (part.type === 'or' ? part.parts : [part]));
  if (flat.some((part) => part.type === 'all')) return ALL;
  if (flat.length > 1) return { type: 'or', parts: flat };
  return flat[0] ?? ALL;
}
