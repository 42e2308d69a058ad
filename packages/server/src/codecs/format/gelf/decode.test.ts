import { describe, expect, test } from 'vitest';
import { createFieldLayouts, type FieldValue, Message } from '#core/index.ts';
import { createGelfDecoder, type GelfDecoderConfig } from './decode.ts';
import { GelfFailure, type GelfFailureReason } from './failure.ts';
import { type GelfNote, gelfNoteNames } from './notes.ts';

const RECEIVED_AT = Date.UTC(2026, 5, 1, 12);
const SOURCE = { inputId: 'input-1', remoteAddress: '192.0.2.7', remotePort: 4711 };
const PLAIN = { version: '1.1', host: 'web-1', short_message: 'hello', timestamp: 1767225600.5, level: 6 };

function decode(frame: string | Buffer, config: GelfDecoderConfig = {}): Message | GelfFailure {
  const decoder = createGelfDecoder({ layouts: createFieldLayouts() }, config);
  return decoder.decode(Buffer.from(frame), SOURCE, RECEIVED_AT);
}

/** A good message with these members added or replaced (`undefined` removes). */
function gelf(members: Record<string, unknown>): string {
  return JSON.stringify({ ...PLAIN, ...members });
}

function decoded(frame: string | Buffer, config: GelfDecoderConfig = {}): Message {
  const result = decode(frame, config);
  if (result instanceof GelfFailure) throw new Error(`refused: ${result.reason}, ${result.detail}`);
  return result;
}

function fieldsOf(message: Message): Record<string, FieldValue> {
  const fields: Record<string, FieldValue> = Object.create(null);
  message.forEachField((name, value) => {
    fields[name] = value;
  });
  return fields;
}

const notesOf = (message: Message): GelfNote[] => gelfNoteNames(message.notes);

test('a message of the format, with everything in its place', () => {
  const message = decoded(gelf({ full_message: 'hello\nworld', _user: 'ada', _status: 200 }));
  expect(message).toBeInstanceOf(Message);
  expect(message).toMatchObject({
    id: '',
    timestamp: 1767225600500,
    source: 'web-1',
    message: 'hello',
    fullMessage: 'hello\nworld',
    level: 6,
    streams: [],
    origin: SOURCE,
    receivedAt: RECEIVED_AT,
    notes: 0,
  });
  expect(message.size).toBe(
    Buffer.byteLength(gelf({ full_message: 'hello\nworld', _user: 'ada', _status: 200 })),
  );
  expect(fieldsOf(message)).toEqual({ user: 'ada', status: 200 });
});

describe('version', () => {
  test.each([['1.0'], ['2'], [1.1], [undefined], [null]])('%j is accepted and noted', (version) => {
    expect(notesOf(decoded(gelf({ version })))).toEqual(['unexpected_version']);
  });
  test('it is not a field, but `_version` is', () => {
    expect(fieldsOf(decoded(gelf({ _version: '7' })))).toEqual({ version: '7' });
  });
});

describe('host', () => {
  const cases: [unknown, string, GelfNote[]][] = [
    ['db.example.org', 'db.example.org', []],
    [' kept as it is ', ' kept as it is ', []],
    [undefined, '192.0.2.7', ['host_missing']],
    [null, '192.0.2.7', ['host_missing']],
    ['', '192.0.2.7', ['host_missing']],
    [' \t', '192.0.2.7', ['host_missing']],
    [{ name: 'x' }, '192.0.2.7', ['host_missing']],
    [true, '192.0.2.7', ['host_missing']],
    [42, '42', ['host_converted']],
  ];
  test.each(cases)('%j gives %j', (host, source, notes) => {
    const message = decoded(gelf({ host }));
    expect(message.source).toBe(source);
    expect(notesOf(message)).toEqual(notes);
  });
  test('no host and no address', () => {
    const decoder = createGelfDecoder({ layouts: createFieldLayouts() });
    const result = decoder.decode(Buffer.from(gelf({ host: '' })), { ...SOURCE, remoteAddress: '' }, 1);
    expect(result).toMatchObject({ source: 'unknown' });
  });
});

