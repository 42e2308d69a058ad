import { expect, test } from 'vitest';
import { createSqlParameters } from '../query/index.ts';
import { planParts } from './page-parts.ts';

const HOUR = 3_600_000;

function starts(span: { from: number; to: number }, tookMs: number): number[] {
  const plan = planParts(span, createSqlParameters());
  const found: number[] = [];
  for (let part = plan.next(); part !== undefined; part = plan.next()) {
    found.push(part.from);
    plan.took(tookMs);
  }
  return found;
}

test('parts go back to the start of the range, longer ones when they are quick', () => {
  const quick = starts({ from: 0, to: 128 * HOUR }, 10);
  expect(quick).toEqual([127 * HOUR, 119 * HOUR, 55 * HOUR, 0]);
  const slow = starts({ from: 0, to: 128 * HOUR }, 5000);
  expect(slow.slice(0, 3)).toEqual([127 * HOUR, 125 * HOUR, 121 * HOUR]);
  expect(slow.at(-1)).toBe(0);
  // A busy engine takes long for any statement: there must not be many of them.
  expect(starts({ from: 0, to: 365 * 24 * HOUR }, 5000).length).toBeLessThan(16);
});

test.each([[{ from: 1000, to: 1000 }], [{ from: 0, to: 5 }], [{ from: 2000, to: 1000 }]])(
  '%j ends',
  (span) => {
    expect(starts(span, 10).at(-1)).toBe(span.from);
  },
);
