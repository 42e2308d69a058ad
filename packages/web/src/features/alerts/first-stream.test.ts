import { expect, test } from 'vitest';
import { firstStream } from './first-stream.ts';

const ALL = '000000000000000000000001';

test.each([
  { asked: [], editable: ['a', ALL], first: ALL },
  { asked: ['b', 'a'], editable: ['a', 'b', ALL], first: 'b' },
  { asked: ['b', 'a'], editable: ['a'], first: 'a' },
  { asked: ['b'], editable: ['a', ALL], first: ALL },
  { asked: ['b'], editable: ['a'], first: 'a' },
  { asked: [], editable: ['a'], first: 'a' },
  // Nothing may be changed: the form is shown and says so.
  { asked: ['b'], editable: [], first: 'b' },
  { asked: [], editable: [], first: ALL },
])('asked for $asked, may edit $editable: $first', ({ asked, editable, first }) => {
  expect(firstStream(asked, editable)).toBe(first);
});
