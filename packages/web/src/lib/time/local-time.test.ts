import { expect, test } from 'vitest';
import { parseLocalTime } from './local-time.ts';

const NOW = Date.parse('2026-11-15T12:00:00Z');
const AT = '2026-11-15T09:00:00.000Z';

test.each([
  ['2026-11-15T09:00:00Z', AT],
  ['2026-11-15T10:00:00+01:00', AT],
  ['2026-11-15 10:00:00 +0100', AT],
  ['2026-11-15 10:00', AT],
  ['2026/11/15 10:00:00', AT],
  ['2026-11-15 10:00:00,250', '2026-11-15T09:00:00.250Z'],
  ['2026-11-15', '2026-11-14T23:00:00.000Z'],
  ['1794733200', AT],
  ['1794733200.25', '2026-11-15T09:00:00.250Z'],
  ['1794733200250', '2026-11-15T09:00:00.250Z'],
  ['1794733200250000', '2026-11-15T09:00:00.250Z'],
  ['1794733200250000000', '2026-11-15T09:00:00.250Z'],
  ['Nov 15 10:00:00', AT],
  ['Sun Nov 15 10:00:00', AT],
  ['Dec 31 23:59:59', '2025-12-31T22:59:59.000Z'],
  ['15/Nov/2026:10:00:00 +0100', AT],
  ['[15/Nov/2026:04:00:00 -0500]', AT],
  ['15/Nov/2026:10:00:00', AT],
])('%s is understood', (text, expected) => {
  const ms = parseLocalTime(text, 'Europe/Berlin', NOW);
  expect(ms === undefined ? undefined : new Date(ms).toISOString()).toBe(expected);
});

test.each([
  '',
  'yesterday',
  '12',
  '2026-13-01',
  '2026-11-15 25:00',
  'Foo 15 10:00:00',
  '15/Foo/2026:10:00:00',
])('%j is no time', (text) => {
  expect(parseLocalTime(text, 'UTC', NOW)).toBeUndefined();
});
