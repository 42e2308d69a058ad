import { expect, test } from 'vitest';
import { findRanges, joinRanges } from '../../../lib/log-text/index.ts';
import { type LogMessage, messageGelf, messagePlain } from '../../../lib/messages/index.ts';
import type { Run } from '../run.ts';
import { searchParams } from '../search-params.ts';
import { differences, shownValue } from './difference.ts';
import { findRows } from './use-find.ts';
import { runFrom } from './use-messages.ts';

const message = (fields: Record<string, unknown>): LogMessage => ({
  id: '1',
  index: 'millrace_0',
  timestamp: 1000,
  fields,
  marks: {},
});

test('text is found in the columns of loaded rows, whatever its case', () => {
  const rows = [message({ message: 'Failed' }), message({ user: 'failed' }), message({ message: 'a.b' })];
  const columns = [{ field: 'timestamp' }, { field: 'message' }];
  expect(findRows(rows, columns, 'FAIL')).toEqual([0]);
  expect(findRows(rows, [...columns, { field: 'user' }], 'fail')).toEqual([0, 1]);
  expect(findRows(rows, columns, '.')).toEqual([2]);
  expect(findRows(rows, columns, '')).toEqual([]);
});

test('found text is marked beside what the query found', () => {
  expect(findRanges('aXaxA', 'ax', 4)).toEqual([
    { start: 0, length: 2 },
    { start: 2, length: 2 },
  ]);
  const found = [{ start: 3, length: 2 }];
  expect(joinRanges(found, [{ start: 4, length: 3 }])).toEqual([{ start: 3, length: 4 }]);
  expect(joinRanges(undefined, found)).toBe(found);
  expect(joinRanges(found, [])).toBe(found);
});

test('the difference of messages, field by field', () => {
  const two = [message({ source: 'a', took: 1 }), message({ source: 'a', user: 'x' })];
  expect(differences(two)).toEqual([
    { field: 'source', values: ['a', 'a'], isSame: true },
    { field: 'took', values: ['1', undefined], isSame: false },
    { field: 'user', values: [undefined, 'x'], isSame: false },
  ]);
});

test('the difference shows times in the zone of the page, and levels with their names', () => {
  const time = '2026-11-19T13:24:44.843Z';
  for (const field of ['timestamp', 'gl2_receive_timestamp']) {
    expect(shownValue(field, time, 'America/New_York')).toBe('2026-11-19 08:24:44.843');
  }
  expect(shownValue('level', '4', 'UTC')).toBe('4 WARN');
  expect(shownValue('level', '9', 'UTC')).toBe('9');
  expect(shownValue('sent_at', time, 'UTC')).toBe(time);
});

test('a list that starts at a time shows the rest of the run, in its order', () => {
  const run = { span: { from: 100, to: 200 }, sort: 'timestamp:desc' } as Run;
  expect(runFrom(run, 0)).toBe(run);
  expect(runFrom(run, 150).span).toEqual({ from: 100, to: 150 });
  expect(runFrom(run, 999).span).toEqual({ from: 100, to: 200 });
  expect(runFrom({ ...run, sort: 'timestamp:asc' }, 150).span).toEqual({ from: 150, to: 200 });
  expect(runFrom({ ...run, sort: 'took:asc' }, 150).span).toEqual(run.span);
});

test('a message as GELF and as text', () => {
  const one = message({ source: 'web', message: 'm', level: 3, took: 5, gl2_remote_ip: '::1', streams: [] });
  expect(JSON.parse(messageGelf(one))).toEqual({
    version: '1.1',
    host: 'web',
    short_message: 'm',
    timestamp: 1,
    level: 3,
    _took: 5,
  });
  expect(messagePlain(one)).toContain('level: 3\nsource: web\nmessage: m\ntook: 5');
});

test('the URL says how the result is looked at', () => {
  const url = {
    at: '2026-11-15T10:00:00.120Z',
    around: 'source,a\\,b',
    hl: 'c3:level:<4,c8:"a\\, b"',
    group: 'source,user',
    metrics: 'count,avg:took_ms',
    cmp: 'prev',
    by: 'none',
    find: 'x',
  };
  const { values, wrong } = searchParams.read(url);
  expect(wrong).toEqual([]);
  expect(values).toMatchObject({
    around: ['source', 'a,b'],
    hl: [
      { colour: 3, query: 'level:<4' },
      { colour: 8, query: '"a, b"' },
    ],
    group: ['source', 'user'],
    metrics: ['count', 'avg:took_ms'],
  });
  expect(searchParams.write(values)).toEqual(url);
  expect(searchParams.read({ around: '*' }).values.around).toEqual([]);
  expect(searchParams.write({ around: undefined })).toEqual({});
  const bad = { at: 'noon', hl: 'c9:x', metrics: 'median:x', cmp: 'next' };
  expect([...searchParams.read(bad).wrong].sort()).toEqual(['at', 'cmp', 'hl', 'metrics']);
});
