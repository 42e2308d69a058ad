import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseSearch, stringifySearch } from '../../lib/url/index.ts';
import { DEFAULT_COLUMNS, frozenParams, runKeyOf, searchParams } from './search-params.ts';

const read = (search: string) => searchParams.read(parseSearch(search));

test('an empty URL is the last 15 minutes of everything', () => {
  const { values, wrong } = read('');
  expect(wrong).toEqual([]);
  expect(values).toMatchObject({
    q: '*',
    s: [],
    view: 'messages',
    cols: DEFAULT_COLUMNS,
    sort: 'timestamp:desc',
  });
  expect(values.t).toEqual({ type: 'relative', from: 900, to: 0 });
  expect(searchParams.write(values)).toEqual({});
});

test('the example of the design is read and written as it is', () => {
  const url =
    '?q=level:%3C=3+AND+source:web-*&t=2026-11-15T10:00:00Z/2026-11-15T11:00:00Z&cols=timestamp,level,source~140,took_ms,message&msg=millrace_0/01M7EW3HNHRF14FYTH00000005';
  const { values, wrong } = read(url);
  expect(wrong).toEqual([]);
  expect(values.q).toBe('level:<=3 AND source:web-*');
  expect(values.cols).toContainEqual({ field: 'source', width: 140 });
  expect(stringifySearch(searchParams.write(values))).toBe(url);
});

test('what makes no sense has its default and is named; unknown names are kept', () => {
  const search = parseSearch('?t=0m&tz=Nowhere/City&sort=up&cols=&other=1&q=404');
  const { values, wrong } = searchParams.read(search);
  expect(wrong).toEqual(['t', 'tz', 'cols', 'sort']);
  expect(values.q).toBe('404');
  expect(searchParams.write({ q: '500' }, search)).toMatchObject({ other: '1', q: '500' });
});

test('any query, streams and columns survive the URL', () => {
  const name = fc.string({ minLength: 1 }).filter((text) => !/~\d{1,4}$/.test(text));
  fc.assert(
    fc.property(fc.string(), fc.array(name), fc.array(name, { minLength: 1 }), (q, s, fields) => {
      const cols = fields.map((field) => ({ field }));
      const url = stringifySearch(searchParams.write({ q, s, cols }));
      const { values } = read(url);
      expect({ q: values.q, s: values.s, cols: values.cols }).toEqual({
        q: q.toWellFormed(),
        s: s.map((text) => text.toWellFormed()),
        cols: fields.map((field) => ({ field: field.toWellFormed() })),
      });
    }),
  );
});

test('the run depends on what is found, not on how it is shown', () => {
  const key = (search: string) => runKeyOf(read(search).values).join('|');
  expect(key('?cols=timestamp&msg=a/b&view=patterns')).toBe(key(''));
  for (const other of ['?q=a', '?t=1h', '?tz=UTC', '?s=1', '?sort=level:asc'])
    expect(key(other)).not.toBe(key(''));
});

test('a link to these messages names their instants', () => {
  expect(frozenParams({ q: 'a', t: '15m' }, 0, 1000)).toEqual({
    q: 'a',
    t: '1970-01-01T00:00:00Z/1970-01-01T00:00:01Z',
  });
});
