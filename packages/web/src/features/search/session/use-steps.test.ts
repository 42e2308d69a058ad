import { expect, test } from 'vitest';
import { labelsAfter } from './use-steps.ts';

test('a new entry takes the place of the steps that were undone', () => {
  const labels = { 1: 'include web-1', 2: 'exclude web-2', 3: 'last hour' };
  expect(labelsAfter(labels, 2, 'only web-3')).toEqual({ 1: 'include web-1', 2: 'only web-3' });
  expect(labelsAfter(labels, 2, undefined)).toEqual({ 1: 'include web-1' });
  expect(labelsAfter(labels, 300, 'the last one')).toEqual({ 300: 'the last one' });
});
