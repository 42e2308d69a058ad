import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFieldLayouts, Message } from '#core/index.ts';
import { changedBytes } from '#testing/changed-bytes.ts';
import { FRAMES_RECEIVED_AT, FRAMES_SOURCE, frameColumns } from '#testing/frame-columns.ts';
import { DecodeFailure, type DecodeResult, type FrameColumns } from '../codec.ts';
import { createGelfDecoder, type GelfDecoder } from './decode.ts';
import { createGelfEncoder } from './encode.ts';

function decodeAll(decoder: GelfDecoder, frames: FrameColumns): DecodeResult[] {
  const results: DecodeResult[] = [];
  decoder.decodeBatch(frames, 0, frames.sources.length, results);
  return results;
}

/** A decoder that has seen enough alike messages to parse frames together. */
function warmDecoder() {
  const decoder = createGelfDecoder({ layouts: createFieldLayouts() });
  decodeAll(decoder, frameColumns(Array.from({ length: 80 }, (_, i) => good(i))));
  return decoder;
}

function good(i: number, more = ''): string {
  return `{"version":"1.1","host":"web-1","short_message":"message ${i}","timestamp":1767225600,"level":6,"_n":${i}${more}}`;
}

/** What matters of a result, comparable. */
function shown(result: DecodeResult): unknown {
  if (result instanceof DecodeFailure) return result.reason;
  const fields: [string, unknown][] = [];
  result.forEachField((name, value) => fields.push([name, value]));
  const { timestamp, source, message, fullMessage, level, receivedAt, size, notes } = result;
  return { timestamp, source, message, fullMessage, level, receivedAt, size, notes, fields };
}

/** Together and one by one, the results must be the same. */
function expectSameAsAlone(payloads: readonly (string | Buffer)[]): void {
  const together = decodeAll(warmDecoder(), frameColumns(payloads));
  const alone = payloads.map((payload, i) =>
    createGelfDecoder({ layouts: createFieldLayouts() }).decode(
      Buffer.from(payload),
      FRAMES_SOURCE,
      FRAMES_RECEIVED_AT + i,
    ),
  );
  expect(together.map(shown)).toEqual(alone.map(shown));
}

test('many messages, in order, each with its own time and origin', () => {
  const frames = frameColumns(Array.from({ length: 100 }, (_, i) => good(i)));
  const results = decodeAll(warmDecoder(), frames);
  expect(results.map((result) => (result as Message).message)).toEqual(
    Array.from({ length: 100 }, (_, i) => `message ${i}`),
  );
  expect(results.map((result) => (result as Message).receivedAt)).toEqual([
    ...(frames.receivedAt as Float64Array),
  ]);
  expect((results[5] as Message).origin).toBe(FRAMES_SOURCE);
});

test('only the frames asked for, behind the results that are there', () => {
  const before: DecodeResult = new DecodeFailure('empty', 'an earlier result');
  const results: DecodeResult[] = [before];
  warmDecoder().decodeBatch(frameColumns(Array.from({ length: 40 }, (_, i) => good(i))), 3, 38, results);
  expect(results[0]).toBe(before);
  expect(results.slice(1).map((result) => (result as Message).message)).toEqual(
    Array.from({ length: 35 }, (_, i) => `message ${i + 3}`),
  );
});

test('alike messages share one layout', () => {
  const results = decodeAll(
    warmDecoder(),
    frameColumns([good(1), good(2), good(3, ',"_more":1')]),
  ) as Message[];
  expect(results[0]!.layout).toBe(results[1]!.layout);
  expect(results[2]!.layout).not.toBe(results[1]!.layout);
  expect(results[2]!.layout.names).toEqual(['n', 'more']);
});

