import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InvalidError } from '#core/index.ts';
import { parseInstant, parseTimeRangeText, requireTimeZone, type TimeRange, timeSpanOf } from './index.ts';

/** A Wednesday. */
const NOW = Date.UTC(2026, 5, 10, 12);

function span(range: TimeRange, timeZone = 'UTC', now = NOW): string {
  const { from, to } = timeSpanOf(range, { now, timeZone });
  const text = (time: number) => new Date(time).toISOString().replace('.000Z', 'Z');
  return `${text(from)} ${text(to)}`;
}

function words(keyword: string, timeZone?: string, now?: number): string {
  return span({ type: 'keyword', keyword }, timeZone, now);
}

describe('keyword ranges', () => {
  test.each([
    ['last 5 minutes', '2026-06-10T11:55:00Z 2026-06-10T12:00:00Z'],
    ['Last  Five Minutes', '2026-06-10T11:55:00Z 2026-06-10T12:00:00Z'],
    ['the last 24h', '2026-06-09T12:00:00Z 2026-06-10T12:00:00Z'],
    ['past hour', '2026-06-10T11:00:00Z 2026-06-10T12:00:00Z'],
    ['last week', '2026-06-01T00:00:00Z 2026-06-07T23:59:59.999Z'],
    ['last month', '2026-05-01T00:00:00Z 2026-05-31T23:59:59.999Z'],
    ['last year', '2025-01-01T00:00:00Z 2025-12-31T23:59:59.999Z'],
    ['last 2 weeks', '2026-05-27T12:00:00Z 2026-06-10T12:00:00Z'],
    ['last 99 days', '2026-03-03T00:00:00Z 2026-06-10T23:59:59.999Z'],
    ['last day', '2026-06-09T12:00:00Z 2026-06-10T12:00:00Z'],
    ['4 hours ago', '2026-06-10T08:00:00Z 2026-06-10T12:00:00Z'],
    ['an hour ago to 10 minutes ago', '2026-06-10T11:00:00Z 2026-06-10T11:50:00Z'],
    ['5 minutes ago to now', '2026-06-10T11:55:00Z 2026-06-10T12:00:00Z'],
    ['today', '2026-06-10T00:00:00Z 2026-06-10T12:00:00Z'],
    ['yesterday', '2026-06-09T00:00:00Z 2026-06-09T23:59:59.999Z'],
    ['yesterday 14:00 to 16:00', '2026-06-09T14:00:00Z 2026-06-09T16:00:00Z'],
    ['08:00 to 10:00 yesterday', '2026-06-09T08:00:00Z 2026-06-09T10:00:00Z'],
    ['yesterday to today', '2026-06-09T00:00:00Z 2026-06-10T12:00:00Z'],
    ['yesterday midnight +0200 to today midnight +0200', '2026-06-08T22:00:00Z 2026-06-09T22:00:00Z'],
    ['monday', '2026-06-08T00:00:00Z 2026-06-08T23:59:59.999Z'],
    ['friday', '2026-06-05T00:00:00Z 2026-06-05T23:59:59.999Z'],
    ['between monday and tuesday', '2026-06-08T00:00:00Z 2026-06-09T23:59:59.999Z'],
    ['last friday at 3pm', '2026-06-05T15:00:00Z 2026-06-10T12:00:00Z'],
    ['since yesterday', '2026-06-09T00:00:00Z 2026-06-10T12:00:00Z'],
    ['this week', '2026-06-08T00:00:00Z 2026-06-10T12:00:00Z'],
    ['this hour', '2026-06-10T12:00:00Z 2026-06-10T12:00:00Z'],
    ['this quarter', '2026-04-01T00:00:00Z 2026-06-10T12:00:00Z'],
    ['this morning', '2026-06-10T06:00:00Z 2026-06-10T12:00:00Z'],
    ['december', '2025-12-01T00:00:00Z 2025-12-31T23:59:59.999Z'],
    ['1st of april to 2 days ago', '2026-04-01T00:00:00Z 2026-06-08T12:00:00Z'],
    ['june 1 to june 5', '2026-06-01T00:00:00Z 2026-06-05T23:59:59.999Z'],
    ['from 22:00 to 02:00', '2026-06-09T22:00:00Z 2026-06-10T02:00:00Z'],
    ['14:00', '2026-06-09T14:00:00Z 2026-06-10T12:00:00Z'],
    ['2026-06-01', '2026-06-01T00:00:00Z 2026-06-01T23:59:59.999Z'],
    ['2026-06-01 10:00 to 2026-06-02 11:30', '2026-06-01T10:00:00Z 2026-06-02T11:30:00Z'],
    ['2026-06-01 - 2026-06-02', '2026-06-01T00:00:00Z 2026-06-02T23:59:59.999Z'],
  ])('%s', (keyword, expected) => {
    expect(words(keyword)).toBe(expected);
  });

  test.each([
    '',
    '  ',
    'gibberish',
    'last 5 bananas',
    'yesterday at 3pm banana',
    'tomorrow',
    'x'.repeat(1000),
  ])('rejected: %j', (keyword) => {
    const attempt = () => words(keyword);
    expect(attempt).toThrow(InvalidError);
    expect(attempt).toThrow(`${JSON.stringify(keyword)} is not a time range. Try "last 5 minutes"`);
  });

  test('time zones and daylight saving time', () => {
    expect(words('yesterday', 'Europe/Berlin')).toBe('2026-06-08T22:00:00Z 2026-06-09T21:59:59.999Z');
    expect(words('yesterday 14:00 to 16:00', 'America/New_York')).toBe(
      '2026-06-09T18:00:00Z 2026-06-09T20:00:00Z',
    );
    // In Berlin, 29 March 2026 is an hour short and 25 October an hour long.
    const afterSpring = Date.UTC(2026, 2, 30, 12);
    expect(words('yesterday', 'Europe/Berlin', afterSpring)).toBe(
      '2026-03-28T23:00:00Z 2026-03-29T21:59:59.999Z',
    );
    expect(words('last day', 'Europe/Berlin', Date.UTC(2026, 2, 29, 10))).toBe(
      '2026-03-28T11:00:00Z 2026-03-29T10:00:00Z',
    );
    expect(words('last 24 hours', 'Europe/Berlin', Date.UTC(2026, 2, 29, 10))).toBe(
      '2026-03-28T10:00:00Z 2026-03-29T10:00:00Z',
    );
    const afterAutumn = Date.UTC(2026, 9, 26, 12);
    expect(words('yesterday', 'Europe/Berlin', afterAutumn)).toBe(
      '2026-10-24T22:00:00Z 2026-10-25T22:59:59.999Z',
    );
    // 02:30 does not exist in spring (the later time counts) and exists twice in autumn (the first one counts).
    expect(words('yesterday 02:30 to 04:00', 'Europe/Berlin', afterSpring)).toBe(
      '2026-03-29T01:30:00Z 2026-03-29T02:00:00Z',
    );
    expect(words('yesterday 02:30 to 04:00', 'Europe/Berlin', afterAutumn)).toBe(
      '2026-10-25T00:30:00Z 2026-10-25T03:00:00Z',
    );
    expect(span({ type: 'keyword', keyword: 'today', timezone: 'Asia/Tokyo' })).toBe(
      '2026-06-09T15:00:00Z 2026-06-10T12:00:00Z',
    );
  });

  test('any text is either a range or an InvalidError', () => {
    const word = fc.constantFrom(
      'last',
      'to',
      'yesterday',
      '14:00',
      'monday',
      '-',
      'ago',
      '5',
      'minutes',
      'and',
      '+0200',
    );
    const text = fc.oneof(
      fc.string({ maxLength: 80 }),
      fc.array(word, { maxLength: 8 }).map((all) => all.join(' ')),
    );
    fc.assert(
      fc.property(text, fc.constantFrom('UTC', 'Europe/Berlin', 'Pacific/Apia'), (keyword, timezone) => {
        try {
          const { from, to } = timeSpanOf(
            { type: 'keyword', keyword, timezone },
            { now: NOW, timeZone: 'UTC' },
          );
          expect(from).toBeLessThanOrEqual(to);
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidError);
        }
      }),
    );
  });
});

