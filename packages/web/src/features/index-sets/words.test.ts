import type { IndexSetOutlook } from '@millrace/contract';
import { expect, test } from 'vitest';
import { effectSentence, outlookSentence, periodWords, roughly } from './words.ts';

const DAY = 86_400_000;
const outlook: IndexSetOutlook = {
  rotates_after: { messages: null, bytes: null, period: 'P1D' },
  retention: 'delete',
  keeps: 30,
  keeps_ms: null,
  kept_ms: 30 * DAY,
  messages_per_day: 3_000_000,
  bytes_per_day: 400_000_000,
  affected: { indices: [], messages: 0, bytes: 0 },
  within_ms: 300_000,
};
const afterMessages = { messages: 20_000_000, bytes: null, period: null };

test('a time in the largest unit that says something', () => {
  expect(roughly(30 * DAY)).toBe('30 days');
  expect(roughly(1.4 * DAY)).toBe('34 hours');
  expect(roughly(3 * 365 * DAY)).toBe('3 years');
  expect(roughly(300_000)).toBe('5 minutes');
  expect(roughly(2000)).toBe('1 minute');
});

test('a period in words', () => {
  expect(['P1D', 'PT1H', 'P1W', 'P1M', 'PT2H', 'P14D'].map(periodWords)).toEqual([
    'daily',
    'hourly',
    'weekly',
    'monthly',
    'every 2 hours',
    'every 14 days',
  ]);
  expect(periodWords('P1DT12H')).toBe('every P1DT12H');
});

test('how long what is kept', () => {
  expect(outlookSentence(outlook)).toBe('Rotates daily, keeps 30: about 30 days.');
  expect(outlookSentence({ ...outlook, rotates_after: afterMessages, kept_ms: 6.6 * DAY })).toBe(
    'Rotates after 20\u202fM messages, keeps 30: about 7 days at today’s rate.',
  );
  expect(outlookSentence({ ...outlook, rotates_after: afterMessages, kept_ms: null })).toBe(
    'Rotates after 20\u202fM messages, keeps 30: how long depends on what arrives.',
  );
  expect(outlookSentence({ ...outlook, retention: 'close' })).toBe(
    'Rotates daily, closes all but 30: about 30 days can be searched.',
  );
  expect(outlookSentence({ ...outlook, retention: null, keeps: null, kept_ms: null })).toBe(
    'Rotates daily, keeps everything.',
  );
  const lifetime = { ...outlook, keeps: null, keeps_ms: 30 * DAY };
  expect(outlookSentence(lifetime)).toBe(
    'Rotates daily at the latest, keeps every message for at least 30 days.',
  );
  expect(outlookSentence({ ...lifetime, retention: 'close' })).toBe(
    'Rotates daily at the latest, messages can be searched for at least 30 days.',
  );
  expect(outlookSentence({ ...outlook, rotates_after: null, kept_ms: null })).toMatch(
    /^Rotates by a strategy/,
  );
});

test('what the next run of the retention does', () => {
  const affected = { indices: ['millrace_9', 'millrace_10', 'millrace_11'], messages: 33_000_000, bytes: 1 };
  expect(effectSentence(outlook)).toBeUndefined();
  expect(effectSentence({ ...outlook, affected })).toBe(
    'Deletes millrace_9 to millrace_11 within 5 minutes: 33\u202fM messages.',
  );
  expect(effectSentence({ ...outlook, affected: { indices: ['a_0'], messages: 1, bytes: 1 } })).toBe(
    'Deletes a_0 within 5 minutes: 1 message.',
  );
  expect(effectSentence({ ...outlook, retention: 'close', affected })).toBe(
    'Closes millrace_9 to millrace_11 within 5 minutes: searches no longer find their 33\u202fM messages.',
  );
});

test('an index that stays is not among those that are deleted', () => {
  const words = (numbers: readonly number[]) =>
    effectSentence({
      ...outlook,
      affected: { indices: numbers.map((number) => `a_${number}`), messages: 2, bytes: 1 },
    });
  expect(words([0, 1, 3, 5, 6])).toBe('Deletes a_0 to a_1, a_3, a_5 to a_6 within 5 minutes: 2 messages.');
  expect(words([0, 2, 4, 6, 8, 10, 11])).toBe(
    'Deletes a_0, a_2, a_4, a_6, a_8 and 2 more within 5 minutes: 2 messages.',
  );
});
