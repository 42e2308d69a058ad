import { expect, test } from 'vitest';
import { neighbourOf, withTab } from './tab-list.ts';

const tab = (id: number) => ({ id, href: `/search?q=${id}` });

test('a tab is changed in its place, or added at the end', () => {
  expect(withTab([tab(0), tab(1)], { id: 0, href: '/search?q=x' })).toEqual([
    { id: 0, href: '/search?q=x' },
    tab(1),
  ]);
  expect(withTab([tab(0)], tab(3))).toEqual([tab(0), tab(3)]);
});

test('closing a tab leads to its neighbour', () => {
  expect(neighbourOf([tab(0), tab(1), tab(2)], 1)).toEqual(tab(2));
  expect(neighbourOf([tab(0), tab(1)], 1)).toEqual(tab(0));
  expect(neighbourOf([tab(0)], 0)).toBeUndefined();
});
