import { expect, test } from 'vitest';
import {
  booleanParameter,
  integerParameter,
  listParameter,
  secondsParameter,
  wholeSecondsParameter,
} from './parameters.ts';

test('whole numbers are read from text, everything else is refused', () => {
  const schema = integerParameter({ min: -5, max: 100 });
  for (const [text, value] of [
    ['7', 7],
    ['-5', -5],
    [' 8 ', 8],
    ['+9', 9],
  ] as const) {
    expect(schema.parse(text)).toBe(value);
  }
  for (const text of ['', ' ', '1.5', '1e2', '0x10', '101', '-6', 'NaN', 'Infinity', ['1', '2'], null]) {
    expect([text, schema.safeParse(text).success]).toEqual([text, false]);
  }
  expect(schema.default(3).parse(undefined)).toBe(3);
  expect(schema.optional().parse(undefined)).toBeUndefined();
});

test('times in seconds, with decimals too', () => {
  const schema = secondsParameter();
  expect(['1546300800', '1546300800.5', '0', ' -1 '].map((text) => schema.parse(text))).toEqual([
    1546300800, 1546300800.5, 0, -1,
  ]);
  for (const text of ['', '.', '1.', '1e9', '2026-01-01', 'NaN', ['1', '2'], null]) {
    expect([text, schema.safeParse(text).success]).toEqual([text, false]);
  }
  // 1e9 is a number: to say that a number is expected would not help.
  expect(schema.safeParse('1e9').error?.issues[0]?.message).toBe(
    'expected seconds since 1970 in digits, such as 1546300800 or 1546300800.5',
  );
});

test('lengths of time in seconds, with decimals never shorter', () => {
  const schema = wholeSecondsParameter();
  expect(['300', '300.25', ' 0 ', '-0.5'].map((text) => schema.parse(text))).toEqual([300, 301, 0, -1]);
  for (const text of ['', '5m', '1e9', 'NaN', ['1', '2'], null]) {
    expect([text, schema.safeParse(text).success]).toEqual([text, false]);
  }
});

test('booleans, the bare name too', () => {
  const schema = booleanParameter();
  expect(['true', 'TRUE', '1', ''].map((text) => schema.parse(text))).toEqual([true, true, true, true]);
  expect(['false', '0'].map((text) => schema.parse(text))).toEqual([false, false]);
  expect(schema.safeParse('yes').success).toBe(false);
});

test('lists by comma, by repetition or both', () => {
  const schema = listParameter();
  expect(schema.parse('a, b,,c')).toEqual(['a', 'b', 'c']);
  expect(schema.parse(['a', 'b,c'])).toEqual(['a', 'b', 'c']);
  expect(schema.parse('')).toEqual([]);
  expect(schema.optional().parse(undefined)).toBeUndefined();
});
