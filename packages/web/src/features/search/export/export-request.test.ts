import { expect, test } from 'vitest';
import { bytesPerRow, exportFileName, exportRequest } from './export-request.ts';

const run = {
  query: 'a b',
  streams: ['1', '2'],
  span: { from: 0, to: 1000 },
  zone: 'UTC',
  sort: 'level:asc',
  startedAt: 0,
};

test('an export has the instants, streams and order of the run', () => {
  expect(exportRequest(run, { format: 'json', fields: ['timestamp', 'message'], limit: 5 })).toEqual({
    query_string: 'a b',
    timerange: { type: 'absolute', from: '1970-01-01T00:00:00.000Z', to: '1970-01-01T00:00:01.000Z' },
    streams: ['1', '2'],
    time_zone: 'UTC',
    sort: 'level:asc',
    fields_in_order: ['timestamp', 'message'],
    format: 'json',
    limit: 5,
  });
  expect(exportFileName(run, 'ndjson')).toBe('millrace-1970-01-01T00-00-01.ndjson');
});

test('its size is judged by the messages that are there', () => {
  const message = { index: 'i', id: '1', timestamp: 0, fields: { message: 'é'.repeat(50), level: 3 } };
  const size = (format: 'csv' | 'json', fields: string[]) =>
    bytesPerRow([message as never], { format, fields });
  expect(size('csv', ['message'])).toBe(103);
  expect(size('csv', ['message', 'missing'])).toBe(106);
  expect(size('json', ['message'])).toBe(113);
  expect(bytesPerRow([], { format: 'csv', fields: ['a'] })).toBeUndefined();
});