describe('frames do not reach into each other', () => {
  const cases: [string, string[]][] = [
    [
      'an array opened in one and closed in another',
      ['{"short_message":"x","_a":[{}', good(1), '{"x":1}]}', good(2)],
    ],
    [
      'the same, with a frame that makes up for the count',
      ['{"_a":[{}', good(1), '{"x":1}]}', `${good(2)},${good(3)},${good(4)}`],
    ],
    ['two objects in one frame', [good(1), `${good(2)},${good(3)}`, good(4)]],
    ['an object left open', [good(1), good(2).slice(0, -1), good(3)]],
    ['an object closed twice', [good(1), `${good(2)}}`, good(3)]],
    ['a string left open', [good(1), '{"short_message":"}', '{","z":1}', good(2)]],
    ['a string left open, and made up for', ['{"short_message":"}', '{","z":1}', `${good(2)},${good(3)}`]],
    ['the array closed early', [good(1), `${good(2)}]`, `[${good(3)}`, good(4)]],
    ['empty objects', ['{}', good(1), '{ }', good(2)]],
    ['empty frames', ['', good(1), '\0', good(2)]],
    ['not objects', ['1', good(1), '[2]', '"x"', good(2)]],
    ['a half character at the end of a frame', [`${good(1)}\u00c3`, good(2)]],
  ];
  test.each(cases)('%s', (_name, payloads) => expectSameAsAlone(payloads));
});

test('long integers and nested values, in ASCII and not, in the middle of others', () => {
  expectSameAsAlone([
    good(1),
    good(2, ',"_big":9007199254740993'),
    good(3, ',"_big":9007199254740995,"_tags":["a","b"],"_o":{"_big":1}'),
    good(4, ',"_text":"grün","_big":-9223372036854775808'),
    good(5, ',"_spaced": [ 1, 2 ],"_huge":123456789012345678901234567890'),
    good(6),
  ]);
});

test('frames too large to be parsed with others', () => {
  expectSameAsAlone([good(1), good(2, `,"_large":"${'x'.repeat(20_000)}"`), good(3)]);
});

test('a mixture of shapes', () => {
  const shape = (i: number) => good(i, i % 3 === 0 ? `,"_a${i % 7}":1` : '');
  expectSameAsAlone(Array.from({ length: 200 }, (_, i) => shape(i)));
});

/** Members that a careless or hostile sender may send. */
const anyKey = fc.oneof(
  fc.constantFrom(
    'version',
    'host',
    'short_message',
    'full_message',
    'timestamp',
    'level',
    'message',
    '_level',
    '_id',
    'id',
    '__id',
    '_source',
    '_full_message',
    'facility',
    '_',
    '',
    '_a',
    'a',
    '_gl2_x',
    '__proto__',
    '_constructor',
    'length',
  ),
  fc.string({ maxLength: 6 }).map((name) => `_${name}`),
);
const anyValue = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary', maxLength: 10 }),
  fc.double(),
  fc.integer(),
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.integer(), { maxLength: 3 }),
  fc.dictionary(fc.string({ maxLength: 3 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }),
);

function toJson(members: readonly (readonly [string, unknown])[], space: string): string {
  const text = members.map(([key, value]) => {
    const json = typeof value === 'bigint' ? String(value) : JSON.stringify(value);
    return `${JSON.stringify(key)}:${space}${json}`;
  });
  return `{${space}${text.join(`,${space}`)}${space}}`;
}

const anyMessage = fc
  .tuple(
    fc.array(fc.tuple(anyKey, anyValue), { maxLength: 10 }),
    fc.constantFrom('', '', ' ', '\n'),
    fc.boolean(),
  )
  .map(([members, space, sound]) =>
    toJson(
      sound
        ? [['short_message', 'text'] as const, ...members.filter(([key]) => key !== 'short_message')]
        : members,
      space,
    ),
  );

test('whatever members messages have, together they decode as alone', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          anyMessage,
          fc.nat().map((n) => good(n)),
        ),
        { maxLength: 25 },
      ),
      (payloads) => {
        expectSameAsAlone(payloads);
      },
    ),
    { numRuns: 150 },
  );
});

test('random and mutated bytes never throw, and the next good message is decoded', () => {
  const decoder = warmDecoder();
  const mutated = changedBytes(anyMessage, 6);
  const random = fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes));
  fc.assert(
    fc.property(fc.array(fc.oneof(mutated, random), { maxLength: 12 }), (payloads) => {
      const results = decodeAll(decoder, frameColumns([...payloads, good(7)]));
      expect(results).toHaveLength(payloads.length + 1);
      expect(shown(results.at(-1)!)).toMatchObject({ message: 'message 7', fields: [['n', 7]] });
      for (const result of results) {
        if (result instanceof Message) {
          expect(result.timestamp).toBeGreaterThan(0);
          expect(result.values.length).toBe(result.layout.size);
        }
      }
    }),
    { numRuns: 300 },
  );
});

