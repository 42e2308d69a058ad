/** Makes nodes in one form only: no group in a group of its kind, no double negation, nothing beside "all messages". */
import type { QueryNode } from './ast.ts';

export const ALL: QueryNode = { type: 'all' };

export function negated(part: QueryNode): QueryNode {
  return part.type === 'not' ? part.part : { type: 'not', part };
}

/** What all of at least one part find. */
export function allOf(parts: readonly QueryNode[]): QueryNode {
  const flat = parts
    .flatMap((part) => (part.type === 'and' ? part.parts : [part]))
    .filter((part) => part.type !== 'all');
  if (flat.length > 1) return { type: 'and', parts: flat };
  return flat[0] ?? ALL;
}

/** What any of at least one part finds. */
export function anyOf(parts: readonly QueryNode[]): QueryNode {
  const flat = parts.flatMap((part) => (part.type === 'or' ? part.parts : [part]));
  if (flat.some((part) => part.type === 'all')) return ALL;
  if (flat.length > 1) return { type: 'or', parts: flat };
  return flat[0] ?? ALL;
}