describe('the text', () => {
  test('is kept as it is', () => {
    expect(decoded(gelf({ short_message: '  two\nlines\u0000 ' })).message).toBe('  two\nlines\u0000 ');
  });
  test.each([[undefined], [null], [''], ['  '], [true], [{}]])('`message` stands in for %j', (short) => {
    const message = decoded(gelf({ short_message: short, message: 'other' }));
    expect(message.message).toBe('other');
    expect(notesOf(message)).toEqual(['message_stands_in']);
  });
  test.each([
    ['5', '5'],
    ['-1.50', '-1.50'],
    ['1234567890123456789', '1234567890123456789'],
    ['9007199254740993', '9007199254740993'],
  ])('the number %s becomes text', (digits, text) => {
    const message = decoded(gelf({ short_message: 'T', message: 'other' }).replace('"T"', digits));
    expect(message.message).toBe(text);
    expect(notesOf(message)).toEqual(['message_converted', 'field_ignored']);
  });
  test('`message` beside a good `short_message` is ignored', () => {
    const message = decoded(gelf({ message: 'other' }));
    expect(message.message).toBe('hello');
    expect(notesOf(message)).toEqual(['field_ignored']);
    expect(fieldsOf(message)).toEqual({});
  });
  const refused: [Record<string, unknown>, RegExp][] = [
    [{ short_message: undefined }, /"short_message" is missing/],
    [{ short_message: null }, /"short_message" is missing/],
    [{ short_message: '' }, /"short_message" is blank/],
    [{ short_message: ' \n' }, /"short_message" is blank/],
    [{ short_message: true }, /"short_message" is a boolean/],
    [{ short_message: ['a'] }, /"short_message" is an object or array/],
    [{ short_message: undefined, message: ' ' }, /"message" is blank/],
    [{ short_message: undefined, _message: 'x' }, /"short_message" is missing/],
  ];
  test.each(refused)('%j is refused', (members, detail) => {
    const failure = decode(gelf(members));
    expect(failure).toMatchObject({ reason: 'no_message', detail: expect.stringMatching(detail) });
  });
});

describe('full_message', () => {
  const cases: [Record<string, unknown>, string | undefined][] = [
    [{}, undefined],
    [{ full_message: '' }, undefined],
    [{ full_message: ' \n ' }, undefined],
    [{ full_message: null }, undefined],
    [{ full_message: ' kept ' }, ' kept '],
    [{ full_message: 12 }, '12'],
    [{ full_message: true }, 'true'],
    [{ full_message: { a: 1 } }, '{"a":1}'],
    [{ _full_message: 'stands in' }, 'stands in'],
    [{ full_message: 'first', _full_message: 'second' }, 'first'],
    [{ full_message: '', _full_message: 'second' }, 'second'],
  ];
  test.each(cases)('%j', (members, fullMessage) => {
    const message = decoded(gelf(members));
    expect(message.fullMessage).toBe(fullMessage);
    expect(fieldsOf(message)).toEqual({});
  });
});

