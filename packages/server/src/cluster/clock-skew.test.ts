import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clockOffset, greatestSkew, readClockOffset } from './clock-skew.ts';

const node = (nodeId: string, offsetMs: number, errorMs = 1) => ({ nodeId, clock: { offsetMs, errorMs } });

test('names the two nodes that are farthest apart, and how far at least', () => {
  const skew = greatestSkew([node('a', 20), node('b', -4000, 10), node('c', 3000, 5), node('d', 0)]);
  expect(skew).toMatchObject({ ahead: { nodeId: 'c' }, behind: { nodeId: 'b' }, differenceMs: 6985 });
});

test('a node that was held up while it compared, or has not compared yet, proves nothing', () => {
  expect(greatestSkew([node('a', 0), node('b', 15_000, 15_001)])?.differenceMs ?? 0).toBe(0);
  expect(greatestSkew([node('a', 0), { nodeId: 'b', clock: undefined }])).toBeUndefined();
  expect(greatestSkew([])).toBeUndefined();
});

test('whatever the delays, a difference is never reported greater than it is', () => {
  const delay = fc.integer({ min: 0, max: 30_000 });
  fc.assert(
    fc.property(
      fc.array(fc.record({ ahead: fc.integer({ min: -10_000, max: 10_000 }), there: delay, back: delay }), {
        minLength: 2,
        maxLength: 5,
      }),
      (clocks) => {
        const database = 1_000_000;
        const nodes = clocks.map(({ ahead, there, back }) => ({
          ahead,
          clock: clockOffset(database - there + ahead, database + back + ahead, database),
        }));
        const skew = greatestSkew(nodes);
        if (skew === undefined) return;
        expect(skew.differenceMs).toBeLessThanOrEqual(Math.max(0, skew.ahead.ahead - skew.behind.ahead));
      },
    ),
  );
});

test('details of a node of another version are read if they can be', () => {
  expect(readClockOffset({ clock: { offsetMs: 5, errorMs: 1 } })).toEqual({ offsetMs: 5, errorMs: 1 });
  for (const details of [{}, { clock: null }, { clock: 7 }, { clock: { offsetMs: '5' } }]) {
    expect(readClockOffset(details)).toBeUndefined();
  }
});
