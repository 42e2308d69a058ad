import { expect, test } from 'vitest';
import { MAX_ROWS, nextPage } from './queries.ts';

const page = (messages: number) => ({ messages: Array.from({ length: messages }, () => ({}) as never) });

test('the list goes on by cursor, until there is none or the browser holds enough', () => {
  expect(nextPage({ cursor: 'c' }, [page(100)])).toBe('c');
  expect(nextPage({}, [page(100)])).toBeUndefined();
  expect(nextPage({ cursor: 'c' }, [page(MAX_ROWS - 1)])).toBe('c');
  expect(nextPage({ cursor: 'c' }, [page(MAX_ROWS)])).toBeUndefined();
});
