/** Until the parser and the translation to SQL are there: `*`, words and `field:value`. */
import type { ParsedQuery, QueryNode } from '@millrace/query';
import { fieldColumn } from '#storage/index.ts';

export interface SqlParameters {
  add(value: unknown, type: string): string;
  readonly values: Record<string, unknown>;
}

export function createSqlParameters(): SqlParameters {
  const values: Record<string, unknown> = {};
  let count = 0;
  return {
    values,
    add(value, type) {
      const name = `p${count++}`;
      values[name] = value;
      return `{${name}:${type}}`;
    },
  };
}

export function parseQuery(text: string): ParsedQuery {
  const words = text.split(/\s+/).filter((word) => word !== '' && word !== '*');
  const parts = words.map((word): QueryNode => {
    const [left, right] = word.split(':');
    const match = { type: 'term', text: right ?? word } as const;
    return { type: 'match', field: right === undefined ? undefined : left, match, at: { from: 0, to: 0 } };
  });
  const [first] = parts;
  return {
    text,
    query: first === undefined ? { type: 'all' } : parts.length === 1 ? first : { type: 'or', parts },
    problems: [],
  };
}

export function queryCondition(query: QueryNode, context: unknown, parameters: SqlParameters): string {
  switch (query.type) {
    case 'all':
      return '1';
    case 'or':
      return `(${query.parts.map((part) => queryCondition(part, context, parameters)).join(' OR ')})`;
    case 'match': {
      if (query.match.type !== 'term') return '1';
      const value = parameters.add(query.match.text, 'String');
      if (query.field === undefined) return `hasToken(lowerUTF8(text), lowerUTF8(${value}))`;
      const { kind, expression } = fieldColumn(query.field);
      return kind === 'list' ? `has(${expression}, ${value})` : `toString(${expression}) = ${value}`;
    }
    default:
      return '1';
  }
}
