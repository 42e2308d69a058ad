import { expect, test } from 'vitest';
import { changesOf } from './changes.ts';
import { fieldSections, typeSign } from './field-names.ts';
import type { Facet } from './queries.ts';

const facet = (
  field: string,
  values: Record<string, number>,
  distinct = Object.keys(values).length,
): Facet => ({
  field,
  present: 0,
  missing: 0,
  distinct,
  values: Object.entries(values).map(([value, count]) => ({ value, count, share: 0 })),
  other: 0,
});

test('fields: pinned ones, those of the messages, the others; only what was typed', () => {
  expect(fieldSections(['a', 'user', 'fav'], ['user', 'took', 'message'], ['fav'], '')).toEqual([
    { title: 'Pinned', names: ['level', 'source', 'streams', 'fav'] },
    { title: 'In these messages', names: ['took', 'user'] },
    { title: 'All fields', names: ['a'] },
  ]);
  expect(fieldSections(['a', 'user'], ['user', 'took'], [], ' US ')).toEqual([
    { title: 'In these messages', names: ['user'] },
  ]);
});

test('types are signs, several types are a badge', () => {
  expect(typeSign('string')).toBeUndefined();
  expect(typeSign('long')?.sign).toBe('#');
  expect(typeSign('compound(double,string)')).toEqual({
    sign: '2 types',
    title: 'Some messages have a double, others a string',
  });
});

test('the value that grew most stands first', () => {
  const now = facet('source', { a: 100, b: 50, c: 3 });
  expect(changesOf(now, facet('source', { a: 90, b: 5, d: 7 }), 10)).toEqual([
    { value: 'b', count: 50, before: 5 },
    { value: 'a', count: 100, before: 90 },
    { value: 'c', count: 3, before: 0 },
    { value: 'd', count: 0, before: 7 },
  ]);
  // Of many values only the most frequent are known.
  expect(changesOf(now, facet('source', { a: 90 }, 500), 10).map(({ before }) => before)).toEqual([
    90,
    undefined,
    undefined,
  ]);
});
