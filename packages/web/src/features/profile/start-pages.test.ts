import { expect, test } from 'vitest';
import { pathOfStartpage, startChoices } from './start-pages.ts';

test('Graylog’s start pages lead to ours', () => {
  expect(pathOfStartpage(null)).toBeUndefined();
  expect(pathOfStartpage({ type: 'stream', id: '1' })).toBe('/search?s=1');
  expect(pathOfStartpage({ type: 'search', id: '1' })).toBe('/search/saved/1');
  expect(pathOfStartpage({ type: 'dashboard', id: '1' })).toBeUndefined();
});

test('a group without anything is not offered', () => {
  const groups = startChoices([{ to: '/search', label: 'Search' }], [{ id: '1', title: 'Web' }], []);
  expect(groups.map(({ group }) => group)).toEqual(['Pages', 'Streams']);
});