describe('relative and absolute ranges', () => {
  test('seconds', () => {
    expect(span({ type: 'relative', range: 300 })).toBe('2026-06-10T11:55:00Z 2026-06-10T12:00:00Z');
    expect(timeSpanOf({ type: 'relative', range: 0 }, { now: NOW, timeZone: 'UTC' })).toEqual({
      from: 0,
      to: NOW,
    });
    expect(span({ type: 'relative', from: 3600, to: 60 })).toBe('2026-06-10T11:00:00Z 2026-06-10T11:59:00Z');
    expect(() => span({ type: 'relative', range: -1 })).toThrow('got -1');
    expect(() => span({ type: 'relative', range: Number.NaN })).toThrow('got NaN');
    expect(() => span({ type: 'relative', from: 60, to: 3600 })).toThrow('Swap them');
  });

  test('dates', () => {
    const range = (from: string, to: string) => ({ type: 'absolute', from, to }) as const;
    const expected = '2026-06-01T10:00:00Z 2026-06-01T11:00:00.500Z';
    expect(span(range('2026-06-01T10:00:00.000Z', '2026-06-01T13:00:00.500+02:00'))).toBe(expected);
    expect(span(range('2026-06-01 10:00:00', '2026-06-01 11:00:00.500'))).toBe(expected);
    expect(span(range('2026-06-01 12:00', '2026-06-01T11:00:00.500Z'), 'Europe/Berlin')).toBe(expected);
    expect(() => span(range('yesterdayish', '2026-06-01'))).toThrow(
      'The time range\'s from, "yesterdayish", is not a date. Write it as 2026-01-31T12:00:00.000Z',
    );
    expect(() => span(range('2026-02-30', '2026-06-01'))).toThrow('"2026-02-30", is not a date');
    expect(() => span(range('2026-06-02', '2026-06-01'))).toThrow('Swap them');
  });

  test('a range ends at the last year with four digits', () => {
    const range = (from: string, to: string) => ({ type: 'absolute', from, to }) as const;
    expect(span(range('2026-06-01', '9999-12-31'), 'Etc/GMT+12')).toBe(
      '2026-06-01T12:00:00Z 9999-12-31T23:59:59.999Z',
    );
    expect(span(range('-99999999999999', '99999999999999'))).toBe(
      '0000-01-01T00:00:00Z 5138-11-16T09:46:39.999Z',
    );
  });

  test('the limit shortens a range', () => {
    const limitMs = 3_600_000;
    expect(timeSpanOf({ type: 'relative', range: 0 }, { now: NOW, timeZone: 'UTC', limitMs })).toEqual({
      from: NOW - limitMs,
      to: NOW,
    });
  });
});

test('a range in one parameter', () => {
  expect(parseTimeRangeText('5m')).toEqual({ type: 'relative', range: 300 });
  expect(parseTimeRangeText('1M')).toEqual({ type: 'relative', range: 30 * 86_400 });
  expect(parseTimeRangeText('last 5 minutes')).toEqual({ type: 'keyword', keyword: 'last 5 minutes' });
});

test('time zones and instants', () => {
  expect(requireTimeZone('+02:00')).toBe('+02:00');
  expect(() => requireTimeZone('Mars/Base')).toThrow('"Mars/Base" is not a time zone');
  expect(parseInstant('1781092800000', 'UTC')).toEqual({ from: 1_781_092_800_000, to: 1_781_092_800_000 });
  expect(parseInstant('2026-13-01', 'UTC')).toBeUndefined();
});
