import { compilePermissions } from '@millrace/contract/permission-set';
import { expect, test } from 'vitest';
import { titlesById } from './queries.ts';

const GONE = '000000000000000000000009';
const results = [
  { data: { id: '000000000000000000000001', title: 'All messages' }, isPending: false },
  { data: { id: GONE, title: null }, isPending: false },
] as const;

test('a stream that is gone is called so, for those who could read it', () => {
  const { titles } = titlesById(results, compilePermissions(['*']));
  expect(titles).toEqual({ '000000000000000000000001': 'All messages', [GONE]: 'deleted stream' });
  const { titles: ofReader } = titlesById(
    results,
    compilePermissions(['streams:read:000000000000000000000001']),
  );
  expect(Object.keys(ofReader)).toEqual(['000000000000000000000001']);
});
