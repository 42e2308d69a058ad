import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aMessage } from '#testing/message-fixture.ts';
import type { Message } from './message.ts';
import { parseMessageId } from './message-id.ts';
import { MessageIdBytes, messageIdLength } from './message-id-bytes.ts';

function numbered(receivedAt: number, idPartition: number, idOffset: number): Message {
  return Object.assign(aMessage({ gl2_receive_timestamp: receivedAt }), { idPartition, idOffset });
}

function given(id: string): Message {
  return Object.assign(aMessage(), { id });
}

/** The bytes of all ids, each behind the one before. */
function written(messages: readonly Message[]): string {
  const bytes = Buffer.alloc(messages.reduce((sum, message) => sum + messageIdLength(message), 0));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const ids = new MessageIdBytes();
  let at = 0;
  for (const message of messages) at = ids.write(message, view, at);
  expect(at).toBe(bytes.length);
  return bytes.toString('latin1');
}

test('the bytes of ids are their texts, whichever came before', () => {
  const time = fc.oneof(
    fc.integer({ min: 0, max: 2 ** 48 - 1 }),
    fc.constantFrom(1.5, -7, 1_789_000_000_000),
  );
  const number = fc.oneof(fc.nat(3), fc.integer({ min: 0, max: 2 ** 40 - 1 }));
  const offset = fc.oneof(fc.integer({ min: 1020, max: 1028 }), fc.integer({ min: 0, max: 2 ** 40 - 1 }));
  const message = fc.oneof(
    fc.tuple(time, number, offset).map((parts) => numbered(...parts)),
    fc.constantFrom('short', '01ARZ3NDEKTSV4RRFFQ69G5FAV', '').map(given),
  );
  fc.assert(
    fc.property(fc.array(message), (messages) => {
      expect(written(messages)).toBe(messages.map(({ id }) => id).join(''));
    }),
  );
});

test('an id that is given as a text stays that text, and has its numbers', () => {
  const message = given('01arz3ndektsv4rrffq69g5fav');
  expect(message.id).toBe('01arz3ndektsv4rrffq69g5fav');
  const { partition: idPartition, offset: idOffset } = parseMessageId(message.id) ?? {};
  expect(message).toMatchObject({ idPartition, idOffset });
});

test('a message without an id has an empty one', () => {
  expect(aMessage().id).toBe('');
});
