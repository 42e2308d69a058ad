import { expect, test } from 'vitest';
import { searchParams } from '../search-params.ts';
import { stepLabel } from './step-label.ts';

const values = (params: Record<string, string>) => searchParams.read(params).values;

test.each([
  [{ q: 'a' }, 'a'],
  [{ t: '1h' }, 'Last hour'],
  [{ s: '1' }, 'other streams'],
  [{ view: 'patterns' }, 'show patterns'],
  [{ live: '1' }, 'follow live'],
  [{ sort: 'level:asc' }, 'sort by level, rising'],
  [{ msg: 'a/b' }, undefined],
])('%j is the step %j', (params, label) => {
  expect(stepLabel(values({}), values(params), 'UTC')).toBe(label);
});