describe('timestamp', () => {
  const cases: [unknown, number, GelfNote[]][] = [
    [1385053862, 1385053862000, []],
    [1385053862.3072, 1385053862307, []],
    [1767225600.123, 1767225600123, []],
    [1767225600.9996, 1767225601000, []],
    [0.001, 1, []],
    ['1385053862.3072', 1385053862307, ['timestamp_converted']],
    [' 1385053862 ', 1385053862000, ['timestamp_converted']],
    ['1.385053862e9', 1385053862000, ['timestamp_converted']],
    [undefined, RECEIVED_AT, ['timestamp_missing']],
    [null, RECEIVED_AT, ['timestamp_missing']],
    [0, RECEIVED_AT, ['timestamp_replaced']],
    [-1, RECEIVED_AT, ['timestamp_replaced']],
    [0.0001, RECEIVED_AT, ['timestamp_replaced']],
    ['', RECEIVED_AT, ['timestamp_replaced']],
    ['yesterday', RECEIVED_AT, ['timestamp_replaced']],
    ['0x10', RECEIVED_AT, ['timestamp_replaced']],
    ['2026-11-15T10:00:00Z', Date.UTC(2026, 10, 15, 10), ['timestamp_converted']],
    ['2026-11-15T10:00:00.123456789+02:00', Date.UTC(2026, 10, 15, 8, 0, 0, 123), ['timestamp_converted']],
    ['2026-11-15 10:00:00,5 -0330', Date.UTC(2026, 10, 15, 13, 30, 0, 500), ['timestamp_converted']],
    ['2026-11-15t10:00:00+01', Date.UTC(2026, 10, 15, 9), ['timestamp_converted']],
    ['2026-11-15T10:00:00', Date.UTC(2026, 10, 15, 10), ['timestamp_converted']],
    ['2026-13-45T10:00:00Z', RECEIVED_AT, ['timestamp_replaced']],
    ['2026-02-30T10:00:00Z', RECEIVED_AT, ['timestamp_replaced']],
    ['2026-11-15', RECEIVED_AT, ['timestamp_replaced']],
    [true, RECEIVED_AT, ['timestamp_replaced']],
    [[1385053862], RECEIVED_AT, ['timestamp_replaced']],
    [5_000_000_000, 5_000_000_000_000, []],
    [10_413_791_999.999, Date.UTC(2299, 11, 31, 23, 59, 59, 999), []],
    [10_413_792_000, RECEIVED_AT, ['timestamp_replaced']],
    [1767225600123, 1767225600123, ['timestamp_converted']],
    ['1767225600123', 1767225600123, ['timestamp_converted']],
    // Microseconds and nanoseconds.
    [1767225600123000, RECEIVED_AT, ['timestamp_replaced']],
    [1e300, RECEIVED_AT, ['timestamp_replaced']],
    // A wrong clock is the sender's word all the same.
    [4102444800, 4102444800000, []],
  ];
  test.each(cases)('%j gives %j', (timestamp, expected, notes) => {
    const message = decoded(gelf({ timestamp }));
    expect(message.timestamp).toBe(expected);
    expect(notesOf(message)).toEqual(notes);
  });
  test.each(['1767225600123000000', '99999999999999999999999', '1e999', '-1e999'])(
    'the number %s is replaced',
    (digits) => {
      const message = decoded(gelf({ timestamp: 'T' }).replace('"T"', digits));
      expect(message.timestamp).toBe(RECEIVED_AT);
      expect(notesOf(message)).toEqual(['timestamp_replaced']);
    },
  );
});

describe('what is after the object', () => {
  test.each([` and more`, gelf({ short_message: 'second' }), `\n${gelf({ short_message: 'second' })}`, '}'])(
    '%j is ignored and counted',
    (rest) => {
      const message = decoded(gelf({ _x: 1 }) + rest);
      expect(message.message).toBe('hello');
      expect(fieldsOf(message)).toEqual({ x: 1 });
      expect(notesOf(message)).toEqual(['trailing_bytes']);
    },
  );
});

describe('numbers that JSON does not have', () => {
  test.each(['NaN', 'Infinity', '-Infinity'])('%s is text in its field', (word) => {
    const sent = gelf({ _x: 'T', _y: ['T'], _z: 1 }).replaceAll('"T"', word);
    const message = decoded(sent);
    expect(fieldsOf(message)).toEqual({ x: word, y: `["${word}"]`, z: 1 });
    expect(notesOf(message)).toEqual(['lenient_json']);
  });
});

describe('level', () => {
  const cases: [unknown, number, GelfNote[], Record<string, FieldValue>?][] = [
    [0, 0, []],
    [7, 7, []],
    [30, 30, []],
    [undefined, 1, []],
    [null, 1, []],
    ['3', 3, ['level_converted']],
    [4.7, 4, ['level_converted']],
    ['error', 3, ['level_converted']],
    ['WARN', 4, ['level_converted']],
    [' Info ', 6, ['level_converted']],
    [-1, 1, ['level_replaced'], { original_level: -1 }],
    ['verbose', 1, ['level_replaced'], { original_level: 'verbose' }],
    ['', 1, ['level_replaced']],
    [true, 1, ['level_replaced'], { original_level: true }],
    [1e12, 1, ['level_replaced'], { original_level: 1e12 }],
    [{ a: 1 }, 1, ['level_replaced'], { original_level: '{"a":1}' }],
  ];
  test.each(cases)('%j gives %j', (level, expected, notes, fields = {}) => {
    const message = decoded(gelf({ level }));
    expect(message.level).toBe(expected);
    expect(notesOf(message)).toEqual(notes);
    expect(fieldsOf(message)).toEqual(fields);
  });
  test('`_level` stands in for a missing one and never replaces one', () => {
    expect(decoded(gelf({ level: undefined, _level: 4 })).level).toBe(4);
    const message = decoded(gelf({ level: 3, _level: 4 }));
    expect(message.level).toBe(3);
    expect(notesOf(message)).toEqual(['field_ignored']);
  });
  test('a field `original_level` of the sender stays', () => {
    expect(fieldsOf(decoded(gelf({ level: 'x', _original_level: 'mine' })))).toEqual({
      original_level: 'mine',
    });
  });
});

