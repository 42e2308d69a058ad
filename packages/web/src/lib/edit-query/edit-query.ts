import { allOf, anyOf, negated, parseQuery, printQuery, type QueryNode } from '@millrace/query';
import { type FieldScalar, valueClause, valueText } from './value-clause.ts';

type MatchNode = Extract<QueryNode, { readonly type: 'match' }>;

/**
 * Edits of the query by clicks. What the user wrote stays as it was written: a change is made in the text, read again
 * and compared with what it should mean; only where the text cannot be changed in place is the query printed anew.
 */

/** Only messages with this value. On a field that is narrowed already it widens: `source:(web-1 OR web-2)`. */
export function includeValue(query: string, field: string, value: FieldScalar): string {
  const clause = valueClause(field, value);
  const old = parseQuery(query).query;
  const wanted = parseQuery(clause).query;
  if (old === undefined || wanted === undefined || old.type === 'all') return clause;
  const parts = conjuncts(old).filter((part) => !isSame(part, negated(wanted)));
  if (parts.length === 0) return clause;
  const base = parts.length === conjuncts(old).length ? query : printQuery(allOf(parts));
  const widened = parts.find((part) => alternativesOf(part, field) !== undefined);
  if (widened === undefined) return narrowed(base, clause);
  const alternatives = alternativesOf(widened, field) ?? [];
  if (alternatives.some((part) => isSame(part, wanted))) return base;
  const expected = allOf(parts.map((part) => (part === widened ? anyOf([part, wanted]) : part)));
  return firstThatMeans(expected, base === query ? widenings(query, alternatives, field, value) : []);
}

/** No message with this value. */
export function excludeValue(query: string, field: string, value: FieldScalar): string {
  const clause = valueClause(field, value);
  const exclusion = `NOT ${clause}`;
  const old = parseQuery(query).query;
  const unwanted = parseQuery(clause).query;
  if (old === undefined || unwanted === undefined || old.type === 'all') return exclusion;
  const parts = conjuncts(old);
  if (parts.some((part) => isSame(part, negated(unwanted)))) return query;
  const including = parts.find((part) =>
    alternativesOf(part, field)?.some((alternative) => isSame(alternative, unwanted)),
  );
  if (including === undefined) return narrowed(query, exclusion);
  const rest = (alternativesOf(including, field) ?? []).filter((part) => !isSame(part, unwanted));
  const replacement = rest.length === 0 ? negated(unwanted) : anyOf(rest);
  const expected = allOf(parts.map((part) => (part === including ? replacement : part)));
  const candidates =
    rest.length === 0 && including.type === 'match'
      ? [`${query.slice(0, including.at.from)}NOT ${query.slice(including.at.from)}`]
      : [];
  return firstThatMeans(expected, candidates);
}

/** The values of a field that the query allows at its top level, as they are stored; none for `source:web-*`. */
export function includedValues(query: string, field: string): string[] {
  return allowingParts(query, field).flatMap((part) =>
    (alternativesOf(part, field) ?? []).flatMap(({ match }) =>
      match.type === 'term' || match.type === 'phrase' ? [match.text] : [],
    ),
  );
}

/** The query without those: what else the field holds in the messages that the rest of it finds. */
export function withoutIncluded(query: string, field: string): string {
  const allowing = allowingParts(query, field);
  const old = parseQuery(query).query;
  if (allowing.length === 0 || old === undefined) return query;
  const rest = conjuncts(old).filter((part) => !allowing.some((other) => isSame(part, other)));
  return rest.length === 0 ? '*' : printQuery(allOf(rest));
}

/** Takes back what `includeValue` did. */
export function dropValue(query: string, field: string, value: FieldScalar): string {
  const old = parseQuery(query).query;
  const unwanted = parseQuery(valueClause(field, value)).query;
  if (old === undefined || unwanted === undefined) return query;
  const parts = conjuncts(old).flatMap((part) => {
    const alternatives = alternativesOf(part, field);
    if (alternatives?.some((alternative) => isSame(alternative, unwanted)) !== true) return [part];
    const rest = alternatives.filter((alternative) => !isSame(alternative, unwanted));
    return rest.length === 0 ? [] : [anyOf(rest)];
  });
  return parts.length === 0 ? '*' : printQuery(allOf(parts));
}

/** Only this value, whatever the query said before. */
export function onlyValue(field: string, value: FieldScalar): string {
  return valueClause(field, value);
}

export function requireField(query: string, field: string): string {
  return addClause(query, printQuery({ type: 'exists', field, at: { from: 0, to: 0 } }));
}

/** Narrows a query by a whole other one. */
export function addClause(query: string, clause: string): string {
  const old = parseQuery(query).query;
  return old === undefined || old.type === 'all' ? clause : narrowed(query, clause);
}

function conjuncts(query: QueryNode): readonly QueryNode[] {
  return query.type === 'and' ? query.parts : [query];
}

function allowingParts(query: string, field: string): readonly QueryNode[] {
  const parsed = parseQuery(query).query;
  if (parsed === undefined) return [];
  return conjuncts(parsed).filter((part) => alternativesOf(part, field) !== undefined);
}

/** The values of one field that a part allows; undefined when it is about anything else, such as a pattern. */
function alternativesOf(part: QueryNode, field: string): readonly MatchNode[] | undefined {
  const matches = part.type === 'or' ? part.parts : [part];
  const isValue = (node: QueryNode): node is MatchNode =>
    node.type === 'match' &&
    node.field === field &&
    (node.match.type === 'term' || node.match.type === 'phrase');
  return matches.every(isValue) ? matches : undefined;
}

function narrowed(query: string, clause: string): string {
  const trimmed = query.trim();
  const parse = (text: string) => parseQuery(text).query;
  const [old, added] = [parse(trimmed), parse(clause)];
  if (old === undefined || added === undefined) return clause;
  return firstThatMeans(allOf([old, added]), [`${trimmed} AND ${clause}`, `(${trimmed}) AND ${clause}`]);
}

function widenings(
  query: string,
  alternatives: readonly MatchNode[],
  field: string,
  value: FieldScalar,
): string[] {
  const last = alternatives.at(-1)?.at;
  if (last === undefined) return [];
  const before = query.slice(0, last.to);
  const after = query.slice(last.to);
  const [, name = '', only = ''] = /^(.*?:)(.*)$/su.exec(query.slice(last.from, last.to)) ?? [];
  const single = `${query.slice(0, last.from)}${name}(${only} OR ${valueText(value)})${after}`;
  return [
    ...(alternatives.length === 1 && name !== '' ? [single] : []),
    `${before} OR ${valueText(value)}${after}`,
    `${before} OR ${valueClause(field, value)}${after}`,
  ];
}

function firstThatMeans(expected: QueryNode, candidates: readonly string[]): string {
  const found = candidates.find((text) => {
    const { query } = parseQuery(text);
    return query !== undefined && isSame(query, expected);
  });
  return found ?? printQuery(expected);
}

/** Whatever it was written like. */
function isSame(one: QueryNode, other: QueryNode): boolean {
  return printQuery(one) === printQuery(other);
}
