import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addPeriod, gridPoint, parsePeriod } from './period.ts';

const at = (text: string) => Date.parse(text);
const iso = (time: number) => new Date(time).toISOString();

function period(text: string) {
  const parsed = parsePeriod(text);
  if (parsed === undefined) throw new Error(`${text} is no period`);
  return parsed;
}

test.each(['', 'P', 'PT', 'P0D', 'PT0S', '1D', 'P1H', 'P-1D', 'P1.5D', 'P1D2', 'P9999999999D'])(
  '%j is no period',
  (text) => {
    expect(parsePeriod(text)).toBeUndefined();
  },
);

test('units are carried over', () => {
  expect(parsePeriod('PT1440M')).toEqual(parsePeriod('P1D'));
  expect(parsePeriod('p7d')).toEqual(parsePeriod('P1W'));
  expect(parsePeriod('P18M')).toEqual(parsePeriod('P1Y6M'));
  expect(parsePeriod('PT90M')).toMatchObject({ hours: 1, minutes: 30 });
});

test.each([
  ['P1D', '2026-03-05T17:45:10.123Z', '2026-03-05T00:00:00.000Z'],
  ['P2D', '2026-03-05T17:45:10.123Z', '2026-03-04T00:00:00.000Z'],
  ['PT1H', '2026-03-05T17:45:10.123Z', '2026-03-05T17:00:00.000Z'],
  ['PT2H', '2026-03-05T17:45:10.123Z', '2026-03-05T16:00:00.000Z'],
  ['PT2H', '2026-03-05T16:00:00.000Z', '2026-03-05T16:00:00.000Z'],
  ['PT90M', '2026-03-05T17:45:10.123Z', '2026-03-05T17:45:00.000Z'],
  ['PT15M', '2026-03-05T17:44:59.999Z', '2026-03-05T17:30:00.000Z'],
  ['PT10S', '2026-03-05T17:44:59.999Z', '2026-03-05T17:44:50.000Z'],
  ['P1W', '2026-03-05T17:45:10.123Z', '2026-03-02T00:00:00.000Z'],
  ['P2W', '2026-03-05T17:45:10.123Z', '2026-03-02T00:00:00.000Z'],
  ['P2W', '2026-01-01T00:00:00.000Z', '2025-12-22T00:00:00.000Z'],
  ['P1M', '2026-03-05T17:45:10.123Z', '2026-03-01T00:00:00.000Z'],
  ['P3M', '2026-02-05T17:45:10.123Z', '2025-12-01T00:00:00.000Z'],
  ['P1Y', '2026-03-05T17:45:10.123Z', '2026-01-01T00:00:00.000Z'],
  ['P10D', '2026-03-05T17:45:10.123Z', '2026-03-05T00:00:00.000Z'],
  ['P1Y6M', '2026-03-05T17:45:10.123Z', '2026-03-01T00:00:00.000Z'],
])('the grid of %s puts %s to %s', (text, time, expected) => {
  expect(iso(gridPoint(at(time), period(text)))).toBe(expected);
});

test.each([
  ['P1M', '2026-01-31T12:00:00.000Z', '2026-02-28T12:00:00.000Z'],
  ['P1Y', '2024-02-29T00:00:00.000Z', '2025-02-28T00:00:00.000Z'],
  ['P1DT2H', '2026-12-31T23:00:00.000Z', '2027-01-02T01:00:00.000Z'],
])('adding %s to %s', (text, time, expected) => {
  expect(iso(addPeriod(at(time), period(text)))).toBe(expected);
});

test.each(['P999999Y', 'P999999999M', 'P999999999D', 'P275000YT999999999S'])(
  '%s ends when time does',
  (text) => {
    expect(iso(addPeriod(at('2026-03-05T17:45:10.123Z'), period(text)))).toBe('+275760-09-13T00:00:00.000Z');
  },
);

describe('any moment', () => {
  const texts = ['P1D', 'P3D', 'PT1H', 'PT5H', 'PT7M', 'PT23S', 'P1W', 'P3W', 'P1M', 'P5M', 'P1Y'];
  const time = fc.integer({ min: at('1970-01-02'), max: at('2199-01-01') });

  // Longer strides count from the begin of the next larger unit, so some are cut short there, as in Graylog.
  test('lies after its point on the grid, and the point of one unit is its own', () => {
    fc.assert(
      fc.property(fc.constantFrom(...texts), time, (text, moment) => {
        const parsed = period(text);
        const point = gridPoint(moment, parsed);
        expect(point).toBeLessThanOrEqual(moment);
        if (text.includes('1')) expect(gridPoint(point, parsed)).toBe(point);
        expect(addPeriod(point, parsed)).toBeGreaterThan(point);
      }),
    );
  });
});

test.each([
  ['PT36H', 36],
  ['P10D', 240],
  ['P30D', 720],
  ['P3W2D', 552],
])('one %s follows the other, each as long as it says', (text, hours) => {
  const parsed = period(text);
  const ends: number[] = [];
  let begun = at('2026-03-05T17:45:10.123Z');
  for (let index = 0; index < 5; index++) {
    ends.push(addPeriod(gridPoint(begun, parsed), parsed));
    // A rotation comes a few seconds after it is due.
    begun = (ends.at(-1) ?? 0) + 7000;
  }
  const lengths = ends.slice(1).map((end, index) => (end - (ends[index] ?? 0)) / 3_600_000);
  expect(lengths).toEqual([hours, hours, hours, hours]);
});