describe('names of additional fields', () => {
  const cases: [string, string, Record<string, FieldValue>, GelfNote[]][] = [
    ['an underscore is cut', '"_user":1', { user: 1 }, []],
    ['only one of them', '"__user":1', { _user: 1 }, []],
    ['an underscore alone stays', '"_":1', { _: 1 }, []],
    ['without underscore', '"user":1', { user: 1 }, []],
    ['dots and dashes', '"_user.id":1,"_user-id":2', { 'user.id': 1, 'user-id': 2 }, []],
    ['a name and a name below it', '"_web":1,"_web.port":2', { web: 1, 'web.port': 2 }, []],
    ['digits', '"_1":1,"2":2', { 1: 1, 2: 2 }, []],
    [
      'facility, line and file',
      '"facility":"f","line":12,"file":"a.c"',
      { facility: 'f', line: 12, file: 'a.c' },
      [],
    ],
    [
      'the same with underscores',
      '"_facility":"f","_line":12,"_file":"a.c"',
      { facility: 'f', line: 12, file: 'a.c' },
      [],
    ],
    ['`_id` is omitted', '"_id":"x","_a":1', { a: 1 }, ['id_dropped']],
    ['`id` is not `_id`', '"id":"x"', { id: 'x' }, []],
    ['`__id` would be the id of the API', '"__id":"x"', {}, ['field_ignored']],
    ['a space', '"_a b":1,"_c":2', { c: 2 }, ['bad_field_name']],
    ['an at sign', '"_a@b":1,"@timestamp":2', {}, ['bad_field_name']],
    ['a letter outside of ASCII', '"_grün":1', {}, ['bad_field_name']],
    ['a line feed at the end', '"_a\\n":1', {}, ['bad_field_name']],
    ['no name', '"":1', {}, ['bad_field_name']],
    ['names of the server', '"_source":1,"source":2,"_timestamp":3,"_message":4', {}, ['field_ignored']],
    [
      'streams and gl2_',
      '"_streams":["a"],"gl2_source_input":"x","_gl2_remote_ip":"y"',
      {},
      ['field_ignored'],
    ],
    ['`_host` is an ordinary field', '"_host":"h"', { host: 'h' }, []],
    ['with and without underscore: the first wins', '"_a":1,"a":2', { a: 1 }, ['field_ignored']],
    ['the same the other way round', '"a":1,"_a":2', { a: 1 }, ['field_ignored']],
    ['the first that has a value wins', '"_a":null,"a":2', { a: 2 }, []],
    ['`_` and `__`', '"_":1,"__":2', { _: 1 }, ['field_ignored']],
    ['the same key twice: the last, as in every JSON reader', '"_a":1,"_a":2', { a: 2 }, []],
    [
      'names from JavaScript',
      '"_constructor":1,"_toString":2,"__proto__":3',
      { constructor: 1, toString: 2, _proto__: 3 },
      [],
    ],
  ];
  test.each(cases)('%s', (_name, members, fields, notes) => {
    const message = decoded(gelf({}).replace(/}$/, `,${members}}`));
    expect(fieldsOf(message)).toEqual(Object.assign(Object.create(null), fields));
    expect(notesOf(message)).toEqual(notes);
  });

  test('`__proto__` as a name is a field and touches no prototype', () => {
    const message = decoded(
      gelf({}).replace(
        /}$/,
        ',"___proto__":"mine","__proto__":{"polluted":true},"_x":1\u0007}'.replace('\u0007', ''),
      ),
    );
    expect(message.getField('__proto__')).toBe('mine');
    expect(message.getField('_proto__')).toBe('{"polluted":true}');
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  test('the same through the forgiving reader', () => {
    const message = decoded(gelf({}).replace(/}$/, ',"___proto__":"mine","__proto__":{"polluted":true},}'));
    expect(message.getField('__proto__')).toBe('mine');
    expect(message.getField('_proto__')).toBe('{"polluted":true}');
    expect(notesOf(message)).toEqual(['lenient_json']);
  });

  test('more keys than allowed are dropped and counted, the message and its text are kept', () => {
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`_f${i}`, i]));
    const frame = JSON.stringify({ ...many, ...PLAIN, _last: 1 });
    const decoder = createGelfDecoder({ layouts: createFieldLayouts() }, { maxKeys: 20 });
    for (let round = 1; round <= 2; round++) {
      const result = decoder.decode(Buffer.from(frame), SOURCE, RECEIVED_AT);
      expect(result).toMatchObject({ message: 'hello', level: 6, source: 'web-1' });
      expect(Object.keys(fieldsOf(result as Message))).toHaveLength(20);
      expect(decoder.noteCounters.too_many_fields).toBe(31 * round);
    }
  });
});

