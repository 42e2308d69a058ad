import fc from 'fast-check';
import { expect, test } from 'vitest';
import { testMessageId } from '#testing/messages.ts';
import { messageIdText, parseMessageId } from './message-id.ts';

test('the parts of an id are found again', () => {
  const time = fc.integer({ min: 0, max: 2 ** 48 - 1 });
  const number = fc.integer({ min: 0, max: 2 ** 40 - 1 });
  fc.assert(
    fc.property(time, number, number, (receivedAt, partition, offset) => {
      const id = messageIdText({ receivedAt, partition, offset });
      expect(id).toBe(testMessageId(offset, receivedAt, partition));
      expect(parseMessageId(id)).toEqual({ receivedAt, partition, offset });
      expect(parseMessageId(id.toLowerCase())).toEqual({ receivedAt, partition, offset });
    }),
  );
});

test.each([
  '',
  'x',
  '01ARYZ6S41TSV4RRFFQ69G5FA',
  '01ARYZ6S41TSV4RRFFQ69G5FAVV',
  '01ARYZ6S41TSV4RRFFQ69G5FAI',
  '81ARYZ6S41TSV4RRFFQ69G5FAV',
  'd4a1b2c3-0000-11ee-8c99-0242ac120002',
])('%j is no id of a message', (text) => {
  expect(parseMessageId(text)).toBeUndefined();
});
