import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFieldLayouts, Message, messageIdText } from '#core/index.ts';
import { changedBytes } from '#testing/changed-bytes.ts';
import { recordBatch } from '#testing/record-batch.ts';
import type { DecodeResult, Encoder, FrameSlices } from '../codec.ts';
import { createGelfDecoder, type GelfDecoder } from './decode.ts';
import { createGelfEncoder } from './encode.ts';

const RECEIVED_AT = Date.UTC(2026, 5, 1, 12);
const SOURCE = { inputId: 'input-1', remoteAddress: '192.0.2.7', remotePort: 4711, codecId: 0 };
const RECEIVER = createGelfDecoder({ layouts: createFieldLayouts() });
const ENCODER = createGelfEncoder({ forwarder: 'us', messageId: true });

function good(more = ''): string {
  return `{"version":"1.1","host":"web-1","short_message":"hello","timestamp":1767225600.25,"level":6${more}}`;
}

const recordsOf = (frames: readonly (string | Buffer)[]) =>
  recordBatch(frames.map((frame) => ({ frame, source: SOURCE, receivedAt: RECEIVED_AT })));

/** Parses frames one by one at first, and together after some that are alike. */
function decoders(): { readonly alone: GelfDecoder; readonly together: GelfDecoder } {
  const [alone, together] = [1, 2].map(() => createGelfDecoder({ layouts: createFieldLayouts() }));
  decode(together as GelfDecoder, recordsOf(Array.from({ length: 80 }, () => good())));
  return { alone: alone as GelfDecoder, together: together as GelfDecoder };
}

function decode(decoder: GelfDecoder, records: ReturnType<typeof recordsOf>): DecodeResult[] {
  const results: DecodeResult[] = [];
  decoder.decodeBatch(records, 0, records.count, results);
  for (const [offset, result] of results.entries()) {
    if (result instanceof Message)
      result.id = messageIdText({ receivedAt: RECEIVED_AT, partition: 3, offset });
  }
  return results;
}

/** As a queue writes it: the id stands somewhere before the message. */
function passed(encoder: Encoder, frames: FrameSlices, { gelfFrame, id }: Message): Buffer {
  const { passing } = encoder;
  if (passing === undefined) throw new Error('this encoder passes nothing on');
  const length = (frames.frameEnds[gelfFrame] as number) - (frames.frameStarts[gelfFrame] as number);
  const at = id.length + 5;
  const bytes = Buffer.alloc(at + length + passing.addedBytes, '?');
  bytes.write(id, 3, 'latin1');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return bytes.subarray(at, passing.pass(frames, gelfFrame, { bytes, view }, at, 3));
}

/** -0 is passed on as it is; `JSON.stringify` writes 0. */
function withoutSign(value: unknown): unknown {
  return value === 0 ? 0 : value;
}

/** Everything that a second Millrace stores. */
function received(frame: Buffer): unknown {
  const result = RECEIVER.decode(frame, SOURCE, RECEIVED_AT + 5);
  if (!(result instanceof Message)) return result;
  const fields: Record<string, unknown> = {};
  result.forEachField((name, value) => {
    fields[name] = withoutSign(value);
  });
  const { timestamp, source, message, fullMessage, notes } = result;
  return { timestamp, source, message, fullMessage, level: withoutSign(result.level), notes, fields };
}

/** For any other receiver: the same keys and values; only digits of the time beyond milliseconds are not cut off. */
function members(frame: Buffer): unknown {
  const { timestamp, ...rest } = JSON.parse(frame.toString(), (_, value) => withoutSign(value));
  return { ...rest, timestamp: Math.round(timestamp * 1000) };
}

/** Returns how many of the frames can be passed on. */
function expectSameAsEncoded(decoder: GelfDecoder, frames: readonly (string | Buffer)[]): number {
  const records = recordsOf(frames);
  const messages = decode(decoder, records).filter((result) => result instanceof Message);
  const clean = messages.filter(({ gelfFrame }) => gelfFrame >= 0);
  for (const message of clean) {
    const [encoded, passedOn] = [ENCODER.encode(message), passed(ENCODER, records, message)];
    expect(isUtf8(passedOn)).toBe(true);
    expect(passedOn.includes('\n')).toBe(false);
    expect(passedOn.includes(0)).toBe(false);
    expect(received(passedOn)).toEqual(received(encoded));
    expect(members(passedOn)).toEqual(members(encoded));
  }
  return clean.length;
}