describe('values of additional fields', () => {
  const cases: [string, string, FieldValue | undefined][] = [
    ['a string', '"a"', 'a'],
    ['an empty string', '""', ''],
    ['white space is kept', '" a "', ' a '],
    ['escapes', '"\\u00e4\\n\\"\\\\\\/"', 'ä\n"\\/'],
    ['characters outside of ASCII', '"grüße 日本 🎉"', 'grüße 日本 🎉'],
    ['a numeric string stays a string', '"42"', '42'],
    ['an integer', '42', 42],
    ['a negative integer', '-7', -7],
    ['a float', '0.25', 0.25],
    ['an exponent', '1e3', 1000],
    ['true', 'true', true],
    ['false', 'false', false],
    ['null is dropped', 'null', undefined],
    ['2^53 - 1', '9007199254740991', 9007199254740991],
    ['2^53 + 1', '9007199254740993', 9007199254740993n],
    ['the same, negative', '-9007199254740993', -9007199254740993n],
    ['the largest of 64 bits', '9223372036854775807', 9223372036854775807n],
    ['the smallest of 64 bits', '-9223372036854775808', -9223372036854775808n],
    ['past 64 bits', '9223372036854775808', '9223372036854775808'],
    ['far past 64 bits', '123456789012345678901234567890', '123456789012345678901234567890'],
    ['a large float', '1.5e300', 1.5e300],
    ['past every float', '1e999', '1e999'],
    ['an object', '{"a":1,"b":[true,null]}', '{"a":1,"b":[true,null]}'],
    ['an array', '["x","y"]', '["x","y"]'],
    ['an empty object and an empty array', '[{},[]]', '[{},[]]'],
    ['white space between tokens goes', '{ "a" : [ 1 , 2 ] }', '{"a":[1,2]}'],
    ['digits inside are kept', '{"n":9007199254740993,"f":1.10}', '{"n":9007199254740993,"f":1.10}'],
    ['quotes and braces inside strings', '{"a":"}]\\"{["}', '{"a":"}]\\"{["}'],
  ];
  test.each(cases)('%s', (_name, json, value) => {
    for (const separator of [':', ': ', ' :\t']) {
      const message = decoded(gelf({}).replace(/}$/, `,"_field"${separator}${json},"_after":1}`));
      expect(message.getField('field')).toBe(value);
      expect(message.getField('after')).toBe(1);
      expect(message.notes).toBe(0);
    }
  });

  test('the digits of the right field are kept, wherever the name occurs', () => {
    const message = decoded(
      gelf({}).replace(
        /}$/,
        ',"_a":{"_n":9007199254740993},"_n":9007199254740995,"_b":"\\"_n\\":1","_x\\"_n":1,"_my_n":18014398509481985}',
      ),
    );
    expect(message.getField('n')).toBe(9007199254740995n);
    expect(message.getField('my_n')).toBe(18014398509481985n);
    expect(message.getField('a')).toBe('{"_n":9007199254740993}');
  });

  test('a message of nothing but long integers', () => {
    const digits = Array.from({ length: 400 }, (_, i) => `"_f${i}":${9007199254740993n + BigInt(i) * 2n}`);
    const message = decoded(gelf({ _pad: 'x'.repeat(5000) }).replace(/}$/, `,${digits.join()}}`));
    expect(message.getField('f0')).toBe(9007199254740993n);
    expect(message.getField('f399')).toBe(9007199254741791n);
  });

  test('nesting of 100 levels is kept, deeper is refused, also where the stack would end', () => {
    const nested = (levels: number) =>
      gelf({}).replace(/}$/, `,"_deep":${'['.repeat(levels)}${']'.repeat(levels)}}`);
    expect(decoded(nested(100)).getField('deep')).toBe('['.repeat(100) + ']'.repeat(100));
    expect(decode(nested(101))).toMatchObject({ reason: 'too_deep' });
    expect(decode(nested(100_000))).toMatchObject({ reason: 'too_deep' });
    expect(decode(nested(100_000).replace('"_deep":', '"_deep" : '))).toMatchObject({ reason: 'too_deep' });
    expect(decode(nested(100_000).replace(/}$/, ',}'))).toMatchObject({ reason: 'too_deep' });
  });
});

