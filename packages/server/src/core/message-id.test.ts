import fc from 'fast-check';
import { expect, test } from 'vitest';
import { messageIdText, parseMessageId } from './message-id.ts';

test('an id has the digits of a ULID', () => {
  expect(messageIdText({ receivedAt: 1469918176385, partition: 77, offset: 32 ** 7 + 31 })).toBe(
    '01ARYZ6S410000002D1000000Z',
  );
});

test('parsing an id returns the parts it was made of', () => {
  const time = fc.integer({ min: 0, max: 2 ** 48 - 1 });
  const number = fc.integer({ min: 0, max: 2 ** 40 - 1 });
  fc.assert(
    fc.property(time, number, number, (receivedAt, partition, offset) => {
      const id = messageIdText({ receivedAt, partition, offset });
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
])('%j is not a message id', (text) => {
  expect(parseMessageId(text)).toBeUndefined();
});
