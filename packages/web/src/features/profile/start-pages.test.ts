import { expect, test } from 'vitest';
import { pathOfStartpage, startChoices, streamOfStart } from './start-pages.ts';

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

test('pages and saved searches are found by their names; streams were found by the server', () => {
  const pages = [
    { to: '/search', label: 'Search' },
    { to: '/alerts', label: 'Alerts' },
  ];
  const groups = startChoices(pages, [{ id: '1', title: 'Web' }], [{ id: '2', title: 'Errors' }], ' ALER');
  expect(groups.flatMap(({ items }) => items.map(({ label }) => label))).toEqual(['Alerts', 'Web']);
});

test('a start page is a stream only when nothing else is searched', () => {
  expect(streamOfStart('/search?s=00000000000000000000000a')).toBe('00000000000000000000000a');
  expect(streamOfStart('/search?s=00000000000000000000000a&q=b')).toBeUndefined();
  expect(streamOfStart('/alerts')).toBeUndefined();
});
