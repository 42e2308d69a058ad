import { expect, test } from 'vitest';
import { ConsumerProgress } from './progress.ts';

test('batches are contiguous and committed in order, whatever order storage confirms them in', () => {
  const progress = new ConsumerProgress(10, []);
  progress.begin(20, 'a');
  progress.begin(25, 'b');
  progress.begin(40, 'c');
  expect(progress.inFlight).toMatchObject([
    { fromOffset: 10, endOffset: 20 },
    { fromOffset: 20, endOffset: 25 },
    { fromOffset: 25, endOffset: 40 },
  ]);
  progress.commitBatch('b');
  expect(progress.committed).toBe(10);
  progress.commitBatch('a');
  expect(progress.committed).toBe(25);
  progress.commitBatch('c');
  expect(progress.committed).toBe(40);
  expect(progress.inFlight).toEqual([]);
});

test('unreadable ranges are done with once everything before them is', () => {
  const progress = new ConsumerProgress(0, []);
  expect(progress.skip(5, 8)).toBe(3);
  expect(progress.skip(5, 9)).toBe(1);
  expect(progress.skip(6, 7)).toBe(0);
  expect(progress.readableFrom(5)).toBe(9);
  expect(progress.readableFrom(4)).toBe(4);
  expect(progress.uncommittedBelow(20)).toBe(16);
  progress.commitThrough(5);
  expect(progress.committed).toBe(9);
  expect(progress.uncommittedBelow(20)).toBe(11);
  expect(progress.skip(2, 9)).toBe(0);
});

test('what a drop went past can still be committed by its token', () => {
  const progress = new ConsumerProgress(0, []);
  progress.begin(10, 'a');
  progress.commitThrough(30);
  expect(progress.committed).toBe(30);
  progress.commitBatch('a');
  expect(progress.committed).toBe(30);
  progress.begin(31, 'b');
  expect(progress.inFlight).toMatchObject([{ fromOffset: 30, endOffset: 31 }]);
});

test('batches of an earlier run are in flight from the start', () => {
  const progress = new ConsumerProgress(5, [{ fromOffset: 5, endOffset: 9, token: 'old' }]);
  expect(() => progress.begin(9, 'new')).toThrow('is empty');
  progress.begin(9, 'old');
  progress.commitBatch('old');
  expect(progress.committed).toBe(9);
});

test('a batch whose records were dropped before it was begun is empty, and no fault of the consumer', () => {
  const progress = new ConsumerProgress(0, []);
  progress.begin(10, 'a');
  progress.commitThrough(30);
  progress.begin(25, 'b');
  progress.begin(25, 'b');
  progress.begin(40, 'c');
  expect(progress.inFlight).toMatchObject([
    { token: 'a' },
    { token: 'b', fromOffset: 25, endOffset: 25 },
    { token: 'c', fromOffset: 30, endOffset: 40 },
  ]);
  expect(() => progress.begin(28, 'd')).toThrow('is empty');
  for (const token of ['c', 'b', 'a']) progress.commitBatch(token);
  expect(progress.committed).toBe(40);
  expect(progress.inFlight).toEqual([]);
});
