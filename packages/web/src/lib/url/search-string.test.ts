import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ownPath } from './own-path.ts';
import { parseSearch, stringifySearch } from './search-string.ts';

const text = fc.string({ unit: 'binary' }).map((value) => value.toWellFormed());
const params = fc.dictionary(
  text.filter((key) => key !== '__proto__'),
  text,
  { noNullPrototype: true },
);

test('what is written is read as the same', () => {
  fc.assert(
    fc.property(params, (values) => {
      expect(parseSearch(stringifySearch(values))).toEqual(values);
    }),
    { numRuns: 1000 },
  );
});

test('the browser changes nothing of what is written', () => {
  fc.assert(
    fc.property(params, (values) => {
      const written = stringifySearch(values);
      expect(new URL(`http://node/search${written}`).search).toBe(written === '?' ? '' : written);
    }),
    { numRuns: 1000 },
  );
});

test('any text can be read', () => {
  fc.assert(
    fc.property(fc.string(), (search) => {
      for (const value of Object.values(parseSearch(search))) expect(typeof value).toBe('string');
    }),
  );
});

test('numbers stay text and queries stay readable', () => {
  expect(parseSearch('?q=404')).toEqual({ q: '404' });
  expect(stringifySearch({ q: 'level:3 AND source:web-*', t: '6h/2h', live: undefined })).toBe(
    '?q=level:3+AND+source:web-*&t=6h/2h',
  );
  expect(stringifySearch({ q: 'a&b=c#d%+' })).toBe('?q=a%26b=c%23d%25%2B');
  expect(stringifySearch({})).toBe('');
});

test('a broken escape is taken as it stands', () => {
  expect(parseSearch('q=100%&t=%zz&&x')).toEqual({ q: '100%', t: '%zz', x: '' });
});

describe('after the log-in', () => {
  test.each(['/search?q=a', '/streams/1#x', '/loginx'])('%s is a page of ours', (path) => {
    expect(ownPath(path)).toBe(path);
  });
  test.each([
    undefined,
    '',
    'search',
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    '/login?next=/login',
    '/a\nb',
  ])('%s leads to the start', (path) => {
    expect(ownPath(path)).toBe('/');
  });
});
