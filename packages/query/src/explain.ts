import type { QueryNode, RangeEnd, ValueMatch, WildcardPart } from './ast.ts';

/** Describes in a sentence what a query finds. */
export function explainQuery(query: QueryNode): string {
  if (query.type === 'all') return 'All messages.';
  return `Messages ${clause(query)}.`;
}

/** Continues "Messages ". */
function clause(query: QueryNode): string {
  switch (query.type) {
    case 'all':
      return 'of any kind';
    case 'and':
      return joined(query.parts);
    case 'or':
      return query.parts.map((part) => alternative(part)).join(' or ');
    case 'not':
      return negation(query.part);
    case 'exists':
      return `that have the field ${query.field}`;
    case 'some-field':
      return query.match === undefined
        ? `that have a field like ${patternOf(query.pattern)}`
        : inField(patternOf(query.pattern), query.match);
    case 'match':
      return query.field === undefined ? anywhere(query.match) : inField(query.field, query.match);
  }
}

/** Exclusions follow as "but not those …". */
function joined(parts: readonly QueryNode[]): string {
  return parts
    .map((part, index) => {
      const text = part.type === 'or' ? `(${clause(part)})` : clause(part);
      if (index === 0) return text;
      const isExcluded = part.type === 'not' && !isExistence(part.part) && part.part.type !== 'all';
      if (!isExcluded || parts[0]?.type === 'not') return ` and ${text}`;
      const conjunction = parts[index - 1]?.type === 'not' ? 'and' : 'but';
      return ` ${conjunction} not ${text.replace(/^except /, '')}`;
    })
    .join('');
}

function isExistence(query: QueryNode): boolean {
  return query.type === 'exists' || (query.type === 'some-field' && query.match === undefined);
}

function alternative(part: QueryNode): string {
  if (part.type === 'and') return `(${clause(part)})`;
  return clause(part).replace(/^except /, 'all except ');
}

function negation(query: QueryNode): string {
  if (query.type === 'exists') return `that do not have the field ${query.field}`;
  if (query.type === 'some-field' && query.match === undefined) {
    return `that do not have a field like ${patternOf(query.pattern)}`;
  }
  if (query.type === 'all') return 'of no kind';
  return `except those ${query.type === 'and' || query.type === 'or' ? `(${clause(query)})` : clause(query)}`;
}

const inQuotes = (text: string) => `“${text}”`;

function patternOf(pattern: readonly WildcardPart[]): string {
  return pattern.map((part) => (part.type === 'text' ? part.text : part.type === 'any' ? '*' : '?')).join('');
}

function letters(distance: number): string {
  return distance === 1 ? 'one letter' : `${distance} letters`;
}

function anywhere(match: ValueMatch): string {
  switch (match.type) {
    case 'term':
      return `that contain ${inQuotes(match.text)}`;
    case 'phrase':
      return `that contain ${inQuotes(match.text)}${slopOf(match.slop)}`;
    case 'wildcard':
      return `that contain a word like ${inQuotes(patternOf(match.pattern))}`;
    case 'regex':
      return `with a value that matches the regular expression /${match.source}/`;
    case 'fuzzy':
      return `that contain a word that differs from ${inQuotes(match.text)} by at most ${letters(match.distance)}`;
    case 'range':
      return `with a value ${limits(match.lower, match.upper)}`;
  }
}

/** These fields are matched by words. */
const TEXT_FIELDS = new Set(['message', 'full_message', 'source']);

function inField(field: string, match: ValueMatch): string {
  const isText = TEXT_FIELDS.has(field);
  const is = `whose ${field} ${isText ? 'contains' : 'is'}`;
  switch (match.type) {
    case 'term':
      return `${is} ${inQuotes(match.text)}`;
    case 'phrase':
      return `${is} ${inQuotes(match.text)}${slopOf(match.slop)}`;
    case 'wildcard':
      return `${is} ${isText ? 'a word ' : ''}like ${inQuotes(patternOf(match.pattern))}`;
    case 'regex':
      return `whose ${field} matches the regular expression /${match.source}/`;
    case 'fuzzy': {
      const what = isText ? 'contains a word that differs' : 'differs';
      return `whose ${field} ${what} from ${inQuotes(match.text)} by at most ${letters(match.distance)}`;
    }
    case 'range':
      return `whose ${field} is ${limits(match.lower, match.upper)}`;
  }
}

function slopOf(slop: number): string {
  return slop === 0
    ? ''
    : `, with up to ${slop === 1 ? 'one word' : `${slop} words`} between or out of place`;
}

function limits(lower: RangeEnd | undefined, upper: RangeEnd | undefined): string {
  const parts: string[] = [];
  if (lower !== undefined) parts.push(`${lower.inclusive ? 'at least' : 'more than'} ${lower.text}`);
  if (upper !== undefined) parts.push(`${upper.inclusive ? 'at most' : 'less than'} ${upper.text}`);
  return parts.join(' and ');
}
