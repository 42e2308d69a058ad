import { expect, test } from 'vitest';
import { titlePart } from './title-part.ts';

test.each([
  ['', ''],
  ['sea', ''],
  ['search ', ''],
  ['Search Shop ', 'shop'],
  [' Shop', 'shop'],
  ['searching', 'searching'],
])('of "%s" the title can have "%s"', (typed, part) => {
  expect(titlePart(typed, 'Search ')).toBe(part);
});
