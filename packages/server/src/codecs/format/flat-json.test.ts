import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type FieldValue, type Message, messageIdText } from '#core/index.ts';
import { aMessage } from '#testing/message-fixture.ts';
import type { Encoder } from './codec.ts';
import { createGelfEncoder } from './gelf/encode.ts';
import { createJsonEncoder } from './json/encode.ts';

const ENCODERS: Readonly<Record<string, Encoder>> = {
  gelf: createGelfEncoder(),
  'gelf with id': createGelfEncoder({ messageId: true, forwarder: 'us', serverFields: true }),
  'gelf with booleans as text': createGelfEncoder({ booleans: 'text' }),
  json: createJsonEncoder(),
  'json with server fields': createJsonEncoder({ serverFields: true }),
};

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('},{', '},{"', '"},{"_id":"', '},{"version":"', '\\"},{"', '\ud800', 'é},{"ü', '\u0000\n'),
  // What follows here in JSON is a quote that is part of the text, or the one at its end.
  fc
    .tuple(fc.string(), fc.constantFrom('},{', '},{"', '},{"_id', '},{"version'))
    .map((parts) => parts.join('')),
);
const value: fc.Arbitrary<FieldValue> = fc.oneof(
  text,
  fc.boolean(),
  fc.double(),
  fc.integer(),
  fc.constantFrom(2n ** 60n, Number.NaN, Number.POSITIVE_INFINITY, -0),
);
const name = fc.oneof(
  fc.stringMatching(/^[A-Za-z][A-Za-z0-9.-]{0,8}$/),
  fc.constantFrom('id', '7', '12', '__proto__', '_proto__', 'forwarder', 'constructor', 'toString'),
  fc.constantFrom('version', 'a},{', 'a},{"', '},{"_id', '},{"version":"', 'say "hi"', '\\'),
);

function messageOf(
  number: number,
  [message, source, fullMessage, fields]: [string, string, string | undefined, [string, FieldValue][]],
): Message {
  const made = aMessage({ message, source });
  made.fullMessage = fullMessage;
  for (const [key, fieldValue] of fields) made.setField(key, fieldValue);
  made.id = messageIdText({ receivedAt: made.receivedAt, partition: 3, offset: number });
  made.streams = ['a', 'b'];
  return made;
}

test.each(Object.entries(ENCODERS))('%s: many messages at once are what each is by itself', (_, encoder) => {
  const message = fc.tuple(
    text,
    text,
    fc.option(text, { nil: undefined }),
    fc.uniqueArray(fc.tuple(name, value), { selector: ([key]) => key, maxLength: 18 }),
  );
  fc.assert(
    fc.property(fc.array(message, { maxLength: 6 }), (parts) => {
      const messages = parts.map((part, index) => messageOf(index, part));
      const frames = encoder.encodeBatch?.(messages);
      const together = messages.map((_message, index) =>
        frames?.bytes.toString('utf8', frames.starts[index], frames.ends[index]),
      );
      const alone = messages.map((each) => encoder.encode(each).toString());
      expect(together.map((each) => JSON.parse(each ?? ''))).toEqual(alone.map((each) => JSON.parse(each)));
    }),
  );
});

test('messages without an id of the usual length keep the one they have', () => {
  const message = Object.assign(aMessage({}), { id: 'short' });
  const frames = createJsonEncoder().encodeBatch?.([message, message]);
  expect(JSON.parse(frames?.bytes.toString('utf8', frames.starts[1], frames.ends[1]) ?? '')._id).toBe(
    'short',
  );
});

test('large messages are encoded in several parts, wide ones between them by themselves', () => {
  const large = messageOf(0, ['é"},{'.repeat(50), '},{', undefined, []]);
  const wide = messageOf(1, ['wide', 'a', '},{', Array.from({ length: 40 }, (_, n) => [`f${n}`, '},{'])]);
  const messages = Array.from({ length: 300 }, (_, index) => {
    const { id } = messageOf(index, ['', '', undefined, []]);
    const size = index % 3 === 0 ? 3 * 1024 * 1024 : 10;
    return Object.assign((index % 7 === 0 ? wide : large).copy({ size }), { id });
  });
  for (const encoder of Object.values(ENCODERS)) {
    const frames = encoder.encodeBatch?.(messages);
    expect(frames?.starts.length).toBe(messages.length);
    for (const [index, message] of messages.entries()) {
      const one = JSON.parse(frames?.bytes.toString('utf8', frames.starts[index], frames.ends[index]) ?? '');
      expect(one).toEqual(JSON.parse(encoder.encode(message).toString()));
    }
  }
});
