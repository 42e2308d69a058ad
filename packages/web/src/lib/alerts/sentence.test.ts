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

test('a type that nobody knows here is called by its name', () => {
  expect(conditionSentence({ type: 'com.example.Weather', parameters: {} }, 'Weather')).toBe('Weather');
});
