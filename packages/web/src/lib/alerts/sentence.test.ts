import { expect, test } from 'vitest';
import { conditionSentence } from './sentence.ts';

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
    'There is a message in 1 minute, for each user.',
  );
});

test('a type that nobody knows here is called by its name', () => {
  expect(conditionSentence({ type: 'com.example.Weather', parameters: {} }, 'Weather')).toBe('Weather');
});
