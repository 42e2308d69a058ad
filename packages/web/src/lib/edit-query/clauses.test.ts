import { allOf, negated, parseQuery, printQuery } from '@millrace/query';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clausesOf, clauseText, flipClause, replaceClause, withoutClause } from './clauses.ts';

test.each([
  ['*', []],
  ['', []],
  ['"abc', []],
  ['timeout', ['timeout']],
  ['level:<=3 AND source:web-*', ['level:<=3', 'source:web-*']],
  ['source:(web-1 OR web-2) AND a', ['source:(web-1 OR web-2)', 'a']],
  ['source:web-1 OR source:web-2', ['source:(web-1 OR web-2)']],
  ['a OR b', ['a OR b']],
  ['(a OR b) AND c', ['a OR b', 'c']],
  ['NOT level:3 AND "a b"~2', ['NOT level:3', '"a b"~2']],
  ['took_ms:[10 TO 20} AND user:/ad.*/ AND _exists_:x', ['took_ms:[10 TO 20}', 'user:/ad.*/', '_exists_:x']],
  ['NOT (a OR b)', ['NOT (a OR b)']],
])('the clauses of %j are %j', (query, expected) => {
  expect(clausesOf(query).map(clauseText)).toEqual(expected);
});

test('flipping, removing and replacing keep the rest as it was written', () => {
  const query = 'level:<=3 AND source:(web-1 OR web-2) AND NOT a';
  expect(flipClause(query, 1)).toBe('level:<=3 AND NOT source:(web-1 OR web-2) AND NOT a');
  expect(flipClause(query, 2)).toBe('level:<=3 AND source:(web-1 OR web-2) AND a');
  expect(withoutClause(query, 0)).toBe('source:(web-1 OR web-2) AND NOT a');
  expect(withoutClause('a', 0)).toBe('*');
  expect(replaceClause(query, 0, 'level:3')).toBe('level:3 AND source:(web-1 OR web-2) AND NOT a');
  expect(replaceClause(query, 0, 'x OR y')).toBe('(x OR y) AND source:(web-1 OR web-2) AND NOT a');
  expect(replaceClause(query, 0, ' ')).toBe('source:(web-1 OR web-2) AND NOT a');
  expect(replaceClause(query, 0, '"')).toBeUndefined();
});

const leaf = fc.constantFrom(
  'a',
  'level:<=3',
  'source:web-1',
  'source:(a OR b)',
  '"x y"',
  'x OR y',
  'f:/r/',
  'z~1',
);
const query = fc
  .array(fc.tuple(fc.boolean(), leaf), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.map(([isNot, text]) => `${isNot ? 'NOT ' : ''}(${text})`).join(' AND '));
const meaning = (text: string) => printQuery(parseQuery(text).query ?? { type: 'all' });

test('the clauses of any query, joined, mean the query', () => {
  fc.assert(
    fc.property(query, (text) => {
      const nodes = clausesOf(text).map(
        (clause) => parseQuery(clauseText(clause)).query ?? { type: 'all' as const },
      );
      expect(printQuery(allOf(nodes))).toBe(meaning(text));
    }),
  );
});

test('flipping negates one clause, and twice is nothing', () => {
  fc.assert(
    fc.property(query, fc.nat(3), (text, number) => {
      const at = number % clausesOf(text).length;
      const flipped = flipClause(text, at);
      const before = parseQuery(clauseText(clausesOf(text)[at] as never)).query;
      const after = parseQuery(clauseText(clausesOf(flipped)[at] as never)).query;
      expect(printQuery(after as never)).toBe(printQuery(negated(before as never)));
      expect(meaning(flipClause(flipped, at))).toBe(meaning(text));
    }),
  );
});
