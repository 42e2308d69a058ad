import { parseQuery, type QueryNode } from '@millrace/query';
import { expect, test } from 'vitest';
import { aMessage } from '#testing/message-fixture.ts';
import { expectedNames, QUERY_TABLE } from '#testing/query-table.ts';
import { TABLE_NAMES, tableMessages } from '#testing/query-table-messages.ts';
import { compilePredicate, createMessageTexts, valueProblems } from './index.ts';

const CONTEXT = { now: Date.UTC(2026, 5, 1, 13), timeZone: 'UTC' };

function parsed(text: string): QueryNode {
  const { query, problems } = parseQuery(text);
  if (query === undefined) throw new Error(`${text}: ${JSON.stringify(problems)}`);
  return query;
}

function matches(text: string, message = aMessage()): boolean {
  return compilePredicate(parsed(text), CONTEXT)(message);
}

test.each(QUERY_TABLE.map((row) => ({ text: row[0], row })))('$text', ({ text, row }) => {
  const predicate = compilePredicate(parsed(text), { ...CONTEXT, timeZone: row[2] ?? 'UTC' });
  const found = tableMessages().flatMap((message, index) => (predicate(message) ? [TABLE_NAMES[index]] : []));
  expect(found).toEqual(expectedNames(row));
});

test('fields that messages derive are matched as well', () => {
  const message = aMessage();
  message.id = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
  message.streams = ['000000000000000000000001', '65a1b2c3d4e5f60718293a4b'];
  expect(matches('_id:01arz3ndektsv4rrffq69g5fav', message)).toBe(true);
  expect(matches('gl2_message_id:01ARZ3NDEKTSV4RRFFQ69G5FAV', message)).toBe(true);
  expect(matches('streams:65a1b2c3d4e5f60718293a4b', message)).toBe(true);
  expect(matches('streams:65a1*', message)).toBe(true);
  expect(matches('streams:65a1', message)).toBe(false);
  expect(matches('gl2_remote_ip:192.0.2.*', message)).toBe(true);
  expect(matches('gl2_remote_port:40000', message)).toBe(true);
  expect(matches('gl2_source_node:node-1', message)).toBe(false);
  const onNode = compilePredicate(parsed('gl2_source_node:node-1'), { ...CONTEXT, nodeId: 'node-1' });
  expect(onNode(message)).toBe(true);
  expect(matches('_exists_:streams', aMessage())).toBe(false);
});

test('a predicate sees the current message, with and without shared texts', () => {
  const message = aMessage({ message: 'first' });
  const alone = compilePredicate(parsed('second'), CONTEXT);
  expect(alone(message)).toBe(false);
  message.message = 'second';
  expect(alone(message)).toBe(true);

  const texts = createMessageTexts();
  const shared = ['third', 'message:third', '/third$/'].map((text) =>
    compilePredicate(parsed(text), CONTEXT, texts),
  );
  texts.setMessage(message);
  expect(shared.map((predicate) => predicate(message))).toEqual([false, false, false]);
  message.message = 'third';
  texts.setMessage(message);
  expect(shared.map((predicate) => predicate(message))).toEqual([true, true, true]);
});

test('regular expressions with catastrophic backtracking elsewhere run in linear time', () => {
  const message = aMessage({ message: `${'a'.repeat(100_000)}!`, text: 'a'.repeat(100_000) });
  for (const text of ['/(a+)+$/', '/(a|a)*Q/', '/(a*)*Q/', 'text:/(.*a){20}x/', '/(a+a+)+Q/']) {
    expect([text, matches(text, message)]).toEqual([text, text === '/(a+)+$/']);
  }
  expect(matches(`${'*a'.repeat(500)}*Q*`, message)).toBe(false);
  expect(matches(`text:${'*a'.repeat(500)}*b`, message)).toBe(false);
});

test('large queries compile and run', () => {
  const words = Array.from({ length: 900 }, (_, index) => `w${index}`);
  expect(matches(words.join(' OR '), aMessage({ message: 'w899' }))).toBe(true);
  expect(matches(words.join(' AND '), aMessage({ message: words.join(' ') }))).toBe(true);
  expect(matches(`"${'a '.repeat(4000)}b"`, aMessage({ message: 'a '.repeat(20_000) }))).toBe(false);
  expect(matches(`"${'a '.repeat(60)}b"~1000`, aMessage({ message: `${'a '.repeat(10_000)}b` }))).toBe(true);
  expect(matches(`${'x'.repeat(5000)}~2`, aMessage({ message: 'x'.repeat(4998) }))).toBe(true);
});

test('values that cannot match are reported with a suggestion', () => {
  const problems = valueProblems(
    parsed('a OR timestamp:yesterday OR NOT timestamp:[2026-02-30 TO *]'),
    CONTEXT,
  );
  expect(problems.map(({ severity, message }) => [severity, message])).toEqual([
    ['error', 'The field timestamp holds times, and "yesterday" is not a time.'],
    ['error', 'The field timestamp holds times, and "2026-02-30" is not a time.'],
  ]);
  expect(problems[0]?.at).toEqual({ from: 5, to: 24 });
  expect(problems[0]?.suggestion).toContain('now-1h');
  expect(valueProblems(parsed('timestamp:now AND x:/a+/ AND "b"'), CONTEXT)).toEqual([]);
  const tooLarge: QueryNode = {
    type: 'match',
    field: undefined,
    match: { type: 'regex', source: '(a{1000}){1000}' },
    at: { from: 0, to: 1 },
  };
  expect(valueProblems(tooLarge, CONTEXT)[0]?.message).toContain('(a{1000}){1000}');
  expect(compilePredicate(tooLarge, CONTEXT)(aMessage({ message: 'aaa' }))).toBe(false);
  const longName = 'n*'.repeat(4500);
  for (const query of [`${longName}:a`, `_exists_:${longName}`, `NOT ${longName}:a`]) {
    expect(valueProblems(parsed(query), CONTEXT).map(({ message }) => message)).toEqual([
      'The field name with * or ? is too long.',
    ]);
  }
});

test.each([
  ['>nonsense', '"nonsense" is not a time'],
  ['<=2026-13-01', '"2026-13-01" is not a time'],
  ['[nonsense TO now]', '"nonsense" is not a time'],
  ['[2026-01-01 TO later}', '"later" is not a time'],
  ['[soon TO later]', '"soon" and "later" are not times'],
])('of timestamp:%s only what was written and is no time is named', (range, expected) => {
  expect(valueProblems(parsed(`timestamp:${range}`), CONTEXT).map(({ message }) => message)).toEqual([
    `The field timestamp holds times, and ${expected}.`,
  ]);
});

test('a condition on streams sees only those that the caller may read', () => {
  const message = aMessage();
  message.streams = ['mine', 'theirs'];
  const seen = (text: string, visibleStreams: readonly string[]) =>
    compilePredicate(parsed(text), { ...CONTEXT, visibleStreams })(message);
  expect(seen('streams:mine', ['mine'])).toBe(true);
  expect(seen('streams:theirs', ['mine'])).toBe(false);
  expect(seen('_exists_:streams', ['mine'])).toBe(true);
  expect(seen('_exists_:streams', ['other'])).toBe(false);
});
