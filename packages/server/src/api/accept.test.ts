import { expect, test } from 'vitest';
import { preferredType } from './accept.ts';

const OFFERED = ['application/json', 'text/csv', 'text/plain'] as const;

test.each([
  [undefined, 'application/json'],
  ['', 'application/json'],
  ['*/*', 'application/json'],
  ['text/html', 'application/json'],
  ['text/csv', 'text/csv'],
  ['TEXT/CSV; charset=utf-8', 'text/csv'],
  ['text/plain, */*', 'text/plain'],
  ['text/*', 'text/csv'],
  ['text/csv, application/json', 'text/csv'],
  ['application/json, text/csv', 'application/json'],
  ['application/json;q=0.5, text/csv;q=0.9', 'text/csv'],
  ['text/csv;q=0, */*', 'application/json'],
  ['text/csv;q=nonsense', 'text/csv'],
  [';;,,q=1', 'application/json'],
])('%s: %s', (accept, expected) => {
  expect(preferredType(accept, OFFERED)).toBe(expected);
});
