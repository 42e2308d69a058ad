import { expect, test } from 'vitest';
import { ManualClock } from '#testing/manual-clock.ts';
import { createMessageParser } from './message-parser.ts';

const parse = createMessageParser({ clock: new ManualClock(Date.UTC(2026, 0, 1)) });

test('a GELF message as it would be stored', () => {
  const message = '{"host":"web-1","short_message":"hello","level":3,"_user":"ada","_big":9007199254740993}';
  const parsed = parse({ message, codec: 'gelf', remote_address: '192.0.2.1' });
  expect(parsed.message).toMatchObject({
    source: 'web-1',
    message: 'hello',
    timestamp: '2026-01-01T00:00:00.000Z',
    fields: { level: 3, user: 'ada', gl2_remote_ip: '192.0.2.1' },
  });
  expect(JSON.stringify(parsed)).toContain('"big":9007199254740993');
});

test('an unknown codec, and what the codec cannot read', () => {
  expect(() => parse({ message: '{}', codec: 'beats' })).toThrow('There is no codec "beats". Known: gelf.');
  expect(() => parse({ message: 'plain text', codec: 'gelf' })).toThrow(
    'The codec gelf cannot decode the message',
  );
});
