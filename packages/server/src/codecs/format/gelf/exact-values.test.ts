import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFieldLayouts, type FieldValue } from '#core/index.ts';
import { frameColumns } from '#testing/frame-columns.ts';
import { DecodeFailure, type DecodeResult } from '../codec.ts';
import { NestedJson, parseExactObject } from '../json/exact-json.ts';
import { createGelfDecoder } from './decode.ts';
import { fieldNameOf } from './keys.ts';

const START = '"version":"1.1","host":"web-1","short_message":"hello","timestamp":1767225600.5';

/** Alone, parsed together with others, and left in its frame if possible. */
function decodedInAllWays(frame: string): DecodeResult[] {
  const copies = Array.from({ length: 40 }, () => frame);
  return [{}, { leaveInFrames: true }].flatMap((how) => {
    const decoder = createGelfDecoder({ layouts: createFieldLayouts(), ...how });
    const results: DecodeResult[] = [];
    for (let round = 0; round < 2; round++)
      decoder.decodeBatch(frameColumns(copies), 0, copies.length, results);
    return results;
  });
}

function fieldsOf(result: DecodeResult): Record<string, FieldValue> {
  if (result instanceof DecodeFailure) throw new Error(result.detail);
  const fields: Record<string, FieldValue> = {};
  result.forEachField((name, value) => {
    fields[name] = value;
  });
  return fields;
}

describe('values that `JSON.parse` does not keep are looked up in the right place', () => {
  test.each([
    [
      'a key before white space, and one in an object',
      '"_o":{"_a":[1]},"_a" :[2]',
      { o: '{"_a":[1]}', a: '[2]' },
    ],
    ['the same for digits', '"_o":{"_a":9007199254740993},"_a" :9007199254740992', { a: 9007199254740992n }],
    ['the same with an escape', '"_o":{"_a":[1]},"_\\u0061":[2]', { a: '[2]' }],
    ['a key twice', '"_a":[1],"_a":[2]', { a: '[2]' }],
    ['a key twice, with an escape', '"_a":[1],"\\u005Fa":[2]', { a: '[2]' }],
    ['a key twice, with and without white space', '"_a":[1],"_a"\t:[2]', { a: '[2]' }],
    ['large integers', '"_a":9007199254740993,"_a":9007199254740992', { a: 9007199254740992n }],
    ['a key of one character', '"a":[1],"b":"a","_c":"\\"a\\":[3]"', { a: '[1]', b: 'a', c: '"a":[3]' }],
    ['a text that is the key', '"_b":"_a","_a":[1]', { b: '_a', a: '[1]' }],
    ['with and without underscore', '"_a":[1],"a":[2]', { a: '[1]' }],
  ])('%s', (_, members, expected) => {
    for (const result of decodedInAllWays(`{${START},${members}}`))
      expect(fieldsOf(result)).toMatchObject(expected);
  });

  const NAMES = ['_a', '_b', '_ab', 'a', '_a.b', '_a-b'];
  const value = fc.constantFrom(
    ...['1', '"x"', '"_a"', '"_a\\":[9]"', '"{ "', 'true', 'null', '[1]', '[2]', '[ 1.0 ]', '{}', '-0'],
    ...['9007199254740993', '9007199254740992', '12345678901234567890', '1e400', '"\\u003c\\u005f"'],
    ...[
      '{"_a":[3]}',
      '{"_a" : 9007199254740993}',
      '{ "_b" : 1.0 }',
      '{"a":{"_a":[4]}}',
      '[{"\\u005fa":[5]}]',
    ],
  );
  const key = fc.tuple(fc.constantFrom(...NAMES), fc.nat(3), fc.boolean()).map(([name, at, isEscaped]) => {
    const letter = name.charAt(at);
    if (!isEscaped || letter === '') return `"${name}"`;
    const escaped = `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
    return `"${name.slice(0, at)}${escaped}${name.slice(at + 1)}"`;
  });
  const space = fc.constantFrom('', '', '', ' ', '\t ', '\n');
  const member = fc
    .tuple(space, key, space, space, value, space)
    .map(([a, name, b, c, text, d]) => `${a}${name}${b}:${c}${text}${d}`);

  function expectedOf(frame: string): Record<string, FieldValue> {
    const fields: Record<string, FieldValue> = {};
    for (const [name, found] of parseExactObject(frame)) {
      const field = fieldNameOf(name);
      if (!NAMES.includes(name) || found === null || field in fields) continue;
      fields[field] = found instanceof NestedJson ? found.text : found;
    }
    return fields;
  }

  test('any white space, escapes in keys, keys twice and objects inside: as the exact reader reads them', () => {
    fc.assert(
      fc.property(fc.array(member, { maxLength: 5 }), (members) => {
        const frame = `{${[START, ...members].join(',')}}`;
        for (const result of decodedInAllWays(frame)) expect(fieldsOf(result)).toEqual(expectedOf(frame));
      }),
      { numRuns: 500 },
    );
  });
});

describe('what becomes text keeps its digits', () => {
  function only(members: string) {
    const results = decodedInAllWays(`{"version":"1.1","timestamp":1767225600.5,${members}}`);
    const [first] = results;
    if (first === undefined || first instanceof DecodeFailure) throw new Error('refused');
    for (const result of results) expect(fieldsOf(result)).toEqual(fieldsOf(first));
    return first;
  }

  test.each(['12345678901234567890', '1.50', '9007199254740993', '{"a":1.0}', '[12345678901234567890]'])(
    'the full message %s',
    (sent) => {
      expect(only(`"host":"h","short_message":"m","full_message":${sent}`).fullMessage).toBe(sent);
      expect(only(`"host":"h","short_message":"m","_full_message":${sent}`).fullMessage).toBe(sent);
    },
  );

  test.each(['12345678901234567890', '1.50', '-0.10', '1e5'])('the message and the host %s', (sent) => {
    const message = only(`"host":${sent},"short_message":${sent}`);
    expect([message.message, message.source]).toEqual([sent, sent]);
  });

  test.each([
    ['12345678901234567890', '12345678901234567890'],
    ['9007199254740993', 9007199254740993n],
    ['1e400', '1e400'],
    ['{"a": 1.0}', '{"a":1.0}'],
  ])('the level %s', (sent, kept) => {
    for (const name of ['level', '_level']) {
      const message = only(`"host":"h","short_message":"m","${name}":${sent}`);
      expect(message.level).toBe(1);
      expect(message.getField('original_level')).toBe(kept);
    }
  });
});
