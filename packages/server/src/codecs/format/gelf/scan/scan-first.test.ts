import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { createFieldLayouts, type FieldValue, INCOMPLETE_FRAME, type Message } from '#core/index.ts';
import { changedBytes } from '#testing/changed-bytes.ts';
import { eventually } from '#testing/eventually.ts';
import { frameColumns } from '#testing/frame-columns.ts';
import { DecodeFailure, type DecodeResult } from '../../codec.ts';
import { createGelfDecoder, type GelfDecoder } from '../decode.ts';
import type { GelfNote } from '../notes.ts';

function decodeAll(decoder: GelfDecoder, payloads: readonly (string | Buffer)[], first = 0): DecodeResult[] {
  const results: DecodeResult[] = [];
  decoder.decodeBatch(frameColumns(payloads, first), 0, payloads.length, results);
  return results;
}

const scanning = () => createGelfDecoder({ layouts: createFieldLayouts(), leaveInFrames: true });
const plain = () => createGelfDecoder({ layouts: createFieldLayouts() });

function shown(result: DecodeResult): unknown {
  if (result instanceof DecodeFailure) return result.reason;
  const fields: [string, unknown][] = [];
  // One by one first, since reading all of them keeps them.
  const single = result.layout.names.map((name) => [name, result.getField(name)]);
  result.forEachField((name, value) => fields.push([name, value]));
  expect(fields).toEqual(single.filter(([, value]) => value !== undefined));
  const { timestamp, source, message, fullMessage, level, receivedAt, size, notes, origin } = result;
  return { timestamp, source, message, fullMessage, level, receivedAt, size, notes, origin, fields };
}

const isInFrame = (result: DecodeResult | undefined) =>
  !(result instanceof DecodeFailure) && result?.frames !== undefined;

/** Decodes the frames twice, after which all shapes are known, and compares them with what each is by itself. */
function expectSame(payloads: readonly (string | Buffer)[], decoder = scanning()): DecodeResult[] {
  decodeAll(decoder, payloads);
  decodeAll(decoder, payloads);
  const before = { ...decoder.noteCounters };
  const scanned = decodeAll(decoder, payloads);
  const other = plain();
  const alone = payloads.map((payload, index) => decodeAll(other, [payload], index)[0] as DecodeResult);
  for (const [index, result] of scanned.entries()) {
    if (!isInFrame(result)) continue;
    const maySendOn = (alone[index] as Message).gelfFrame === 0;
    expect((result as Message).gelfFrame).toBe(maySendOn ? index : INCOMPLETE_FRAME);
  }
  expect(scanned.map(shown)).toEqual(alone.map(shown));
  for (const [note, count] of Object.entries(other.noteCounters))
    expect([note, decoder.noteCounters[note as GelfNote] - before[note as GelfNote]]).toEqual([note, count]);
  return scanned;
}

/** Enough of them that they are scanned. */
function repeated(payload: string | Buffer): (string | Buffer)[] {
  return Array.from({ length: 16 }, () => payload);
}

function gelf(more: string, message = '"hello"'): string {
  return `{"version":"1.1","host":"web-1","short_message":${message},"timestamp":1767225600.25,"level":6${more}}`;
}

