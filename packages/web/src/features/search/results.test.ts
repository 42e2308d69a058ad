import { expect, test } from 'vitest';
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
