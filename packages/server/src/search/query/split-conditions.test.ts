import { parseQuery } from '@millrace/query';
import { expect, test } from 'vitest';
import { createSqlParameters, queryConditions } from './index.ts';

function conditionsOf(text: string) {
  const { query } = parseQuery(text);
  if (query === undefined) throw new Error(`not a query: ${text}`);
  const fields = [{ name: 'order', types: ['number' as const] }];
  const context = { fields, visibleStreams: undefined, now: 0, timeZone: 'UTC' };
  return queryConditions(query, context, createSqlParameters());
}

test.each(['48392', '48392 AND source:web', 'cart AND 48392'])(
  'a long number that may be in fields too is looked for with the index, then in the fields: %s',
  (text) => {
    const { split, indexed } = conditionsOf(text);
    expect(split).toHaveLength(2);
    const [narrowed, other] = split ?? [];
    expect(narrowed).toContain('indexHint');
    expect(narrowed).not.toContain('fields.');
    expect(other).toContain('fields.');
    expect(other).toContain('NOT (');
    expect(indexed).toContain(' OR ');
  },
);

test.each(['*', 'cart', '404', 'cart OR 48392', 'NOT 48392', 'order:48392', '"48392"'])(
  'of others nothing would be gained: %s',
  (text) => {
    expect(conditionsOf(text).split).toBeUndefined();
  },
);

test('a very long query stays in one piece', () => {
  const words = Array.from({ length: 400 }, (_, at) => `"some text ${at}"`).join(' AND ');
  const { split, indexed } = conditionsOf(`48392 AND ${words}`);
  expect([split, indexed.length > 10_000]).toEqual([undefined, true]);
});
