import fc from 'fast-check';
import { expect, test } from 'vitest';
import { InvalidError } from '#core/index.ts';
import { encodeCursor, parseCursor } from './cursor.ts';
import { fitsSortKeys, NEWEST_FIRST, parseSort, requireSort, sortKeys } from './sort.ts';

test.each([
  ['timestamp:desc', { field: 'timestamp', direction: 'desc' }],
  ['timestamp', { field: 'timestamp', direction: 'desc' }],
  ['user.id:Ascending', { field: 'user.id', direction: 'asc' }],
  [' level : DESCENDING ', { field: 'level', direction: 'desc' }],
  ['level', { field: 'level', direction: 'asc' }],
  ['a:b:asc', { field: 'a:b', direction: 'asc' }],
  ['level:sideways', undefined],
  [':asc', undefined],
  ['', undefined],
])('%j', (text, expected) => {
  expect(parseSort(text)).toEqual(expected);
});

test('an invalid order is refused and quoted', () => {
  expect(requireSort(undefined)).toEqual({ field: 'timestamp', direction: 'desc' });
  expect(() => requireSort('level:sideways')).toThrow('"level:sideways" is not a sort order');
});

test('a cursor survives encoding; any other text is refused', () => {
  const cursor = {
    sort: { field: 'code', direction: 'asc' },
    span: { from: 0, to: 5 },
    position: { keys: [1.5, null, 'ü'], timestamp: -1, receivedAt: 2, partition: 2 ** 40, offset: 3 },
  } as const;
  expect(parseCursor(encodeCursor(cursor))).toEqual(cursor);
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json().map((json) => Buffer.from(json).toString('base64url')),
      ),
      (text) => {
        expect(() => parseCursor(text)).toThrow(InvalidError);
      },
    ),
  );
});

test('the values of a cursor must have the types of its sort keys', () => {
  const keys = sortKeys({ field: 'code', direction: 'asc' });
  const fits = (...values: (string | number | null)[]) =>
    fitsSortKeys({ keys: values, timestamp: 0, receivedAt: 0, partition: 0, offset: 0 }, keys);
  expect(fits(1.5, null, null)).toBe(true);
  expect(fits(2 ** 63, '9223372036854775807', 'x')).toBe(true);
  expect(fits(-(2 ** 63), '-9223372036854775808', 'x')).toBe(true);
  expect(fits(2 ** 63, '9223372036854775808', null)).toBe(false);
  expect(fits('1', null, null)).toBe(false);
  expect(fits(1, 'one', null)).toBe(false);
  expect(fits(1, '99999999999999999999', null)).toBe(false);
  expect(fits(1, null)).toBe(false);
});

test('a cursor stays short, however long the texts are', () => {
  for (const field of ['message', 'full_message', 'stack_trace']) {
    const text = sortKeys({ field, direction: 'asc' }).at(-1);
    expect(text?.expression).toMatch(/^leftUTF8\(.*, 500\)$/);
  }
  // A control character takes the most room: six characters in JSON.
  const keys = [null, null, '\u0001'.repeat(500)];
  const position = { keys, timestamp: 1e12, receivedAt: 1e12, partition: 2 ** 52, offset: 2 ** 52 };
  const cursor = { sort: NEWEST_FIRST, span: { from: 1e12, to: 1e12 }, position };
  // It must fit into the head of a request, which has at most 8192 bytes by default.
  expect(encodeCursor(cursor).length).toBeLessThan(5000);
});