describe('frames that are left as they are', () => {
  test.each([
    ['', gelf('')],
    ['no version', '{"host":"h","short_message":"m","timestamp":1,"level":0}'],
    ['no level', '{"version":"1.1","host":"h","short_message":"m","timestamp":1,"_a":"b"}'],
    ['no timestamp', '{"version":"1.1","host":"h","short_message":"m","level":1,"_a":"b"}'],
    ['a key without underscore', gelf(',"facility":"x","_b":1')],
    ['a field of another server', gelf(',"_forwarder":"x"')],
    ['null', gelf(',"_a":null,"_b":"c"')],
    ['nothing but null', gelf(',"_a":null,"_b":null,"full_message":null')],
    [
      'null instead of what may be missing',
      '{"version":null,"host":"h","short_message":"m","timestamp":null,"level":null,"_a":"b"}',
    ],
    ['neither of them', '{"_a":1,"host":"h","short_message":"m","_b":"c"}'],
    ['texts', gelf(',"_a":"one","_b":"","_c":"  two  "')],
    [
      'numbers',
      gelf(',"_a":0,"_b":-1,"_c":1.5,"_d":-0.001,"_e":9007199254740991,"_f":-0,"_g":123456.123456'),
    ],
    ['booleans', gelf(',"_a":true,"_b":false')],
    [
      'white space',
      '{ "version" : "1.1" ,\t"host":"h","short_message":"m","timestamp":1,"level":0 , "_a" : true }',
    ],
    ['null bytes and white space behind', `${gelf('')}\r\n\0 `],
    ['escapes', gelf(',"_a":"\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\u00e9\\u20ac\\u0000"', '"a\\tb"')],
    ['text beyond ASCII', gelf(',"_a":"äöü €𝄞","_b":"x\\u00e4ä"', '"naïve"')],
    ['a full message', gelf(',"full_message":"long\\ntext"')],
    ['a long text', gelf(`,"_a":"${'x'.repeat(40_000)}"`)],
  ])('%s', (_, payload) => {
    expect(expectSame(repeated(payload)).every(isInFrame)).toBe(true);
  });

  test('each message has its own values', () => {
    const payloads = Array.from({ length: 2000 }, (_, n) =>
      gelf(`,"_n":${n},"_text":"t${n}"`, `"message ${n}"`),
    );
    const results = expectSame(payloads) as Message[];
    expect(results.every(isInFrame)).toBe(true);
    expect(results[1234]?.getField('n')).toBe(1234);
    expect(results[1999]?.message).toBe('message 1999');
  });
});

describe('frames that are decoded', () => {
  test.each([
    ['another version', gelf('').replace('1.1', '1.0')],
    ['no level, but a field of that name', '{"version":"1.1","host":"h","short_message":"m","_level":3}'],
    ['no host', '{"version":"1.1","short_message":"m","timestamp":1,"level":0}'],
    ['a blank host', gelf('').replace('web-1', ' ')],
    ['a host with an escape', gelf('').replace('web-1', 'web\\t1')],
    ['a long host', gelf('').replace('web-1', 'w'.repeat(300))],
    ['a blank message', gelf('', '" "')],
    ['a message that is a number', gelf('', '1')],
    ['a time that cannot be', gelf('').replace('1767225600.25', '-5')],
    ['a time in milliseconds', gelf('').replace('1767225600.25', '1767225600250')],
    ['a level that is none', gelf('').replace(':6', ':1.5')],
    ['a negative level', gelf('').replace(':6', ':-1')],
    ['a text that begins as null does', gelf(',"_a":nulx')],
    ['null as the host', gelf('').replace('"web-1"', 'null')],
    ['null as the message', gelf('', 'null')],
    ['an object', gelf(',"_a":{"b":1}')],
    ['an array', gelf(',"_a":[1]')],
    ['a large integer', gelf(',"_a":9007199254740993')],
    ['an exponent', gelf(',"_a":1e3')],
    ['too many digits', gelf(',"_a":0.1234567890123456789')],
    ['an id', gelf(',"_id":"x"')],
    ['a key twice', gelf(',"_a":1,"_a":2')],
    ['a name twice', gelf(',"_a":1,"a":2')],
    ['a number as a key', gelf(',"_a":"b","1":"c"')],
    ['a field that only the server sets', gelf(',"_gl2_remote_ip":"10.0.0.1"')],
    ['a key with an escape', gelf(',"_\\u0061":1')],
    ['a key beyond ASCII', gelf(',"_ä":1')],
    ['no key', gelf(',"":1')],
    ['a long key', gelf(`,"_${'k'.repeat(300)}":1`)],
    ['half of a surrogate pair', gelf(',"_a":"\\ud83d"')],
    ['a surrogate pair', gelf(',"_a":"\\ud83d\\ude00"')],
    ['a line feed', gelf('\n,"_a":1')],
    ['a control character', gelf(',"_a":"\u0001"')],
    ['U+FFFD', gelf(',"_a":"\ufffd"')],
    ['bytes that are not UTF-8', Buffer.from(gelf(',"_a":"ä"'), 'latin1')],
    ['an escape that is none', gelf(',"_a":"\\x"')],
    ['a number with a leading zero', gelf(',"_a":01')],
    ['a number without decimals', gelf(',"_a":1.')],
    ['a word', gelf(',"_a":truf')],
    ['a trailing comma', gelf(',')],
    ['bytes after the object', `${gelf('')}}`],
    ['an unfinished string', gelf(',"_a":"x').slice(0, -1)],
    ['an unfinished object', gelf('').slice(0, -1)],
    ['nothing', ''],
    ['an empty object', '{}'],
    [
      'more keys than a message may have',
      gelf(Array.from({ length: 1020 }, (_, n) => `,"_f${n}":1`).join('')),
    ],
  ])('%s', (_, payload) => {
    expect(expectSame(repeated(payload)).some(isInFrame)).toBe(false);
  });

  test('few frames', () => {
    expect(expectSame(repeated(gelf('')).slice(1)).some(isInFrame)).toBe(false);
  });
});

