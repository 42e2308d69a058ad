import { expect, test } from 'vitest';
import { mayBeTimeWords } from './time-words.ts';

test.each([
  'today',
  'Yesterday',
  'yesterday 14:00 to 16:00',
  'last 5 minutes',
  'past hour',
  'this week',
  'two hours ago',
  'between noon and midnight',
  'June 3',
  'last tuesday',
  'the 5th of Sept',
  'since Friday',
])('%s may be a time', (text) => {
  expect(mayBeTimeWords(text)).toBe(true);
});

test.each(['', 'theme: as the system', 'user admin', 'default index', 'monday', '404', '10.0.0.1 5'])(
  '%j is not asked about',
  (text) => {
    expect(mayBeTimeWords(text)).toBe(false);
  },
);
