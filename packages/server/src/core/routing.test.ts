import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aMessage } from '#testing/message-fixture.ts';
import { MESSAGE_ID_NEAR_OFFSETS, messageIdText } from './message-id.ts';
import { recordOffset } from './routing.ts';

const offsets = fc.integer({ min: 0, max: 2 ** 45 });

test.each([
  ['a batch', 5000],
  ['a batch of as many records as few digits tell apart', MESSAGE_ID_NEAR_OFFSETS],
  ['a batch of more records', 3 * MESSAGE_ID_NEAR_OFFSETS],
])('the record of a message is known within %s', (_name, records) => {
  const places = fc.integer({ min: 0, max: records - 1 });
  fc.assert(
    fc.property(offsets, places, (firstOffset, place) => {
      const offset = firstOffset + place;
      const message = Object.assign(aMessage(), {
        id: messageIdText({ receivedAt: 1, partition: 7, offset: offset % 2 ** 40 }),
      });
      expect(recordOffset({ firstOffset, endOffset: firstOffset + records }, message)).toBe(offset);
    }),
  );
});
