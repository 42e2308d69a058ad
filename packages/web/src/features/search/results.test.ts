import { expect, test } from 'vitest';
import { foundText } from './found-count.ts';
import { missingServers } from './missing-servers.ts';
import { MAX_ROWS, nextPage } from './queries.ts';

const page = (messages: number) => ({ messages: Array.from({ length: messages }, () => ({}) as never) });

test('the list goes on by cursor, until there is none or the browser holds enough', () => {
  expect(nextPage({ cursor: 'c' }, [page(100)])).toBe('c');
  expect(nextPage({}, [page(100)])).toBeUndefined();
  expect(nextPage({ cursor: 'c' }, [page(MAX_ROWS - 1)])).toBe('c');
  expect(nextPage({ cursor: 'c' }, [page(MAX_ROWS)])).toBeUndefined();
});

test('the servers that any part of the answer is without', () => {
  expect(missingServers([undefined, null, {}])).toEqual([]);
  const answers = [{}, { missing_servers: ['http://b'] }, { missing_servers: ['http://b', 'http://a'] }];
  expect(missingServers(answers)).toEqual(['http://a', 'http://b']);
});

test.each([
  ['messages', undefined, undefined, '1\u202f500 messages'],
  ['messages', undefined, 7, '1\u202f500 messages'],
  ['messages', '2026-11-15T10:00:00.000Z', undefined, '1\u202f500 messages so far'],
  ['messages', '2026-11-15T10:00:00.000Z', 2000, '2\u202f000 messages, 1\u202f500 listed so far'],
  ['patterns', '2026-11-15T10:00:00.000Z', 2000, '2\u202f000 messages'],
  ['group', '2026-11-15T10:00:00.000Z', 1, '1 message'],
] as const)('how many were found: %s, searched from %s, %s counted', (view, searched_from, counted, text) => {
  const page = { total_results: 1500, ...(searched_from === undefined ? {} : { searched_from }) };
  expect(foundText(page, view, counted)).toBe(text);
});
