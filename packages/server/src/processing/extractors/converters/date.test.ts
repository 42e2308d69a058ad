import { expect, test } from 'vitest';
import { InvalidConfiguration } from '#core/index.ts';
import { date } from './date.ts';

/** What the converter makes of a text that was received then. */
function converted(text: string, receivedAt: string, zone = 'UTC', pattern = 'MMM d HH:mm:ss'): string {
  const conversion = date.create({ grokPatterns: new Map() }, { date_format: pattern, time_zone: zone });
  if (conversion instanceof InvalidConfiguration || conversion.kind !== 'value') throw new Error('not valid');
  return String(conversion.convert(text, Date.parse(receivedAt)));
}

test.each([
  ['the same day', 'Jul 4 10:00:00', '2026-07-04T10:00:01Z', 'UTC', '2026-07-04T10:00:00.000Z'],
  ['long before', 'Jan 2 10:00:00', '2026-12-20T10:00:00Z', 'UTC', '2026-01-02T10:00:00.000Z'],
  ['some months ahead', 'Jul 4 10:00:00', '2026-03-01T10:00:00Z', 'UTC', '2026-07-04T10:00:00.000Z'],
  ['just before the new year', 'Dec 31 23:59:59', '2027-01-01T00:00:01Z', 'UTC', '2026-12-31T23:59:59.000Z'],
  ['a clock ahead', 'Jan 1 00:00:01', '2026-12-31T23:59:59Z', 'UTC', '2027-01-01T00:00:01.000Z'],
  ['east', 'Jan 1 00:30:00', '2026-12-31T15:30:00Z', 'Asia/Tokyo', '2027-01-01T00:30:00.000+09:00'],
  ['west', 'Dec 31 20:00:00', '2027-01-01T01:00:00Z', 'America/New_York', '2026-12-31T20:00:00.000-05:00'],
  ['a leap day', 'Feb 29 10:00:00', '2024-02-29T10:00:01Z', 'UTC', '2024-02-29T10:00:00.000Z'],
])('a text without a year is of the year around its receipt: %s', (_, text, receivedAt, zone, expected) => {
  expect(converted(text, receivedAt, zone)).toBe(expected);
});

test('a time of day alone is of the year of its receipt', () => {
  expect(converted('10:00:00', '2026-12-31T10:00:05Z', 'UTC', 'HH:mm:ss')).toBe('2026-01-01T10:00:00.000Z');
});

test('a year in the text counts, however far away it is', () => {
  const year = (text: string) => converted(text, '2026-07-04T10:00:00Z', 'UTC', 'yyyy-MM-dd');
  expect([year('1999-12-31'), year('2090-01-01')]).toEqual([
    '1999-12-31T00:00:00.000Z',
    '2090-01-01T00:00:00.000Z',
  ]);
});
