import { expect, test } from 'vitest';
import { fromGraylogLink } from './graylog-link.ts';

test.each([
  [{ q: 'a' }, undefined],
  [
    { rangetype: 'relative', relative: '300', q: 'level:3' },
    { q: 'level:3', t: '5m' },
  ],
  [{ rangetype: 'relative', from: '3600', to: '1800' }, { t: '1h/30m' }],
  [{ rangetype: 'relative', relative: '0' }, { t: '3650d' }],
  [
    { rangetype: 'keyword', keyword: 'yesterday', timezone: 'Europe/Berlin' },
    { t: 'yesterday', tz: 'Europe/Berlin' },
  ],
  [
    {
      rangetype: 'absolute',
      from: '2026-11-15 10:00:00.000',
      to: '2026-11-15T11:00:00.000Z',
      streams: '1,2',
    },
    { t: '2026-11-15T10:00:00Z/2026-11-15T11:00:00Z', s: '1,2' },
  ],
  [
    { rangetype: 'relative', relative: '60', fields: 'message,source', sortField: 'level', sortOrder: 'asc' },
    { t: '1m', cols: 'message,source', sort: 'level:asc' },
  ],
])('%j becomes %j', (search, expected) => {
  expect(fromGraylogLink(search)).toEqual(expected);
});

test('the search of a stream keeps its query', () => {
  expect(fromGraylogLink({ q: 'a' }, '5')).toEqual({ q: 'a', s: '5' });
});