test('frames between others, of several shapes', () => {
  const payloads = Array.from({ length: 900 }, (_, n) => {
    if (n % 7 === 0) return gelf(',"_a":[1]');
    if (n % 11 === 0) return 'not JSON';
    return n % 3 === 0 ? gelf(`,"_a":${n},"_b":"x${n}"`) : gelf(`,"_a":"${n}","_c":true`);
  });
  const results = expectSame(payloads);
  expect(results.filter(isInFrame).length).toBe(
    payloads.filter((_, n) => n % 7 !== 0 && n % 11 !== 0).length,
  );
});

test('more sources than are remembered, also in frames that are decoded after all', () => {
  const decoder = scanning();
  for (let round = 0; round < 3; round++) {
    const payloads = Array.from({ length: 3000 }, (_, n) => {
      const host = `h${(n * 7919 + round) % 1500}`;
      const frame = gelf(`,"_n":${n}`).replace('web-1', host);
      return n % 5 === 0 ? frame.replace('"_n"', '"_n":[1],"_n"') : frame;
    });
    for (const [n, result] of decodeAll(decoder, payloads).entries())
      expect((result as Message).source).toBe(`h${(n * 7919 + round) % 1500}`);
  }
});

test('senders that always send other keys do not keep others out', () => {
  const decoder = scanning();
  let key = 0;
  const strange = (n: number) => gelf(`,"_${'x'.repeat(n % 200)}${key++}":"${n}","_more":1`);
  for (let batch = 0; batch < 40; batch++) {
    const payloads = Array.from({ length: 1000 }, (_, n) => (n % 3 === 0 ? strange(n) : gelf(`,"_n":${n}`)));
    const results = decodeAll(decoder, payloads) as Message[];
    for (const n of [1, 2, 998]) expect(results[n]?.getField('n')).toBe(n);
    for (const n of [0, 999]) expect(results[n]?.getField('more')).toBe(1);
  }
  const [last] = decodeAll(decoder, repeated(gelf(',"_n":1')));
  const [again] = decodeAll(decoder, repeated(gelf(',"_n":1')));
  expect([last, again].some(isInFrame)).toBe(true);
});

test('more frames than a scanner takes are decoded', () => {
  const payloads = Array.from({ length: 5000 }, (_, n) => gelf(`,"_n":${n}`));
  const results = expectSame(payloads) as Message[];
  expect(results[4999]?.getField('n')).toBe(4999);
});

