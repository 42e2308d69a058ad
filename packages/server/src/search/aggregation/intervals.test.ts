import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { autoInterval, parseInterval } from './intervals.ts';

describe('the text of an interval', () => {
  test.each([
    ['minute', 'minute'],
    ['MINUTE', 'minute'],
    ['Hours', 'hour'],
    ['1m', 'minute'],
    ['5m', '5m'],
    ['1M', 'month'],
    ['90 seconds', '90s'],
    ['12H', '12h'],
    ['1 week', 'week'],
    ['1q', 'quarter'],
    ['1Y', 'year'],
  ])('%s is %s', (text, name) => {
    expect(parseInterval(text)?.name).toBe(name);
  });

  test.each(['auto', 'AUTO', ' '])('%j depends on the time range', (text) => {
    expect(parseInterval(text)).toBeUndefined();
  });

  test.each([
    '',
    '0m',
    '-1m',
    '1.5h',
    'minute; DROP',
    '5',
    'm',
    '5 fortnights',
    '2d',
    '9999999m',
    '2 months',
  ])('%j is refused', (text) => {
    if (text === '') expect(parseInterval(text)).toBeUndefined();
    else expect(() => parseInterval(text)).toThrow(/interval/i);
  });

  test('any text is either an interval or an InvalidError', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        try {
          const interval = parseInterval(text);
          expect(interval === undefined || interval.count > 0).toBe(true);
        } catch (error) {
          expect(error).toMatchObject({ name: 'InvalidError' });
        }
      }),
    );
  });
});

test.each([
  [0, 'second'],
  [60, 'second'],
  [300, '5s'],
  [3600, '30s'],
  [86_400, '30m'],
  [7 * 86_400, '3h'],
  [90 * 86_400, 'day'],
  [3 * 365 * 86_400, 'month'],
  [1e12, 'year'],
])('auto over %i seconds is %s', (seconds, name) => {
  expect(autoInterval({ from: 5000, to: 5000 + seconds * 1000 }).name).toBe(name);
});