test('encoding undoes decoding', () => {
  const value = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc
      .double({ noNaN: true, noDefaultInfinity: true })
      .filter((n) => Math.abs(n) <= Number.MAX_SAFE_INTEGER && !Object.is(n, -0)),
    fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }),
    fc.boolean(),
  );
  const name = fc
    .stringMatching(/^[A-Za-z0-9_.-]{1,12}$/)
    .filter(
      (text) =>
        !/^(_?(id|message|source|timestamp|streams|level|full_message|index|type|score|all|ttl)|gl2_.*)$/.test(
          text,
        ),
    );
  const layouts = createFieldLayouts();
  const decoder = createGelfDecoder({ layouts });
  const encoder = createGelfEncoder();
  const text = fc.string({ unit: 'grapheme', minLength: 1 }).filter((s) => s.trim() !== '');
  fc.assert(
    fc.property(
      fc.record({
        source: text,
        message: text,
        fullMessage: fc.option(text, { nil: undefined }),
        level: fc.nat(),
        timestamp: fc.integer({ min: 1, max: FRAMES_RECEIVED_AT }),
      }),
      fc.uniqueArray(fc.tuple(fc.oneof(name, fc.constant('id')), value), {
        selector: ([key]) => key,
        maxLength: 8,
      }),
      (head, fields) => {
        const message = new Message({
          ...head,
          layout: layouts.empty(),
          values: [],
          notes: 0,
          origin: FRAMES_SOURCE,
          receivedAt: FRAMES_RECEIVED_AT,
          size: 0,
        });
        for (const [key, fieldValue] of fields) message.setField(key, fieldValue);
        const again = decoder.decode(encoder.encode(message), FRAMES_SOURCE, FRAMES_RECEIVED_AT);
        if (again instanceof DecodeFailure) throw new Error(again.detail);
        expect(again.notes).toBe(0);
        expect(again).toMatchObject(head);
        const sorted = (m: Message) => {
          const list: [string, unknown][] = [];
          m.forEachField((key, fieldValue) => list.push([key, fieldValue]));
          return list.sort(([a], [b]) => (a < b ? -1 : 1));
        };
        expect(sorted(again)).toEqual(sorted(message));
      },
    ),
  );
});

test('encoding options', () => {
  const [message] = decodeAll(warmDecoder(), frameColumns([good(1, ',"_ok":true,"_gone":1')])) as [Message];
  message.removeField('gone');
  message.setField('bad', Number.NaN);
  message.streams = ['s1', 's2'];
  expect(JSON.parse(String(createGelfEncoder().encode(message)))).toEqual({
    version: '1.1',
    host: 'web-1',
    short_message: 'message 1',
    timestamp: 1767225600,
    level: 6,
    _n: 1,
    _ok: true,
  });
  expect(
    JSON.parse(String(createGelfEncoder({ booleans: 'text', serverFields: true }).encode(message))),
  ).toMatchObject({
    _ok: 'true',
    _gl2_source_input: 'input-1',
    _gl2_remote_ip: '192.0.2.7',
    _gl2_remote_port: 4711,
    _streams: 's1,s2',
  });
});

test('senders that never repeat a key cost bounded memory', () => {
  const decoder = createGelfDecoder({ layouts: createFieldLayouts({ maxLayouts: 100 }) });
  const layouts = new Set<object>();
  for (let round = 0; round < 60; round++) {
    const payloads = Array.from({ length: 20 }, (_, i) =>
      good(i, `,"_r${round}_${i}":1,"_s${round}_${i}":2`),
    );
    for (const result of decodeAll(decoder, frameColumns(payloads))) {
      expect(shown(result)).toMatchObject({ level: 6 });
      layouts.add((result as Message).layout);
    }
  }
  expect(layouts.size).toBe(1200);
  expect(shown(decodeAll(decoder, frameColumns([good(5)]))[0]!)).toMatchObject({ fields: [['n', 5]] });
});