test('a frame is passed on with the id and the forwarder', () => {
  const frames = ['', good(',"_user":"jö","_n":1.50'), `${good()}\r\n\0`];
  for (const decoder of Object.values(decoders())) {
    const records = recordsOf(frames);
    const [, user, padded] = decode(decoder, records) as [unknown, Message, Message];
    const id = `"_id":"${user.id}"`;
    expect(user.id).toHaveLength(26);
    expect(String(passed(ENCODER, records, user))).toBe(
      good(',"_user":"jö","_n":1.50,"_forwarder":"us"').replace('{', `{${id},`),
    );
    expect(String(passed(createGelfEncoder(), records, user))).toBe(frames[1]);
    expect(String(passed(createGelfEncoder(), records, padded))).toBe(good());
  }
});

test('an encoder that adds what the sender cannot know, or writes booleans as text, passes nothing on', () => {
  expect(createGelfEncoder({ serverFields: true }).passing).toBeUndefined();
  expect(createGelfEncoder({ booleans: 'text' }).passing).toBeUndefined();
});

const REPLACED: Readonly<Record<string, readonly [string, string]>> = {
  'another version': ['"1.1"', '"1.0"'],
  'no version': ['"version":"1.1",', ''],
  'no host': ['"host":"web-1",', ''],
  'a host that is a number': ['"web-1"', '7'],
  'a text that is a number': ['"hello"', '7'],
  'a text under another name': ['short_message', 'message'],
  'no time': ['"timestamp":1767225600.25,', ''],
  'a time in quotes': ['1767225600.25', '"1767225600.25"'],
  'a time in milliseconds': ['1767225600.25', '1767225600250'],
  'a time that is none': ['1767225600.25', '-5'],
  'no level': [',"level":6', ''],
  'a level that is null': ['"level":6', '"level":null'],
  'a level in quotes': ['"level":6', '"level":"6"'],
  'a level by its name': ['"level":6', '"level":"info"'],
  'a level that is a fraction': ['"level":6', '"level":6.5'],
  'a level that is none': ['"level":6', '"level":-1'],
  'a level among the fields': ['"level"', '"_level"'],
  'a line break between members': [',"level"', ',\n"level"'],
  'a raw control character in a text': ['hello', 'hel\u0001lo'],
  'a character for what is not UTF-8': ['hello', 'hel\u{FFFD}lo'],
  'a byte order mark': ['{"version"', '\u{FEFF}{"version"'],
  'white space before it': ['{"version"', ' {"version"'],
  'a null byte before it': ['{"version"', '\0{"version"'],
  'something behind it': ['"level":6}', '"level":6}x'],
  'another object behind it': ['"level":6}', '"level":6}{}'],
  'a comma at its end': ['"level":6}', '"level":6,}'],
};

const ADDED: Readonly<Record<string, string>> = {
  'an id': ',"_id":"x"',
  'an id with escapes': ',"\\u005fid":"x"',
  'a field named id': ',"id":"x"',
  'a forwarder': ',"_forwarder":"them"',
  'a forwarder with escapes': ',"_forw\\u0061rder":"them"',
  'a forwarder that is null': ',"_forwarder":null',
  'a field without underscore': ',"user":"jo"',
  'a field twice, with and without underscore': ',"_user":"jo","user":"al"',
  'a field that is null': ',"_user":null',
  'a field that is an object': ',"_user":{"name":"jo"}',
  'a field that is a list': ',"_user":[1]',
  'an integer beyond 2^53': ',"_n":9007199254740993',
  'a number beyond all': ',"_n":1e400',
  'a name that is not allowed': ',"_user name":"jo"',
  'a name of the server': ',"_gl2_remote_ip":"x"',
  'a source': ',"_source":"x"',
  'a message beside the text': ',"message":"x"',
  'a long text among the fields': ',"_full_message":"x"',
  'a long text that is a number': ',"full_message":7',
  'a long text that is blank': ',"full_message":" "',
  'a long text that is null': ',"full_message":null',
};

