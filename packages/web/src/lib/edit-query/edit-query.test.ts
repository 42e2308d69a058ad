import { parseQuery } from '@millrace/query';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addClause,
  dropValue,
  excludeValue,
  includedValues,
  includeValue,
  onlyValue,
  requireField,
  withoutIncluded,
} from './edit-query.ts';

test('whole numbers beyond 2^53 are written as they are', () => {
  expect(onlyValue('order', 9223372036854775807n)).toBe('order:9223372036854775807');
  expect(onlyValue('order', -9223372036854775808n)).toBe(
    onlyValue('order', -9).replace('9', '9223372036854775808'),
  );
});

describe('include', () => {
  test.each([
    ['', 'source:web-1'],
    ['*', 'source:web-1'],
    ['timeout', 'timeout AND source:web-1'],
    ['level:<=3', 'level:<=3 AND source:web-1'],
    ['took_ms:[10 TO 20}', 'took_ms:[10 TO 20} AND source:web-1'],
    ['"a b"~2', '"a b"~2 AND source:web-1'],
    ['user:/ad.*/', 'user:/ad.*/ AND source:web-1'],
    ['tiemout~', 'tiemout~ AND source:web-1'],
    ['user:a*', 'user:a* AND source:web-1'],
    ['_exists_:user', '_exists_:user AND source:web-1'],
    ['NOT user:ada', 'NOT user:ada AND source:web-1'],
    ['a AND b', 'a AND b AND source:web-1'],
    ['a OR b', '(a OR b) AND source:web-1'],
    ['a b', '(a b) AND source:web-1'],
    ['source:[a TO b]', 'source:[a TO b] AND source:web-1'],
    ['user:ada OR source:db', '(user:ada OR source:db) AND source:web-1'],
  ])('%j becomes %j', (before, after) => {
    expect(includeValue(before, 'source', 'web-1')).toBe(after);
  });

  test.each([
    ['source:web-1', 'source:(web-1 OR web-2)'],
    ['source:"web 1"', 'source:("web 1" OR web-2)'],
    // Every value that is shown fits the pattern already: choosing one narrows.
    ['source:web-*', 'source:web-* AND source:web-2'],
    ['source:/web-./', 'source:/web-./ AND source:web-2'],
    ['source:(web-1 OR web-3)', 'source:(web-1 OR web-3 OR web-2)'],
    ['source:web-1 OR source:web-3', 'source:web-1 OR source:web-3 OR source:web-2'],
    ['level:3 AND source:web-1', 'level:3 AND source:(web-1 OR web-2)'],
    ['source:web-1 AND level:3', 'source:(web-1 OR web-2) AND level:3'],
    ['(source:web-1 OR source:db) AND level:3', '(source:web-1 OR source:db OR source:web-2) AND level:3'],
    ['source:web-2 AND level:3', 'source:web-2 AND level:3'],
    ['level:3 AND NOT source:web-2', 'level:3 AND source:web-2'],
    ['NOT source:web-2', 'source:web-2'],
  ])('on a field that is there: %j becomes %j', (before, after) => {
    expect(includeValue(before, 'source', 'web-2')).toBe(after);
  });

  test('a query that cannot be read is replaced', () => {
    expect(includeValue('"abc', 'source', 'web-1')).toBe('source:web-1');
  });
});

describe('what is included', () => {
  test.each([
    ['source:web-1', ['web-1'], '*'],
    ['source:(web-1 OR "web 2") AND level:3', ['web-1', 'web 2'], 'level:3'],
    ['level:3 AND source:web-1', ['web-1'], 'level:3'],
    // What excludes a value still hides it, and every value that is shown fits a pattern.
    ['NOT source:web-1', [], 'NOT source:web-1'],
    ['source:web-*', [], 'source:web-*'],
    ['source:web-1 OR level:3', [], 'source:web-1 OR level:3'],
    ['"abc', [], '"abc'],
    ['*', [], '*'],
  ])('%j has %j beside %j', (query, values, rest) => {
    expect(includedValues(query, 'source')).toEqual(values);
    expect(withoutIncluded(query, 'source')).toBe(rest);
  });

  test.each([
    ['source:web-1', '*'],
    ['source:(web-1 OR web-2)', 'source:web-2'],
    ['level:3 AND source:web-1', 'level:3'],
    ['level:3 AND source:web-2', 'level:3 AND source:web-2'],
    ['"abc', '"abc'],
  ])('dropped again, %j becomes %j', (before, after) => {
    expect(dropValue(before, 'source', 'web-1')).toBe(after);
  });
});

describe('exclude', () => {
  test.each([
    ['*', 'NOT source:web-1'],
    ['timeout', 'timeout AND NOT source:web-1'],
    ['a OR b', '(a OR b) AND NOT source:web-1'],
    ['source:web-1', 'NOT source:web-1'],
    ['source:web-1 AND level:3', 'NOT source:web-1 AND level:3'],
    ['NOT source:web-1', 'NOT source:web-1'],
    ['NOT source:db', 'NOT source:db AND NOT source:web-1'],
    ['source:(web-1 OR web-2) AND a', 'source:web-2 AND a'],
    ['source:web-*', 'source:web-* AND NOT source:web-1'],
  ])('%j becomes %j', (before, after) => {
    expect(excludeValue(before, 'source', 'web-1')).toBe(after);
  });
});

test('only replaces the query', () => {
  expect(onlyValue('user name', 'ada "the" first')).toBe('user\\ name:"ada \\"the\\" first"');
  expect(onlyValue('took_ms', -5)).toBe('took_ms:\\-5');
  expect(onlyValue('word', 'AND')).toBe('word:"AND"');
});

test('a field can be required, and a query narrowed by another', () => {
  expect(requireField('a OR b', 'user.name')).toBe('(a OR b) AND _exists_:user.name');
  expect(addClause('level:3', 'a OR b')).toBe('level:3 AND (a OR b)');
});

test('whatever the field and the value are, the edited query can be read and finds the value', () => {
  const name = fc.string({ minLength: 1, unit: 'grapheme' }).filter((text) => text.trim() !== '');
  const before = fc.constantFrom('*', 'a OR b', 'a AND NOT b:c', 'x:(1 OR 2)', 'level:<=3');
  fc.assert(
    fc.property(
      before,
      name,
      fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer()),
      (query, field, value) => {
        for (const edited of [includeValue(query, field, value), excludeValue(query, field, value)]) {
          const parsed = parseQuery(edited);
          expect(parsed.problems.filter(({ severity }) => severity === 'error')).toEqual([]);
        }
      },
    ),
  );
});
