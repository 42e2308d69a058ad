import { expect, test } from 'vitest';
import { courseScale, lineParts } from './course-scale.ts';

const SIZE = { width: 100, height: 100 };

test('values below 0 stay within the picture, as do 0 and the threshold', () => {
  const { y } = courseScale(
    [
      [0, -20],
      [10, -5],
    ],
    -10,
    SIZE,
  );
  for (const value of [-20, -10, -5, 0]) {
    expect(y(value)).toBeGreaterThan(0);
    expect(y(value)).toBeLessThan(100);
  }
  expect(y(-5)).toBeLessThan(y(-20));
});

test('without values below 0 the bottom is 0', () => {
  const { x, y } = courseScale(
    [
      [0, 0],
      [10, 50],
    ],
    null,
    SIZE,
  );
  expect(y(0)).toBe(100);
  expect([x(-5), x(5), x(20)]).toEqual([0, 50, 100]);
});

test('the line is interrupted where there was no value', () => {
  expect(
    lineParts([
      [0, 1],
      [10, 2],
      [20, null],
      [30, 3],
      [40, null],
      [50, 4],
    ]),
  ).toEqual([
    [
      [0, 1],
      [10, 2],
    ],
    [
      [30, 3],
      [35, 3],
    ],
    [[50, 4]],
  ]);
});