test.each([
  ...Object.entries(REPLACED).map(([name, [from, to]]) => [name, good().replace(from, to)] as const),
  ...Object.entries(ADDED).map(([name, more]) => [name, good(more)] as const),
])('not passed on: %s', (_, frame) => {
  expect(frame).not.toBe(good());
  const { alone, together } = decoders();
  for (const decoder of [alone, together]) {
    // Others of the same batch may be, if they are parsed by themselves.
    const results = decode(decoder, recordsOf([good(), frame, good()]));
    expect(results.map((result) => (result instanceof Message ? result.gelfFrame : -1))[1]).toBe(-1);
  }
});

test('not passed on: bytes that are not UTF-8', () => {
  const frame = Buffer.from(good().replace('hello', 'hel?lo'));
  frame[frame.indexOf('?')] = 0xff;
  for (const decoder of Object.values(decoders())) {
    expect(expectSameAsEncoded(decoder, [frame])).toBe(0);
    expect(expectSameAsEncoded(decoder, [good(), frame])).toBeLessThan(2);
  }
});

test('passed on: what means the same in other words', () => {
  const frames = [
    good(',"_n":1e3,"_m":0.10,"_k":-0.0,"_yes":true,"_empty":"","_text":" x "'),
    good(',"full_message":"lines\\nof \\u00e9 text"'),
    good(',"_\\u0061":"\\ud83d\\ude00","_lone":"\\ud800","__":1,"_._-":2'),
    good(',"_twice":1,"_twice":"2","level":3'),
    good().replaceAll(',', ' ,\t').replaceAll(':', ' : '),
    good().replace('1767225600.25', '1767225600.123456789'),
    good(`,"_long":"${'x'.repeat(20_000)}"`),
  ];
  for (const decoder of Object.values(decoders())) {
    expect(expectSameAsEncoded(decoder, frames)).toBe(frames.length);
  }
});

test('whatever senders send: what is passed on is what would have been encoded', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('', ' ', 'a\nb', '\0', '\ud800', '\u{FFFD}', '"}', '},{"_id":"'),
  );
  const value = fc.oneof(
    text.map((each) => JSON.stringify(each)),
    fc.double().map((number) => String(number)),
    fc.constantFrom(
      'null',
      'true',
      '-0',
      '1e3',
      '0.5e-7',
      '9007199254740993',
      '1e999',
      '[1]',
      '{"a":{}}',
      'NaN',
    ),
  );
  const key = fc.oneof(
    fc.stringMatching(/^_[a-c]$/),
    fc.constantFrom('version', 'host', 'short_message', 'timestamp', 'level', 'full_message', 'message', 'a'),
    fc.constantFrom(
      '_id',
      'id',
      '_forwarder',
      'forwarder',
      '__proto__',
      '_level',
      '_',
      '1',
      '_source',
      '_a b',
    ),
    fc.constantFrom('\\u005fid', '_\\u0061', '_forward\\u0065r'),
  );
  const more = fc
    .array(fc.tuple(key, value), { maxLength: 4 })
    .map((list) => good(list.map(([name, each]) => `,"${name}":${each}`).join('')));
  const spaced = fc.tuple(more, fc.constantFrom(' ', '\n', '\t', '\r', '')).map(([frame, space]) => {
    return `${space}${frame.replaceAll(',', `${space},`)}${space}`;
  });
  const mutated = changedBytes(more, 3);
  const { alone, together } = decoders();
  let count = 0;
  fc.assert(
    fc.property(fc.array(fc.oneof(more, spaced, mutated), { minLength: 1, maxLength: 5 }), (frames) => {
      count += expectSameAsEncoded(alone, frames);
      decode(together, recordsOf(Array.from({ length: 40 }, () => good())));
      count += expectSameAsEncoded(together, frames);
    }),
    { numRuns: 300 },
  );
  expect(count).toBeGreaterThan(100);
});
