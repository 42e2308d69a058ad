import { expect, test } from 'vitest';
import { searchParams } from '../search-params.ts';
import { paramsOfSaved, savedSearchOf } from './saved-search.ts';

test('a saved search opens as it was saved: time, columns with their widths, view, what is switched off', () => {
  const params = {
    q: 'level:3',
    t: 'yesterday',
    s: '1,2',
    cols: 'timestamp,user~90',
    sort: 'user:asc',
    view: 'patterns',
    off: 'source:web-1',
    tz: 'Europe/Berlin',
  };
  const { values } = searchParams.read({ ...params, msg: 'a/b', live: '1' });
  const saved = savedSearchOf('mine', values);
  expect(saved).toMatchObject({
    query: 'level:3',
    timerange: { type: 'keyword', keyword: 'yesterday' },
    streams: ['1', '2'],
    fields: ['timestamp', 'user'],
  });
  expect(paramsOfSaved(saved)).toEqual(params);
  for (const t of ['6h/2h', '2026-11-15T10:00:00Z/2026-11-15T11:00:00Z']) {
    expect(paramsOfSaved(savedSearchOf('x', searchParams.read({ t }).values))).toEqual({ t });
  }
});

test('searches that Graylog clients saved open with what can be understood', () => {
  expect(
    paramsOfSaved({ query: { query: 'a', fields: [] }, timerange: { type: 'relative', range: 0 } }),
  ).toEqual({ q: 'a' });
});

test('a state from elsewhere cannot change what is searched', () => {
  expect(paramsOfSaved({ query: 'a', state: { q: 'b', live: '1', view: 'group', by: 3 } })).toEqual({
    q: 'a',
    view: 'group',
  });
});
