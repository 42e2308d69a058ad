import { describe, expect, test } from 'vitest';
import {
  expectationsOf,
  refused,
  revealed,
  testValueTypes,
  type ValueTypeCase,
} from '#testing/value-type-cases.ts';
import { field } from './fields.ts';
import * as types from './types.ts';
import { InvalidValue, type ValueType } from './value-type.ts';

const anySize = types.size({ min: '1b', max: '1tb' });
const anyDuration = types.duration({ min: '0ms', max: '365d' });

const cases: ValueTypeCase[] = [
  [
    'text',
    types.text({ minLength: 2, maxLength: 4, pattern: /^[a-z]+$/, expected: 'letters' }),
    [
      ['abc', 'abc'],
      ['a', refused],
      ['abcde', refused],
      ['ab1', refused],
    ],
  ],
  [
    'integer',
    types.integer({ min: -5, max: 10 }),
    [
      ['10', 10],
      ['-5', -5],
      ['+3', 3],
      ['007', 7],
      ['11', refused],
      ['-6', refused],
      ['1.5', refused],
      ['1e1', refused],
      ['0x1', refused],
      ['ten', refused],
      ['9'.repeat(400), refused],
    ],
  ],
  [
    'boolean',
    types.boolean(),
    [
      ['true', true],
      ['TRUE', true],
      ['yes', true],
      ['on', true],
      ['1', true],
      ['false', false],
      ['No', false],
      ['off', false],
      ['0', false],
      ['maybe', refused],
      ['truee', refused],
    ],
  ],
  [
    'oneOf',
    types.oneOf(['block', 'drop_oldest']),
    [
      ['block', 'block'],
      ['DROP_OLDEST', 'drop_oldest'],
      ['drop', refused],
    ],
  ],
  [
    'size',
    anySize,
    [
      ['5gb', 5 * 2 ** 30],
      ['1mb', 1048576],
      ['1 MB', 1048576],
      ['2MiB', 2 * 2 ** 20],
      ['3k', 3072],
      ['100', 100],
      ['100b', 100],
      ['1tb', 2 ** 40],
      ['2tb', refused],
      ['0', refused],
      ['1.5gb', refused],
      ['-1mb', refused],
      ['5pb', refused],
      ['gb', refused],
      ['5 gigs', refused],
    ],
  ],
  [
    'duration',
    anyDuration,
    [
      ['5ms', 5],
      ['12h', 43_200_000],
      ['1m', 60_000],
      ['1 d', 86_400_000],
      ['10 seconds', 10_000],
      ['2 Minutes', 120_000],
      ['1hour', 3_600_000],
      ['3milliseconds', 3],
      ['0ms', 0],
      ['12', refused],
      ['1y', refused],
      ['1mo', refused],
      ['366d', refused],
      ['h', refused],
      ['-1s', refused],
    ],
  ],
  [
    'duration in seconds',
    types.duration({ min: '1s', max: '1h', bareUnit: 's' }),
    [
      ['60', 60_000],
      ['500ms', refused],
      ['2s', 2000],
      ['0', refused],
    ],
  ],
  ['duration in milliseconds', types.duration({ min: '1ms', max: '1h', bareUnit: 'ms' }), [['2000', 2000]]],
  [
    'host',
    types.host(),
    [
      ['127.0.0.1', '127.0.0.1'],
      ['localhost', 'localhost'],
      ['mail.example.org', 'mail.example.org'],
      ['my_host', 'my_host'],
      ['::', '::'],
      ['[::1]', '::1'],
      ['127.0.0.256', refused],
      ['1.2.3', refused],
      ['-bad', refused],
      ['two words', refused],
      ['a..b', refused],
      ['x'.repeat(300), refused],
    ],
  ],
  [
    'port',
    types.port(),
    [
      ['0', 0],
      ['65535', 65535],
      ['65536', refused],
      ['http', refused],
    ],
  ],
  [
    'address',
    types.address(),
    [
      ['127.0.0.1:9000', { host: '127.0.0.1', port: 9000 }],
      ['localhost:0', { host: 'localhost', port: 0 }],
      ['[::1]:9000', { host: '::1', port: 9000 }],
      ['[::]:80', { host: '::', port: 80 }],
      ['127.0.0.1', refused],
      ['127.0.0.1:', refused],
      [':9000', refused],
      ['::1:9000', refused],
      ['[localhost]:9000', refused],
      ['localhost:65536', refused],
      ['http://localhost:9000', refused],
    ],
  ],
  [
    'httpUri',
    types.httpUri(),
    [
      ['http://a:9000', 'http://a:9000/'],
      ['https://logs.example.org/x', 'https://logs.example.org/x/'],
      ['HTTPS://Logs.example.org/', 'https://logs.example.org/'],
      ['logs.example.org', refused],
      ['ftp://a/', refused],
      ['http://user:pw@a/', refused],
      ['http://a/?x=1', refused],
      ['http://a/#x', refused],
      ['http://', refused],
    ],
  ],
  [
    'path',
    types.filePath(),
    [
      ['./data', '/home/miller/data'],
      ['/var/lib/millrace/', '/var/lib/millrace'],
      ['../x', '/home/x'],
    ],
  ],
  [
    'time zone',
    types.timeZone(),
    [
      ['UTC', 'UTC'],
      ['europe/berlin', 'Europe/Berlin'],
      ['Mars/Olympus', refused],
    ],
  ],
  [
    'e-mail',
    types.email(),
    [
      ['a@b', 'a@b'],
      ['a', refused],
      ['a@b@c', refused],
      ['a b@c', refused],
    ],
  ],
  [
    'secret',
    types.secret({ minLength: 4 }),
    [
      ['four', { secret: 'four' }],
      ['abc', refused],
    ],
  ],
  ['a secret of any length', types.secret(), [['', refused]]],
];

