import { parseQuery } from '@millrace/query';
import { expect, test } from 'vitest';
import { templatesAt } from './templates.ts';

const NOW = Date.parse('2026-11-15T10:00:00Z');
const types = new Map([
  ['took_ms', 'long'],
  ['timestamp', 'date'],
  ['source', 'string'],
]);
const templates = (query: string) =>
  templatesAt(query, query.length, (field) => types.get(field), NOW).map(({ text }) => text);

test.each([
  ['', ['_exists_:']],
  ['_ex', ['_exists_:']],
  ['timeout AND _exi', ['_exists_:']],
  ['lev', []],
  ['took_ms:', ['>=', '<=', '[10 TO 100]']],
  ['took_ms:5', []],
  ['source:', []],
  ['timestamp:', ['[2026-11-14 TO 2026-11-15]', '>="2026-11-15 00:00:00"']],
])('%j offers %j', (query, expected) => {
  expect(templates(query)).toEqual(expected);
});

test('a template that is complete is a query', () => {
  for (const text of [...templates('timestamp:'), '[10 TO 100]']) {
    expect(parseQuery(`f:${text}`).query).toBeDefined();
  }
});
