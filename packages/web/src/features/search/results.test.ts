import { expect, test } from 'vitest';
import { exportUrl } from './export-url.ts';
import { MAX_ROWS, nextPage } from './queries.ts';
import { paramsOfSaved, savedSearchOf } from './saved-search.ts';
import { searchParams } from './search-params.ts';

const page = (messages: number) => ({ messages: Array.from({ length: messages }, () => ({}) as never) });

test('the list goes on by cursor, until there is none or the browser holds enough', () => {
  expect(nextPage({ cursor: 'c' }, [page(100)])).toBe('c');
  expect(nextPage({}, [page(100)])).toBeUndefined();
  expect(nextPage({ cursor: 'c' }, [page(MAX_ROWS - 1)])).toBe('c');
  expect(nextPage({ cursor: 'c' }, [page(MAX_ROWS)])).toBeUndefined();
});

test('a saved search opens as it was saved', () => {
  const { values } = searchParams.read({
    q: 'level:3',
    t: 'yesterday',
    s: '1,2',
    cols: 'timestamp,user',
    sort: 'user:asc',
  });
  const saved = savedSearchOf('mine', values);
  expect(saved.timerange).toEqual({ type: 'keyword', keyword: 'yesterday' });
  expect(paramsOfSaved(saved)).toEqual({
    q: 'level:3',
    t: values.t,
    s: ['1', '2'],
    cols: values.cols,
    sort: 'user:asc',
  });
  const [relative] = [searchParams.read({ t: '6h/2h' }).values];
  expect(paramsOfSaved(savedSearchOf('x', relative)).t).toEqual(relative.t);
});

test('searches that Graylog clients saved open with what can be understood', () => {
  expect(
    paramsOfSaved({ query: { query: 'a', fields: [] }, timerange: { type: 'relative', range: 0 } }),
  ).toMatchObject({
    q: 'a',
    t: { type: 'relative', from: 900, to: 0 },
  });
});

test('an export has the instants, columns and streams of the run', () => {
  const run = {
    query: 'a b',
    streams: ['1', '2'],
    span: { from: 0, to: 1000 },
    zone: 'UTC',
    sort: 'timestamp:desc',
    startedAt: 0,
  };
  const url = new URL(exportUrl(run, [{ field: 'timestamp' }, { field: 'message', width: 99 }]), 'http://x');
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    query: 'a b',
    from: '1970-01-01T00:00:00.000Z',
    fields: 'timestamp,message',
    filter: 'streams:1,2',
  });
});
