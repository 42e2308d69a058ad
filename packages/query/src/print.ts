import type { QueryNode, RangeEnd, ValueMatch, WildcardPart } from './ast.ts';
import { asPhrase, asTerm } from './escapes.ts';

/** The query as text in canonical form. Parsing it gives the same query. */
export function printQuery(query: QueryNode): string {
  switch (query.type) {
    case 'all':
      return '*';
    case 'and':
      return query.parts
        .map((part) => inBrackets(part, part.type === 'or' || part.type === 'and'))
        .join(' AND ');
    case 'or':
      return query.parts.map((part) => inBrackets(part, part.type === 'or')).join(' OR ');
    case 'not':
      return `NOT ${inBrackets(query.part, query.part.type === 'and' || query.part.type === 'or')}`;
    case 'exists':
      return `_exists_:${query.field === '' ? '""' : asTerm(query.field)}`;
    case 'some-field':
      return query.match === undefined
        ? `_exists_:${printPattern(query.pattern)}`
        : `${printPattern(query.pattern)}:${printMatch(query.match)}`;
    case 'match':
      return query.field === undefined
        ? printMatch(query.match)
        : `${asTerm(query.field)}:${printMatch(query.match)}`;
  }
}

function inBrackets(query: QueryNode, needed: boolean): string {
  return needed ? `(${printQuery(query)})` : printQuery(query);
}

function printMatch(match: ValueMatch): string {
  switch (match.type) {
    case 'term':
      return asTerm(match.text);
    case 'phrase':
      return match.slop === 0 ? asPhrase(match.text) : `${asPhrase(match.text)}~${match.slop}`;
    case 'fuzzy':
      return `${asTerm(match.text)}~${match.distance}`;
    case 'regex':
      return `/${match.source.replaceAll(/\\.|\//gs, (piece) => (piece === '/' ? '\\/' : piece))}/`;
    case 'wildcard':
      return printPattern(match.pattern);
    case 'range':
      return printRange(match.lower, match.upper);
  }
}

function printPattern(pattern: readonly WildcardPart[]): string {
  const pieces = pattern.map((part) =>
    part.type === 'any' ? '*' : part.type === 'one' ? '?' : part.text.replaceAll(WILDCARD_TEXT, '\\$&'),
  );
  return pieces.join('').replace(/^[+\-!&|/<>]/, '\\$&');
}

const WILDCARD_TEXT = /[\s\u00a0\u3000\u2028\u2029()[\]{}"\\:^~*?]/gu;

function printRange(lower: RangeEnd | undefined, upper: RangeEnd | undefined): string {
  const open = lower?.inclusive === false ? '{' : '[';
  const close = upper?.inclusive === false ? '}' : ']';
  return `${open}${printEnd(lower)} TO ${printEnd(upper)}${close}`;
}

/** In quotes if it could be ambiguous. */
function printEnd(end: RangeEnd | undefined): string {
  if (end === undefined) return '*';
  return /^[\p{L}\p{N}_.:+|-]+$/u.test(end.text) && !/^to$/i.test(end.text) ? end.text : asPhrase(end.text);
}
