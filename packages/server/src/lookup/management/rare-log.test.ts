import { expect, test } from 'vitest';
import { ManualClock } from '#testing/manual-clock.ts';
import { createRareLog } from './rare-log.ts';

test('what happens often is said once a minute, with how often', () => {
  const clock = new ManualClock();
  const said: unknown[] = [];
  const failed = createRareLog(clock, (reason, times) => said.push([reason, times]));
  failed('a');
  failed('b');
  clock.advance(59_999);
  failed('c');
  clock.advance(1);
  failed('d');
  expect(said).toEqual([
    ['a', 1],
    ['d', 3],
  ]);
});
