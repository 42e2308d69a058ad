import { expect, test } from 'vitest';
import { MAX_RECENT_RANGES, withRecent } from './recent-ranges.ts';

test('the last used comes first, each once, ten at most', () => {
  expect(withRecent(['1h', '15m'], '15m')).toEqual(['15m', '1h']);
  const many = Array.from({ length: 12 }, (_, at) => `${at + 1}m`);
  const recent = many.reduce<readonly string[]>(withRecent, []);
  expect([recent.length, recent[0]]).toEqual([MAX_RECENT_RANGES, '12m']);
});
