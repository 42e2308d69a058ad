import { expect, test } from 'vitest';
import { sentenceParts } from './sentence-slots.ts';

const named = (...names: string[]) => names.map((name) => ({ name }));

test('the form of a condition is words with fields between them', () => {
  const fields = named('time', 'threshold', 'threshold_type', 'query', 'grace');
  expect(sentenceParts('message_count', fields)).toEqual([
    { words: 'When ' },
    { field: 'threshold_type' },
    { words: ' ' },
    { field: 'threshold' },
    { words: ' messages match ' },
    { field: 'query' },
    { words: ' in ' },
    { field: 'time' },
    { words: ' minutes.' },
  ]);
});

test('types of others, and conditions with fields that cannot be shown, have no sentence', () => {
  expect(sentenceParts('com.example.Weather', named('time'))).toBeUndefined();
  expect(sentenceParts('message_count', named('time', 'threshold'))).toBeUndefined();
});
