import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aMessage } from '#testing/message-fixture.ts';
import { MESSAGE_ID_OFFSETS } from './message-id.ts';
import { recordOffset } from './routing.ts';

const offsets = fc.oneof(fc.integer({ min: 0, max: 2 ** 45 }), fc.constant(MESSAGE_ID_OFFSETS - 1000));

test('the record of a message is known within its batch, also where the offsets in ids start again at 0', () => {
  const places = fc.integer({ min: 0, max: 5_000_000 });
  fc.assert(
    fc.property(offsets, places, (firstOffset, place) => {
      const offset = firstOffset + place;
      const message = Object.assign(aMessage(), { idPartition: 7, idOffset: offset % MESSAGE_ID_OFFSETS });
      expect(recordOffset({ firstOffset }, message)).toBe(offset);
    }),
  );
});