describe('forgiven', () => {
  const cases: [string, string | Buffer, GelfNote[]][] = [
    ['null bytes at the end', `${gelf({})}\0\0`, []],
    ['white space around', ` \r\n\t${gelf({})}\r\n\0 \n`, []],
    ['a byte order mark', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(gelf({}))]), []],
    [
      'a raw line feed in a string',
      gelf({}).replace('web-1', 'web-1').replace('{', '{"_x":"a\nb\tc\u0001",'),
      ['lenient_json'],
    ],
    ['a comma before the end', gelf({}).replace(/}$/, ',}'), ['lenient_json']],
    ['a comma at the end of an array', gelf({}).replace(/}$/, ',"_l":[1,2,]}'), ['lenient_json']],
  ];
  test.each(cases)('%s', (_name, frame, notes) => {
    const message = decoded(frame);
    expect(message).toMatchObject({ message: 'hello', source: 'web-1', level: 6, timestamp: 1767225600500 });
    expect(notesOf(message)).toEqual(notes);
  });

  test('raw control characters are part of the value', () => {
    const frame = gelf({}).replace(/}$/, ',"_x":"a\nb\\n\tc\u0001","_n":{"k":"a\nb"}}');
    const message = decoded(frame);
    expect(message.getField('x')).toBe('a\nb\n\tc\u0001');
    expect(message.getField('n')).toBe('{"k":"a\\u000ab"}');
  });

  test('bytes that are not UTF-8 become replacement characters', () => {
    const [head, tail] = gelf({ _x: 'SPLIT' }).split('SPLIT') as [string, string];
    const frame = Buffer.concat([
      Buffer.from(head),
      Buffer.from([0x61, 0xff, 0xc3, 0x62]),
      Buffer.from(tail),
    ]);
    expect(decoded(frame).getField('x')).toBe('a\ufffd\ufffdb');
  });
});

describe('refused', () => {
  const cases: [string, string | Buffer, GelfFailureReason][] = [
    ['nothing', '', 'empty'],
    ['only null bytes and white space', ' \0\r\n', 'empty'],
    ['plain text', 'hello', 'not_object'],
    ['a number', '42', 'not_object'],
    ['a string', '"hello"', 'not_object'],
    ['null', 'null', 'not_object'],
    ['an array', `[${gelf({})}]`, 'not_object'],
    ['an unfinished object', gelf({}).slice(0, -1), 'not_json'],
    ['an unfinished string', gelf({}).slice(0, 30), 'not_json'],
    ['two commas', gelf({}).replace(',', ',,'), 'not_json'],
    ['a key without quotes', gelf({}).replace('"host"', 'host'), 'not_json'],
    ['single quotes', gelf({}).replaceAll('"', "'"), 'not_json'],
    ['a bad escape', gelf({}).replace('hello', '\\x'), 'not_json'],
    ['a bad number', gelf({ _x: 5 }).replace(':5', ':05'), 'not_json'],
    ['nan', gelf({ _x: 5 }).replace(':5', ':nan'), 'not_json'],
    ['crossed brackets', gelf({ _x: 5 }).replace(':5', ':[}'), 'not_json'],
    ['an empty object', '{}', 'no_message'],
    ['binary', Buffer.from([0x80, 0xff, 0x00, 0x01]), 'not_object'],
  ];
  test.each(cases)('%s', (_name, frame, reason) => {
    const failure = decode(frame);
    expect(failure).toBeInstanceOf(GelfFailure);
    expect(failure).toMatchObject({ reason });
    expect((failure as GelfFailure).detail.length).toBeLessThan(200);
  });
});

test('counters add up over messages', () => {
  const decoder = createGelfDecoder({ layouts: createFieldLayouts() });
  for (let i = 0; i < 3; i++) {
    decoder.decode(Buffer.from(gelf({ version: '1', '_a b': 1, '_c d': 2, _id: 3 })), SOURCE, RECEIVED_AT);
  }
  expect(decoder.noteCounters).toMatchObject({
    unexpected_version: 3,
    bad_field_name: 6,
    id_dropped: 3,
    host_missing: 0,
  });
});
