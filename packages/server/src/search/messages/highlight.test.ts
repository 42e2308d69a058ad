import { parseQuery } from '@millrace/query';
import { expect, test } from 'vitest';
import { createHighlighter } from './highlight.ts';

const FIELDS = new Map([
  ['message', 'GET /login: user Üser-1 user 🦀 failed'],
  ['user', 'Üser'],
]);

/** The highlighted texts of each field. */
function marked(query: string): Record<string, string[]> | undefined {
  const parsed = parseQuery(query).query;
  if (parsed === undefined) throw new Error(query);
  const message = { id: '', index: '', timestamp: 0, receivedAt: 0, fields: FIELDS };
  const ranges = createHighlighter(parsed)?.()(message);
  return (
    ranges &&
    Object.fromEntries(
      Object.entries(ranges).map(([field, all]) => [
        field,
        all.map(({ start, length }) => (FIELDS.get(field) ?? '').slice(start, start + length)),
      ]),
    )
  );
}

test.each([
  ['user', { message: ['user', 'user'] }],
  ['LOGIN', { message: ['login'] }],
  ['"get login"', { message: ['GET /login'] }],
  ['üser', { message: ['Üser'], user: ['Üser'] }],
  ['user:üser', { user: ['Üser'] }],
  ['fail*', { message: ['failed'] }],
  ['*ed', { message: ['failed'] }],
  ['\\/log*', { message: ['login'] }],
  ['l?gin', { message: ['login'] }],
  ['🦀', { message: ['🦀'] }],
  ['user AND NOT failed', { message: ['user', 'user'] }],
  ['log', undefined],
  ['*', undefined],
  ['level:>3', undefined],
])('%s', (query, expected) => {
  expect(marked(query)).toEqual(expected);
});

test('a pattern with many wildcards is not highlighted', () => {
  expect(marked('*a*i*e*d*')).toBeUndefined();
});

test('highlighting a page has a bound: what lies beyond it stays unmarked', () => {
  const fields = new Map([['message', 'failed '.repeat(8000)]]);
  const message = { id: '', index: '', timestamp: 0, receivedAt: 0, fields };
  const marksOf = (text: string, messages: number) => {
    const highlight = createHighlighter(parseQuery(text).query ?? { type: 'all' })?.();
    return Array.from({ length: messages }, () => highlight?.(message)?.message?.length ?? 0);
  };
  const wildcards = Array.from({ length: 300 }, (_, at) => `fa*${at}*`).join(' ');
  expect(marksOf(`${wildcards} failed`, 3)).toEqual([100, 0, 0]);
  // Words alone are cheap.
  expect(marksOf('failed', 20)).toEqual(new Array(20).fill(100));
});
