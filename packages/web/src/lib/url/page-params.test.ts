import fc from 'fast-check';
import { expect, test } from 'vitest';
import { choiceParam, flagParam, listParam, pageParams, pageWithin, textParam } from './page-params.ts';

const codec = pageParams({
  q: textParam('*'),
  view: choiceParam(['messages', 'patterns', 'group'], 'messages'),
  live: flagParam(),
  cols: listParam(['timestamp', 'message']),
});

test('what a page writes is what it reads', () => {
  const values = fc.record({
    q: fc.string(),
    view: fc.constantFrom('messages', 'patterns', 'group'),
    live: fc.boolean(),
    cols: fc.array(fc.string({ minLength: 1 }), { maxLength: 5 }),
  });
  fc.assert(
    fc.property(values, fc.dictionary(fc.constantFrom('x', 'y'), fc.string()), (page, others) => {
      const written = codec.write(page, others);
      expect(codec.read(written)).toEqual({ values: page, wrong: [] });
      for (const [key, value] of Object.entries(others)) expect(written[key]).toBe(value);
    }),
    { numRuns: 1000 },
  );
});

test('only what differs from the default is written', () => {
  expect(codec.write({ q: '*', view: 'messages', live: false, cols: ['timestamp', 'message'] })).toEqual({});
  expect(codec.write({ q: '*' }, { q: 'old', view: 'group' })).toEqual({ view: 'group' });
  expect(codec.write({ live: true, cols: ['a,b', 'c'] })).toEqual({ live: '1', cols: 'a\\,b,c' });
  expect(codec.update({ q: 'new' })({ q: 'old', view: 'group', other: '1' })).toEqual({
    q: 'new',
    view: 'group',
    other: '1',
  });
});

test('a wrong value falls back and is named', () => {
  expect(codec.read({ view: 'pie', live: 'maybe', q: 'a' })).toEqual({
    values: { q: 'a', view: 'messages', live: false, cols: ['timestamp', 'message'] },
    wrong: ['view', 'live'],
  });
});

test('beyond the last page is the last page', () => {
  expect(pageWithin(2, 51, 50)).toBe(2);
  expect(pageWithin(3, 51, 50)).toBe(2);
  expect(pageWithin(2, 50, 50)).toBe(1);
  expect(pageWithin(7, 0, 50)).toBe(1);
});
