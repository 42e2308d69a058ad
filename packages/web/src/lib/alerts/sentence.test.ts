import { expect, test } from 'vitest';
import { alertTitle, conditionSentence } from './sentence.ts';

test('conditions read as sentences', () => {
  const say = (type: string, parameters: Record<string, unknown>) => conditionSentence({ type, parameters });
  expect(say('message_count', { threshold_type: 'MORE', threshold: 100, time: 5, query: '*' })).toBe(
    'More than 100 messages in 5 minutes.',
  );
  expect(say('message_count', { threshold_type: 'LESS', threshold: 1, time: 1, query: 'level:3' })).toBe(
    'Fewer than 1 message matching level:3 in 1 minute.',
  );
  expect(
    say('field_value', { type: 'MEAN', field: 'took_ms', threshold_type: 'HIGHER', threshold: 0.5 }),
  ).toBe('The mean of took_ms is higher than 0.5 over 5 minutes.');
  expect(say('field_content_value', { field: 'user', value: 'root', query: 'source:web-*' })).toBe(
    'A message arrives in which user is root and which matches source:web-*.',
  );
  expect(say('silence', { group_by: ['source'] })).toBe('No message comes for 15 minutes, for each source.');
  expect(say('change', { direction: 'FALLS', percent: 20, time: 10, compare_with: 1440 })).toBe(
    'The number of messages falls by more than 20 % against the same 10 minutes 1\u202f440 minutes earlier.',
  );
});

test('event definitions read as sentences, too', () => {
  const say = (parameters: Record<string, unknown>) =>
    conditionSentence({ type: 'aggregation-v1', parameters }, 'Aggregation');
  const more = (ref: string, value: number) => ({
    expr: '>',
    left: { expr: 'number-ref', ref },
    right: { expr: 'number', value },
  });
  const series = [
    { id: 'count()', type: 'count' },
    { id: 'avg-1', function: 'avg', field: 'took_ms' },
  ];
  expect(say({ series, conditions: { expression: more('count()', 100) }, query: 'level:3' })).toBe(
    'The number of messages is more than 100 (messages matching level:3) in 5 minutes.',
  );
  const both = { expr: '&&', left: more('count()', 1), right: more('avg-1', 0.5) };
  expect(
    say({ series, conditions: { expression: both }, search_within_ms: 90_000, group_by: ['source'] }),
  ).toBe(
    'The number of messages is more than 1 and avg(took_ms) is more than 0.5 in 90 seconds, for each source.',
  );
  expect(say({ series: [], query: 'user:root' })).toBe('Every message matching user:root.');
  expect(say({ group_by: ['user'], search_within_ms: 60_000 })).toBe(
    'A message arrives within 1 minute, for each user.',
  );
});

test('conditions of event definitions have the brackets of their tree, and numbers that were written as text', () => {
  const more = (ref: string, value: unknown) => ({
    expr: '>',
    left: { expr: 'number-ref', ref },
    right: { expr: 'number', value },
  });
  const [a, b, c] = [more('a', '100'), more('b', 2), more('c', 3)];
  const say = (expression: object) =>
    conditionSentence({
      type: 'aggregation-v1',
      parameters: { series: [{ id: 'a', type: 'count' }], conditions: { expression } },
    });
  const [sayA, sayB, sayC] = [
    'The number of messages is more than 100',
    'b is more than 2',
    'c is more than 3',
  ];
  expect(say(a)).toBe(`${sayA} in 5 minutes.`);
  const either = { expr: '||', left: a, right: b };
  const inText = 'the number of messages is more than 100';
  expect(say({ expr: '&&', left: either, right: c })).toBe(
    `(${inText} or ${sayB}) and ${sayC} in 5 minutes.`,
  );
  expect(say({ expr: '||', left: either, right: c })).toBe(`${sayA} or ${sayB} or ${sayC} in 5 minutes.`);
  expect(say({ expr: '||', left: { expr: '&&', left: a, right: b }, right: c })).toBe(
    `(${inText} and ${sayB}) or ${sayC} in 5 minutes.`,
  );
  expect(say({ expr: '!', child: either })).toBe(`Not (${inText} or ${sayB}) in 5 minutes.`);
  const group = { expr: 'group', left: either };
  expect(say({ expr: '&&', left: group, right: c })).toBe(`(${inText} or ${sayB}) and ${sayC} in 5 minutes.`);
  expect(say({ expr: '!', left: group })).toBe(`Not (${inText} or ${sayB}) in 5 minutes.`);
});

test('a type that nobody knows here is called by its name', () => {
  expect(conditionSentence({ type: 'com.example.Weather', parameters: {} }, 'Weather')).toBe('Weather');
});

test('an alert without a title is called by its sentence', () => {
  const alert = {
    title: '',
    condition_type: 'message_count',
    condition_parameters: { threshold_type: 'MORE', threshold: 10, time: 5 },
    description: 'Stream had 56 messages.',
  };
  expect(alertTitle(alert)).toBe('More than 10 messages in 5 minutes');
  expect(alertTitle({ ...alert, title: 'Shop' })).toBe('Shop');
});