test('two runs of the same batch', () => {
  const decoder = scanning();
  const payloads = Array.from({ length: 100 }, (_, n) => gelf(`,"_n":${n}`));
  decodeAll(decoder, payloads);
  const frames = frameColumns(payloads);
  const results: DecodeResult[] = [];
  decoder.decodeBatch(frames, 0, 40, results);
  decoder.decodeBatch(frames, 50, 100, results);
  expect(results.every(isInFrame)).toBe(true);
  expect(results.map((result) => (result as Message).getField('n'))).toEqual(
    Array.from({ length: 90 }, (_, n) => (n < 40 ? n : n + 10)),
  );
});

test('a message that was not detached cannot be read after the next batch has begun', () => {
  const decoder = scanning();
  decodeAll(decoder, repeated(gelf(',"_a":"x"')));
  const [lost, kept, read] = decodeAll(decoder, repeated(gelf(',"_a":"x"'))) as Message[];
  kept?.detach();
  expect(read?.message).toBe('hello');
  decodeAll(decoder, repeated(gelf(',"_a":"y"')));
  expect(kept?.message).toBe('hello');
  expect(kept?.getField('a')).toBe('x');
  expect(read?.message).toBe('hello');
  expect(() => lost?.message).toThrow('detached');
  expect(() => lost?.getField('a')).toThrow('detached');
  expect(() => read?.values).toThrow('detached');
});

test('any frames: the same as each by itself', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.string({ maxLength: 70 }),
    fc.constantFrom('', ' ', '\\', '"', '\n', '\u2028', 'ä', '𝄞', '\ufffd'),
  );
  const number = fc.oneof(
    fc.integer().map(String),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((each) => JSON.stringify(each)),
    fc.tuple(fc.nat(), fc.nat()).map(([whole, decimals]) => `${whole}.${decimals}`),
    fc.maxSafeInteger().map(String),
    fc.constantFrom('-0', '0.10', '1e5', '18446744073709551616', '-', '1.', '.5', '00'),
  );
  const value = fc.oneof(
    { weight: 4, arbitrary: text.map((each) => JSON.stringify(each)) },
    { weight: 4, arbitrary: number },
    { weight: 1, arbitrary: fc.constantFrom('true', 'false', 'null', '{}', '[1]', '"\\u0041"', '"\\ud800"') },
  );
  const space = fc.constantFrom('', '', '', ' ', '\t', '\n');
  const fieldKey = fc.constantFrom('_a', '_b', '_c', 'a', '1', '_name-1.x', 'facility', '_forwarder', '_ü');
  const otherKey = fc.constantFrom(
    'version',
    'timestamp',
    'level',
    '_level',
    '_id',
    'full_message',
    'message',
  );
  const key = fc.oneof({ weight: 2, arbitrary: fieldKey }, otherKey);
  const expected = fc.subarray(['"version":"1.1",', '"timestamp":1767225600.125,', '"level":3,']);
  const frame = fc
    .tuple(text, text, expected, fc.array(fc.tuple(key, value, space), { maxLength: 4 }), space)
    .map(([host, message, head, fields, before]) => {
      const more = fields.map(([name, each, after]) => `,${after}"${name}":${each}`).join('');
      const rest = `"host":${JSON.stringify(host)},"short_message":${JSON.stringify(message)}`;
      return `{${before}${head.join('')}${rest}${more}${before}}`;
    });
  // Most have to be plain, or nothing is scanned.
  const clean = fc
    .tuple(
      text,
      text,
      fc.subarray(['_a', '_b', '_c']),
      fc.integer(),
      space.filter((each) => each !== '\n'),
    )
    .map(([first, second, keys, n, after]) => {
      const values = [
        JSON.stringify(first.toWellFormed()),
        String(n / 1000),
        n % 2 === 0 ? 'true' : '"x\\u0001\\n"',
      ];
      const more = keys.map((name, at) => `,${after}"${name}":${after}${values[at]}`).join('');
      return gelf(more, JSON.stringify(`m${second.toWellFormed()}`)).replace(
        'web-1',
        `web-${Math.abs(n) % 700}`,
      );
    });
  const decoder = scanning();
  const frames = fc.array(
    fc.oneof(
      { weight: 8, arbitrary: clean },
      { weight: 1, arbitrary: changedBytes(clean, 2) },
      { weight: 1, arbitrary: frame },
      { weight: 1, arbitrary: changedBytes(frame, 3) },
    ),
    { minLength: 16, maxLength: 40 },
  );
  let inFrames = 0;
  fc.assert(
    fc.property(frames, (payloads) => {
      inFrames += expectSame(payloads, decoder).filter(isInFrame).length;
    }),
    { numRuns: 300 },
  );
  expect(inFrames).toBeGreaterThan(1000);
});

