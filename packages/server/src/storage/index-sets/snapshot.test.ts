import { expect, test } from 'vitest';
import { testTarget } from '#testing/messages.ts';
import { DEFAULT_SET, OTHER_SET, testSnapshot } from '#testing/writer-fixture.ts';
import { placementOf } from './snapshot.ts';

const GONE_SET = '00000000000000000000000f';
const snapshot = testSnapshot(1);

function placed(...indexSetIds: string[]) {
  const { indexSets, target } = placementOf(testTarget(indexSetIds), snapshot);
  expect(target.indexSetIds).toEqual(indexSets.map(({ id }) => id));
  return target.indexSetIds;
}

test('a message is stored in all of its index sets', () => {
  const target = testTarget([DEFAULT_SET, OTHER_SET]);
  const placement = placementOf(target, snapshot);
  expect(placement.indexSets.map(({ id }) => id)).toEqual([DEFAULT_SET, OTHER_SET]);
  expect(placement.target).toBe(target);
});

test('without those that are gone; in the default one if there is no other', () => {
  expect(placed(OTHER_SET, GONE_SET)).toEqual([OTHER_SET]);
  expect(placed(GONE_SET)).toEqual([DEFAULT_SET]);
});

test('a snapshot without the default index set is refused', () => {
  expect(() => placementOf(testTarget([GONE_SET]), testSnapshot(1, {}, [OTHER_SET]))).toThrow(GONE_SET);
});