testValueTypes(cases);

test('what is expected is said', () => {
  expect(expectationsOf(cases)).toMatchInlineSnapshot(`
    Set {
      "a text of at least 2 characters",
      "a text of at most 4 characters",
      "letters",
      "a whole number from -5 to 10",
      "true or false",
      "one of block, drop_oldest",
      "a size from 1b to 1tb in kb, mb, gb or tb",
      "a time from 0ms to 365d in ms, s, m, h or d",
      "a time from 1s to 1h in ms, s, m, h or d; without a unit seconds",
      "a host name or an IP address, such as 127.0.0.1 or ::",
      "a port from 0 (any free one) to 65535",
      "host:port, such as 127.0.0.1:9000 or [::1]:9000",
      "an address such as https://logs.example.org/, without user name, query and fragment",
      "a time zone such as UTC or Europe/Berlin",
      "an e-mail address, such as logs@example.org",
      "a text of at least 4 characters",
      "a text of at least 1 character",
    }
  `);
});

describe('as JSON', () => {
  const header = types.object({
    name: field(types.text(), { humanName: 'Name', description: 'Of the header.' }),
    value: field(types.secret(), { humanName: 'Value', description: 'Of the header.' }),
  });

  const jsonCases: [type: ValueType<unknown>, json: unknown, value: unknown, written?: unknown][] = [
    [types.text({ multiline: true }), ' two\nlines ', ' two\nlines '],
    [types.text(), 5, refused],
    [types.text(), 'x'.repeat(4097), refused],
    [types.integer({ min: 1 }), 7, 7],
    [types.integer(), ' 7 ', 7, 7],
    [types.integer(), 1.5, refused],
    [types.integer(), 2 ** 53, refused],
    [types.integer(), [7], refused],
    [types.decimal({ max: 2 }), 1.5, 1.5],
    [types.decimal(), '-2.5e3', -2500, -2500],
    [types.decimal(), '1e999', refused],
    [types.decimal({ max: 2 }), 3, refused],
    [types.size({ min: '1b' }), 1024, 1024],
    [types.size({ min: '1b' }), '1kb', 1024, 1024],
    [types.size({ min: '1b', max: '1kb' }), 1025, refused],
    [types.duration({ min: '0s', max: '1d', bareUnit: 's' }), 60, 60_000],
    [types.duration({ min: '0s', max: '1d', bareUnit: 's' }), 1.001, 1001],
    [types.duration({ min: '0s', max: '1d', bareUnit: 's' }), '2m', 120_000, 120],
    [types.duration({ min: '1m', max: '1d', bareUnit: 'm' }), 5, 300_000],
    [types.duration({ min: '0s', max: '1d' }), 60, 60],
    [types.duration({ min: '0s', max: '1s' }), 1001, refused],
    [types.boolean(), 'true', true, true],
    [types.boolean(), false, false],
    [types.boolean(), 'maybe', refused],
    [types.choice({ TCP: 'TCP', 'TCP+TLS': 'TCP with TLS' }), 'tcp+tls', 'TCP+TLS', 'TCP+TLS'],
    [types.choice({ TCP: 'TCP' }), 'toString', refused],
    [types.address(), '[::1]:9000', { host: '::1', port: 9000 }],
    [types.filePath(), 'certs/a.pem', 'certs/a.pem'],
    [types.httpUrl(), 'https://hooks.example.org/x?y=1', 'https://hooks.example.org/x?y=1'],
    [types.httpUrl(), 'https://user:password@hooks.example.org/', refused],
    [types.httpUrl(), 'ftp://hooks.example.org/', refused],
    [types.list(types.email()), ['a@b', 'c@d'], ['a@b', 'c@d']],
    [types.list(types.email()), [], []],
    [types.list(types.email()), 'a@b', refused],
    [types.list(types.email()), ['a@b', 'c'], refused],
    [types.list(types.integer()), Array(1001).fill(1), refused],
    [types.nullable(types.integer()), null, null],
    [types.nullable(types.integer()), 5, 5],
    [types.secret(), 'opensesame', { secret: 'opensesame' }],
    [header, { name: 'A', value: 'b' }, { name: 'A', value: { secret: 'b' } }],
    [header, { name: 'A' }, refused],
    [header, ['A'], refused],
    [header, null, refused],
  ];

  test.each(jsonCases)('%$', (type, json, value, written = json) => {
    let reported = false;
    const read = type.read(json, () => {
      reported = true;
    });
    expect(reported ? refused : revealed(read)).toEqual(value);
    if (!reported) expect(type.write(read)).toEqual(written);
  });

  test('an object is written as JSON in a text', () => {
    const value = header.parse('{"name": "A", "value": "b"}', {});
    expect(revealed(value)).toEqual({ name: 'A', value: { secret: 'b' } });
    for (const text of ['A: b', '{"name": "A"}', '[]']) {
      expect(header.parse(text, {})).toBeInstanceOf(InvalidValue);
    }
  });

  test('what holds a secret is known as such', () => {
    expect([header, types.list(header), types.list(types.secret())].map(({ secret }) => secret)).toEqual([
      true,
      true,
      true,
    ]);
    expect(types.list(types.text()).secret).toBe(false);
  });
});
