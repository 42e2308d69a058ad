import { expect, test } from 'vitest';
import { FAILURE_STREAM_ID, ForbiddenError } from '#core/index.ts';
import { principalFor } from '#testing/api-fixture.ts';
import { followedStreams, streamsStillFollowed, visibleStreams } from './access.ts';

const ALL = ['b', 'a', FAILURE_STREAM_ID];
const user = (...permissions: string[]) => {
  const principal = principalFor({ user: permissions }, 'user');
  if (principal === undefined) throw new Error('no such user');
  return principal;
};

test('a user who may read all streams follows all of them', () => {
  expect(followedStreams(user('*'), undefined, ALL, false)).toBeUndefined();
});

test('other users follow what they may read, failures only on request', () => {
  const reader = user(
    'searches:relative',
    'streams:read:b',
    'streams:read:a',
    `streams:read:${FAILURE_STREAM_ID}`,
  );
  expect(followedStreams(reader, undefined, ALL, false)).toEqual(['a', 'b']);
  expect(followedStreams(reader, undefined, ALL, true)).toEqual([FAILURE_STREAM_ID, 'a', 'b']);
  expect(followedStreams(reader, [FAILURE_STREAM_ID], ALL, false)).toEqual([FAILURE_STREAM_ID]);
  expect(followedStreams(user('searches:relative'), undefined, ALL, false)).toEqual([]);
  expect(followedStreams(user('streams:read:a'), undefined, ALL, false)).toEqual(['a']);
  expect(() => followedStreams(user('system:read'), undefined, ALL, false)).toThrow(ForbiddenError);
});

test('a requested stream needs permission', () => {
  expect(() => followedStreams(user('streams:read:a'), ['a', 'b'], ALL, false)).toThrow(ForbiddenError);
  expect(followedStreams(user('streams:read:a'), ['a', 'a'], ALL, false)).toEqual(['a']);
});

test('an open tail loses single streams, and ends with the last one', () => {
  expect(streamsStillFollowed(user('streams:read:a'), ['b', 'a'], ALL, false)).toEqual(['a']);
  expect(() => streamsStillFollowed(user('streams:read:x'), ['b', 'a'], ALL, false)).toThrow(ForbiddenError);
  expect(() => streamsStillFollowed(user('streams:edit:a'), undefined, ALL, false)).toThrow(ForbiddenError);
});

test('who may not read all streams knows only of those they may read', () => {
  expect(visibleStreams(user('streams:read'), ALL)).toBeUndefined();
  expect(visibleStreams(user('streams:read:b', 'searches:relative'), ALL)).toEqual(['b']);
});
