import { negated, parseQuery, printQuery, type QueryNode } from '@millrace/query';
import { RULE, type Rule } from './rule-kinds.ts';
import { fieldRule, type LeafResult, type MatchNode, mergedRule } from './rule-of-clause.ts';

/** A part of the query that the rules do not say, or say in another way. */
export interface Remark {
  /** As it stands in the query. */
  readonly clause: string;
  readonly reason: string;
}

export interface QueryRules {
  readonly matchingType: 'AND' | 'OR';
  readonly rules: readonly Rule[];
  /** What has no rule. */
  readonly unfit: readonly Remark[];
  /** What has a rule that means nearly the same. */
  readonly nearly: readonly Remark[];
}

/**
 * The rules that select what a query finds. A stream has one list of rules, of which all or any must match, so not
 * every query fits: the rest is named.
 */
export function rulesOfQuery(text: string): QueryRules {
  const { query } = parseQuery(text);
  if (query === undefined) return { matchingType: 'AND', rules: [], unfit: [], nearly: [] };
  const root = pushNegations(query, false);
  const matchingType = root.type === 'or' && sameField(root) === undefined ? 'OR' : 'AND';
  const parts = root.type === (matchingType === 'OR' ? 'or' : 'and') && 'parts' in root ? root.parts : [root];
  const rules: Rule[] = [];
  const unfit: Remark[] = [];
  const nearly: Remark[] = [];
  for (const part of parts) {
    const found = rulesOfPart(part, matchingType);
    const clause = clauseText(part, text);
    if ('unfit' in found) {
      unfit.push({ clause, reason: found.unfit });
      continue;
    }
    rules.push(...found.rules);
    if (found.nearly !== undefined) nearly.push({ clause, reason: found.nearly });
  }
  return { matchingType, rules, unfit, nearly };
}

/** As it was written, where it is one piece of the text. */
function clauseText(node: QueryNode, text: string): string {
  if (node.type === 'not') return `NOT ${clauseText(node.part, text)}`;
  if (node.type !== 'match' && node.type !== 'exists') return printQuery(node);
  // The place of a similar word or phrase ends before its `~`.
  const suffix = /^~\d*/.exec(text.slice(node.at.to))?.[0] ?? '';
  const written = text.slice(node.at.from, node.at.to) + suffix;
  const read = parseQuery(written).query;
  return read !== undefined && printQuery(read) === printQuery(node) ? written : printQuery(node);
}

/** De Morgan: only single conditions stay negated, since only single rules can be inverted. */
function pushNegations(node: QueryNode, isNegated: boolean): QueryNode {
  switch (node.type) {
    case 'not':
      return pushNegations(node.part, !isNegated);
    case 'and':
    case 'or': {
      const type = isNegated ? (node.type === 'and' ? 'or' : 'and') : node.type;
      const parts = node.parts
        .map((part) => pushNegations(part, isNegated))
        .flatMap((part) => (part.type === type ? part.parts : [part]));
      return { type, parts };
    }
    default:
      return isNegated ? negated(node) : node;
  }
}

function rulesOfPart(part: QueryNode, matchingType: 'AND' | 'OR'): LeafResult {
  if (part.type === 'or') {
    const matches = sameField(part);
    return matches === undefined
      ? { unfit: 'Rules are one list, of which all or any must match: this would need a list in a list.' }
      : mergedRule(matches);
  }
  if (part.type === 'and') {
    return { unfit: 'Rules are one list, of which all or any must match: this would need a list in a list.' };
  }
  const isNegated = part.type === 'not';
  const leaf = isNegated ? part.part : part;
  const found = rulesOfLeaf(leaf, isNegated);
  if ('unfit' in found || found.rules.length < 2 || matchingType === 'AND') return found;
  return { unfit: 'A range with two ends needs two rules that both match.' };
}

function rulesOfLeaf(leaf: QueryNode, isNegated: boolean): LeafResult {
  if (leaf.type === 'all') {
    if (isNegated) return { unfit: 'It finds nothing.' };
    return { rules: [{ type: RULE.always, field: '', value: '', inverted: false }] };
  }
  if (leaf.type === 'exists') {
    return { rules: [{ type: RULE.presence, field: leaf.field, value: '', inverted: isNegated }] };
  }
  if (leaf.type !== 'match') return { unfit: 'It is too complex for rules.' };
  return fieldRule(leaf, isNegated);
}

/** The alternatives of one field, which one regular expression can say. */
function sameField(node: QueryNode): readonly MatchNode[] | undefined {
  if (node.type !== 'or') return undefined;
  const [first] = node.parts;
  if (first?.type !== 'match' || first.field === undefined) return undefined;
  const { field } = first;
  const isAlternative = (part: QueryNode): part is MatchNode =>
    part.type === 'match' &&
    part.field === field &&
    (part.match.type === 'term' ||
      part.match.type === 'wildcard' ||
      (part.match.type === 'phrase' && part.match.slop === 0));
  return node.parts.every(isAlternative) ? node.parts : undefined;
}
