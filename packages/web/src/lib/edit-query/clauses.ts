import { allOf, anyOf, negated, parseQuery, printQuery, type QueryNode } from '@millrace/query';
import { addClause } from './edit-query.ts';

/** One of the parts that a query joins with AND: a view of the text, not a state of its own. */
export interface QueryClause {
  /** As it can stand alone: `source:(web-1 OR web-2)`. A negated one without its NOT. */
  readonly text: string;
  readonly isNegated: boolean;
}

/** The clauses of a query from left to right; none for all messages and for a query with errors. */
export function clausesOf(query: string): QueryClause[] {
  return partsOf(query).map((part) => {
    const isNegated = part.type === 'not';
    return { text: textOf(isNegated ? part.part : part, query), isNegated };
  });
}

/** The clause with its NOT, as it stands in the query and in the URL. */
export function clauseText({ text, isNegated }: QueryClause): string {
  if (!isNegated) return text;
  const negatedText = `NOT ${text}`;
  const expected = parseQuery(text).query;
  const read = parseQuery(negatedText).query;
  const isSame =
    expected !== undefined && read !== undefined && printQuery(read) === printQuery(negated(expected));
  return isSame ? negatedText : `NOT (${text})`;
}

export function withoutClause(query: string, at: number): string {
  return joined(clausesOf(query).filter((_, index) => index !== at));
}

/** What it required is excluded, and the other way round. */
export function flipClause(query: string, at: number): string {
  return joined(
    clausesOf(query).map((clause, index) =>
      index === at ? { ...clause, isNegated: !clause.isNegated } : clause,
    ),
  );
}

/** Undefined when the new text is no query. An empty one removes the clause. */
export function replaceClause(query: string, at: number, text: string): string | undefined {
  if (text.trim() === '') return withoutClause(query, at);
  if (parseQuery(text).query === undefined) return undefined;
  const parts = clausesOf(query).map((clause, index) => (index === at ? text.trim() : clauseText(clause)));
  return parts.reduce((all, part) => addClause(all, part), '*');
}

function joined(clauses: readonly QueryClause[]): string {
  return clauses.map(clauseText).reduce((all, part) => addClause(all, part), '*');
}

function partsOf(query: string): readonly QueryNode[] {
  const parsed = parseQuery(query).query;
  if (parsed === undefined || parsed.type === 'all') return [];
  return parsed.type === 'and' ? parsed.parts : [parsed];
}

/** As the user wrote it where that is possible: `level:<=3`, not `level:[* TO 3]`. */
function textOf(node: QueryNode, query: string): string {
  const candidates = [
    ...(node.type === 'or' ? [alternativesText(node.parts, query)] : []),
    leafText(node, query),
  ];
  const printed = printQuery(node);
  return candidates.find((text) => text !== undefined && meansSame(text, node)) ?? printed;
}

function leafText(node: QueryNode, query: string): string | undefined {
  return node.type === 'match' || node.type === 'exists' ? query.slice(node.at.from, node.at.to) : undefined;
}

/** `source:(web-1 OR web-2)` for alternatives of one field. */
function alternativesText(parts: readonly QueryNode[], query: string): string | undefined {
  const [first] = parts;
  if (first?.type !== 'match' || first.field === undefined) return undefined;
  const { field } = first;
  const values = parts.map((part) => {
    if (part.type !== 'match' || part.field !== field) return undefined;
    const [, value] = printQuery({ ...part, field: undefined }).match(/^(.+)$/s) ?? [];
    const written = query.slice(part.at.from, part.at.to);
    return written.includes(':') ? value : written;
  });
  if (values.some((value) => value === undefined)) return undefined;
  const name = printQuery({ type: 'exists', field, at: first.at }).replace(/^_exists_:/, '');
  return `${name}:(${values.join(' OR ')})`;
}

function meansSame(text: string, node: QueryNode): boolean {
  const read = parseQuery(text).query;
  return (
    read !== undefined &&
    printQuery(read) === printQuery(node.type === 'or' ? anyOf(node.parts) : allOf([node]))
  );
}
