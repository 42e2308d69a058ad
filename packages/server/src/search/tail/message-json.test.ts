import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FieldValue } from '#core/index.ts';
import { testMessage } from '#testing/messages.ts';
import { createMessageJson } from './message-json.ts';

const NODE = 'node-1';

test('a message is a flat object with everything the API shows', () => {
  const message = testMessage({
    receivedAt: Date.UTC(2026, 0, 2, 3, 4, 5, 6),
    timestamp: Date.UTC(2026, 0, 2, 3, 4, 5),
    fullMessage: 'all\nof it',
    fields: { 'user.id': 'ada', bytes: 17, ok: true, big: 9_007_199_254_740_993n },
  });
  message.streams = ['a', 'b'];
  const text = createMessageJson(NODE, undefined)(message);
  expect(text).toContain('"big":9007199254740993');
  expect(JSON.parse(text)).toEqual({
    _id: message.id,
    timestamp: '2026-01-02T03:04:05.000Z',
    source: 'host-1',
    message: 'something happened',
    full_message: 'all\nof it',
    level: 6,
    streams: ['a', 'b'],
    gl2_source_input: '65a1b2c3d4e5f60718293a4b',
    gl2_source_node: NODE,
    gl2_remote_ip: '192.0.2.7',
    gl2_remote_port: 51_000,
    gl2_receive_timestamp: '2026-01-02T03:04:05.006Z',
    'user.id': 'ada',
    bytes: 17,
    ok: true,
    big: expect.any(Number),
  });
});

test('only the selected fields, and always id and timestamp', () => {
  const toJson = createMessageJson(NODE, ['message', 'user', 'nothing']);
  const message = testMessage({ fields: { user: 'ada', bytes: 17 } });
  expect(Object.keys(JSON.parse(toJson(message)))).toEqual(['_id', 'timestamp', 'message', 'user']);
  expect(JSON.parse(toJson(message))).toMatchObject({ user: 'ada' });
});

test('a removed field is not written, and a built-in one cannot be replaced', () => {
  const message = testMessage({ fields: { user: 'ada', source: 'liar', _id: 'liar', streams: 'all' } });
  message.removeField('user');
  expect(JSON.parse(createMessageJson(NODE, undefined)(message))).toMatchObject({
    _id: message.id,
    source: 'host-1',
    streams: [],
  });
  expect(createMessageJson(NODE, undefined)(message)).not.toContain('ada');
});

test('long texts are cut', () => {
  const message = testMessage({ message: 'x'.repeat(100_000), fields: { long: 'y'.repeat(100_000) } });
  const text = createMessageJson(NODE, undefined)(message);
  expect(text.length).toBeLessThan(40_000);
  expect(JSON.parse(text).message).toMatch(/^x{16384}…$/);
});

test('any fields become valid JSON in one line', () => {
  const values = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 50 }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
  );
  const names = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 10 }).map((name) => `x${name}`);
  fc.assert(
    fc.property(
      fc.dictionary(fc.oneof(names, fc.constantFrom('__proto__', 'constructor', 'toString')), values),
      (fields) => {
        const entries = Object.entries(fields) as [string, FieldValue][];
        const text = createMessageJson(NODE, undefined)(testMessage({ fields: entries }));
        expect(text).not.toMatch(/[\n\r]/);
        const read = JSON.parse(text);
        for (const [name, value] of entries) {
          expect(Object.getOwnPropertyDescriptor(read, name)?.value).toEqual(
            Object.is(value, -0) ? 0 : value,
          );
        }
      },
    ),
  );
});
