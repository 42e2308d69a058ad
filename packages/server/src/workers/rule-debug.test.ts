import { expect, test } from 'vitest';
import { ManualClock } from '#testing/manual-clock.ts';
import { createRuleDebug } from './rule-debug.ts';

test('debug() writes short texts, few a second, and says how many it left out', () => {
  const clock = new ManualClock();
  const lines: string[] = [];
  const debug = createRuleDebug((text) => lines.push(text), clock);
  debug('x'.repeat(1500));
  expect(lines).toEqual([`${'x'.repeat(1000)}… (500 more characters)`]);
  for (let count = 0; count < 100; count++) debug('more');
  expect(lines).toHaveLength(20);
  clock.advance(1000);
  debug('later');
  expect(lines.slice(20)).toEqual([
    'PIPELINE DEBUG: 81 texts were left out; at most 20 a second are written',
    'later',
  ]);
});
