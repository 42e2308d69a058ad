import { expect, test } from 'vitest';
import { TEST_DEFAULT_STREAM, TEST_FAILURE_STREAM, testStream } from '#testing/processing-snapshot.ts';
import { createRoutingTargets } from './routing-targets.ts';

const ALL = TEST_DEFAULT_STREAM.id;
const builtIn = { defaultStream: TEST_DEFAULT_STREAM, failureStream: TEST_FAILURE_STREAM };

test('an output of several streams is named once', () => {
  const streams = ['a', 'b'].map((id) => testStream(id, { outputIds: ['o2', 'o1'], indexSetId: 'one' }));
  const targets = createRoutingTargets(streams, builtIn);
  expect(targets.withMatches(targets.defaultTarget, [1, 0], 2)).toEqual({
    streamIds: [ALL, 'a', 'b'],
    indexSetIds: ['default-set', 'one'],
    outputIds: ['o1', 'o2'],
  });
});

test('the same streams are the same object, whatever way they were reached', () => {
  const targets = createRoutingTargets([testStream('a'), testStream('b')], builtIn);
  const { defaultTarget } = targets;
  const both = targets.withMatches(defaultTarget, [0, 1], 2);
  expect(targets.add(targets.add(defaultTarget, 'b'), 'a')).toBe(both);
  expect(targets.remove(targets.remove(both, 'a'), 'b')).toBe(defaultTarget);
  expect(targets.add(targets.remove(both, ALL), ALL)).toBe(both);
});

test('a message that was removed from the default stream is there only as long as it has no other one', () => {
  const targets = createRoutingTargets([testStream('a'), testStream('b')], builtIn);
  const removed = targets.remove(targets.defaultTarget, ALL);
  expect(removed).toEqual(targets.defaultTarget);
  expect(targets.withMatches(removed, [0, 1], 2).streamIds).toEqual(['a', 'b']);
  expect(targets.add(removed, 'a').streamIds).toEqual(['a']);
  const nowhere = targets.remove(targets.add(removed, 'a'), 'a');
  expect(targets.add(nowhere, 'b').streamIds).toEqual(['b']);
  expect(targets.add(targets.add(removed, ALL), 'a').streamIds).toEqual([ALL, 'a']);
});

test('a stream that removes its messages from the default stream does so whatever way they come', () => {
  const streams = [testStream('a', { removeMatchesFromDefault: true }), testStream('b')];
  const targets = createRoutingTargets(streams, builtIn);
  const { defaultTarget } = targets;
  expect(targets.withMatches(defaultTarget, [0, 1], 2).streamIds).toEqual(['a', 'b']);
  expect(targets.add(targets.add(defaultTarget, 'b'), 'a').streamIds).toEqual(['a', 'b']);
  expect(targets.add(targets.add(defaultTarget, 'a'), ALL).streamIds).toEqual([ALL, 'a']);
});

test('only streams that run can be added', () => {
  const targets = createRoutingTargets([testStream('a')], builtIn);
  expect(targets.add(targets.defaultTarget, 'paused')).toBe(targets.defaultTarget);
  expect(targets.add(targets.defaultTarget, TEST_FAILURE_STREAM.id)).toBe(targets.defaultTarget);
});

test('more combinations than memory may hold are still right', () => {
  const names = Array.from({ length: 15 }, (_, index) => `s${String(index).padStart(2, '0')}`);
  const targets = createRoutingTargets(
    names.map((name) => testStream(name)),
    builtIn,
  );
  for (let bits = 0; bits < 2 ** names.length; bits++) {
    const matched = names.flatMap((_, position) => ((bits >> position) & 1 ? [position] : []));
    const target = targets.withMatches(targets.defaultTarget, matched, matched.length);
    if (target.streamIds.length !== matched.length + 1) expect.fail(`wrong streams for ${matched}`);
    if (bits % 4099 === 0)
      expect(target.streamIds).toEqual([ALL, ...matched.map((position) => names[position])]);
  }
});
