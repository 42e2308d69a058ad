import { expect, test } from 'vitest';
import { ApiError, NetworkError } from '../../lib/api/index.ts';
import { obstacleOf } from './cannot-run.tsx';
import { DEFAULT_RANGE, searchParams } from './search-params.ts';

const valuesOf = (q: string, t = '15m') => searchParams.read({ q, t }).values;
const refused = new ApiError('Nobody knows that day.', { status: 400, body: {} });

test('a wrong query says what is wrong, and offers what can be run', () => {
  const obstacle = obstacleOf(valuesOf('status:[500 TO'), null);
  expect(obstacle).toMatchObject({ title: 'This query cannot be run', label: 'Show all messages' });
  expect(obstacle?.why).toContain('not closed');
  expect(obstacle?.changes).toEqual({ q: '*' });
});

test('words that are no time say so, and offer the usual time', () => {
  expect(obstacleOf(valuesOf('x', 'someday'), refused)).toEqual({
    title: '“someday” is no time that can be understood',
    why: 'Nobody knows that day.',
    label: 'Search the last 15 minutes',
    changes: { t: DEFAULT_RANGE },
  });
});

test('a server that cannot answer is no fault of the search', () => {
  expect(obstacleOf(valuesOf('x', 'someday'), new NetworkError())).toBeUndefined();
  const failure = new ApiError('It failed.', { status: 500, body: {} });
  expect(obstacleOf(valuesOf('x', 'someday'), failure)).toBeUndefined();
  expect(obstacleOf(valuesOf('x'), null)).toBeUndefined();
});