test('values are read one at a time, or all at once', () => {
  const decoder = scanning();
  const payloads = repeated(gelf(',"_a":"x","_b":2,"_c":true'));
  decodeAll(decoder, payloads);
  const [message] = decodeAll(decoder, payloads) as [Message];
  const expected: FieldValue[] = ['x', 2, true];
  expect([0, 1, 2].map((position) => message.valueAt(position))).toEqual(expected);
  expect(message.valueAt(3)).toBeUndefined();
  expect([2, 1, 0, 3].map((position) => message.valueAt(position))).toEqual([true, 2, 'x', undefined]);
  expect(message.values).toEqual(expected);
  message.setField('b', 3);
  expect([message.valueAt(1), message.frames]).toEqual([3, undefined]);
});

test('a thousand fields', () => {
  const more = Array.from({ length: 1015 }, (_, n) => `,"_f${n}":"${n}"`).join('');
  const results = expectSame(repeated(gelf(more))) as Message[];
  expect(results.every(isInFrame)).toBe(true);
  expect(results[15]?.getField('f1014')).toBe('1014');
});

test('frames at the very end of the memory', () => {
  const long = `_${'k'.repeat(240)}`;
  // The memory of a new scanner ends 32 KiB after the first frame.
  for (let bytes = 32_768 - 320; bytes <= 32_768; bytes += 16) {
    const decoder = scanning();
    decodeAll(decoder, [...repeated(gelf(`,"${long}":1`)), ...repeated(gelf(',"_a":1'))]);
    const tail = [gelf(`,"${long}":1`), gelf(',"_a":1')];
    const gaps = 17 * 6;
    const fill = bytes - gaps - tail.join('').length - 16 * gelf(',"_a":1', '""').length;
    const filled = Array.from({ length: 16 }, (_, n) =>
      gelf(',"_a":1', `"${'x'.repeat(n === 0 ? fill - 15 * 1900 : 1900)}"`),
    );
    const results = decodeAll(decoder, [...filled, ...tail]);
    expect(results.map(isInFrame)).toEqual(results.map(() => true));
  }
});

test('where WebAssembly cannot be used, frames are decoded, and somebody is told once', async () => {
  const warnings: string[] = [];
  const warned = (warning: Error) => warnings.push(warning.message);
  process.on('warning', warned);
  vi.stubGlobal('WebAssembly', undefined);
  try {
    const decoder = scanning();
    const payloads = Array.from({ length: 100 }, (_, n) => gelf(`,"_n":${n}`));
    for (let round = 0; round < 3; round++) {
      const results = decodeAll(decoder, payloads) as Message[];
      expect(results.some(isInFrame)).toBe(false);
      expect(results.map((message) => message.getField('n'))).toEqual(payloads.map((_, n) => n));
      expect(results.every(({ gelfFrame }, n) => gelfFrame === n)).toBe(true);
    }
    await eventually(() => expect(warnings).toHaveLength(1));
    expect(warnings[0]).toContain('GELF frames cannot be scanned and are decoded instead');
  } finally {
    vi.unstubAllGlobals();
    process.off('warning', warned);
  }
});
