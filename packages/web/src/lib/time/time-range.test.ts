import { expect, test } from 'vitest';
import { parseLocalTime } from './local-time.ts';
import {
  describeTimeRange,
  parseTimeRange,
  printTimeRange,
  resolveTimeRange,
  shiftSpan,
  zoomOut,
} from './time-range.ts';

const NOW = Date.parse('2026-11-15T10:00:00Z');

test.each(['15m', '6h', '30d', '90s', '6h/2h', 'yesterday 14:00 to 16:00'])('%s stays what it is', (text) => {
  const range = parseTimeRange(text);
  expect(range).toBeDefined();
  if (range !== undefined) expect(printTimeRange(range)).toBe(text);
});

test('instants are written in UTC, as short as possible', () => {
  const range = parseTimeRange('2026-11-15T11:00:00+0100/2026-11-15T10:00:00.250Z');
  expect(range).toEqual({ type: 'absolute', from: NOW, to: NOW + 250 });
  if (range !== undefined)
    expect(printTimeRange(range)).toBe('2026-11-15T10:00:00Z/2026-11-15T10:00:00.250Z');
});

test('what makes no sense is refused, what may be words is left to the server', () => {
  for (const text of ['', '  ', '0m', '2h/6h', '2026-11-15T11:00:00Z/2026-11-15T10:00:00Z']) {
    expect(parseTimeRange(text)).toBeUndefined();
  }
  expect(parseTimeRange('2026-11-15T11:00:00/x')).toEqual({ type: 'words', text: '2026-11-15T11:00:00/x' });
});

test('a range means two instants', () => {
  expect(resolveTimeRange({ type: 'relative', from: 3600, to: 60 }, NOW)).toEqual({
    from: NOW - 3_600_000,
    to: NOW - 60_000,
  });
  expect(resolveTimeRange({ type: 'words', text: 'today' }, NOW)).toBeUndefined();
});

test('it is named in the zone of the page', () => {
  const name = (text: string) =>
    describeTimeRange(parseTimeRange(text) ?? { type: 'words', text: '' }, 'Europe/Berlin');
  expect(name('15m')).toBe('Last 15 minutes');
  expect(name('1h')).toBe('Last hour');
  expect(name('6h/2h')).toBe('6 hours to 2 hours ago');
  expect(name('2026-11-15T10:00:00Z/2026-11-15T11:00:00Z')).toBe('2026-11-15 11:00:00 – 12:00:00');
  expect(name('2026-11-15T10:00:00Z/2026-11-16T11:00:00Z')).toBe('2026-11-15 11:00:00 – 2026-11-16 12:00:00');
});

test('it is shifted by half and zoomed out twofold', () => {
  expect(shiftSpan({ from: 0, to: 1000 }, 1)).toEqual({ from: 500, to: 1500 });
  expect(shiftSpan({ from: 1000, to: 2000 }, -1)).toEqual({ from: 500, to: 1500 });
  expect(zoomOut({ type: 'relative', from: 900, to: 0 }, { from: 0, to: 1 })).toEqual({
    type: 'relative',
    from: 1800,
    to: 0,
  });
  expect(zoomOut({ type: 'absolute', from: 1000, to: 2000 }, { from: 1000, to: 2000 })).toEqual({
    type: 'absolute',
    from: 500,
    to: 2500,
  });
});

test.each([
  ['2026-11-15 11:00', 'Europe/Berlin', '2026-11-15T10:00:00.000Z'],
  ['2026-11-15T11:00:05.25', 'Europe/Berlin', '2026-11-15T10:00:05.250Z'],
  ['2026-11-15', 'America/New_York', '2026-11-15T05:00:00.000Z'],
  ['2026-11-15T10:00:00Z', 'America/New_York', '2026-11-15T10:00:00.000Z'],
  ['2026-11-15 10:00:00+02:00', 'UTC', '2026-11-15T08:00:00.000Z'],
  ['1794736800', 'UTC', '2026-11-15T10:00:00.000Z'],
  ['1794736800123', 'UTC', '2026-11-15T10:00:00.123Z'],
  ['Nov 15 11:00:00', 'Europe/Berlin', '2026-11-15T10:00:00.000Z'],
  // The clock goes back at 3:00: 2:30 comes twice, the first one is meant. It goes forward at 2:00: there is no 2:30.
  ['2026-10-25 02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
  ['2026-03-29 02:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
  ['2026-11-01 00:30', 'America/New_York', '2026-11-01T04:30:00.000Z'],
  ['2026-11-01 14:00', 'America/New_York', '2026-11-01T19:00:00.000Z'],
])('%s in %s', (text, zone, expected) => {
  expect(new Date(parseLocalTime(text, zone, NOW) ?? 0).toISOString()).toBe(expected);
});

test.each(['', 'yesterday', '2026-13-01', '2026-02-30', '2026-11-15 25:00'])('%j is no time', (text) => {
  expect(parseLocalTime(text, 'UTC', NOW)).toBeUndefined();
});
