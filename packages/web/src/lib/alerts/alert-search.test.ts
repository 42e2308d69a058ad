import { expect, test } from 'vitest';
import { alertSearch } from './alert-search.ts';

const alert = {
  condition_type: 'message_count',
  condition_parameters: { query: 'level:3 OR level:2' },
  key: {},
  stream_ids: ['a', 'b'],
  window: { from: '2026-11-15T10:00:00.000Z', to: '2026-11-15T10:05:00.000Z' },
};

test('the messages of an alert are searched in its streams and its window', () => {
  expect(alertSearch(alert)).toEqual({
    q: 'level:3 OR level:2',
    s: 'a,b',
    t: '2026-11-15T10:00:00.000Z/2026-11-15T10:05:00.000Z',
  });
  expect(alertSearch({ ...alert, condition_parameters: {}, stream_ids: [] })).toEqual({
    q: '*',
    t: expect.any(String),
  });
});

test('what a condition looks for besides its query, and the group of an alert, narrow the search', () => {
  expect(alertSearch({ ...alert, key: { source: 'web 1' } }).q).toBe(
    '(level:3 OR level:2) AND (source:"web 1")',
  );
  const content = {
    ...alert,
    condition_type: 'field_content_value',
    condition_parameters: { query: '*', field: 'user', value: 'root' },
  };
  expect(alertSearch(content).q).toBe('user:root');
});
