import { describe, expect, test } from 'vitest';
import { Secret } from '#core/index.ts';
import {
  address,
  boolean,
  clickHouseServer,
  duration,
  email,
  filePath,
  host,
  httpUri,
  InvalidValue,
  integer,
  list,
  metadataUri,
  oneOf,
  origin,
  port,
  secret,
  sha256,
  size,
  subnet,
  text,
  timeZone,
  type ValueType,
} from './value-types.ts';

const context = { cwd: '/home/miller' };
const refused = Symbol('refused');

/** Secrets are shown, so that tables can hold what is expected of them. */
function revealed(value: unknown): unknown {
  if (value instanceof InvalidValue) return refused;
  if (value instanceof Secret) return { secret: value.reveal() };
  if (Array.isArray(value)) return value.map(revealed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, revealed(part)]));
}

const hex = '0123456789abcdef'.repeat(4);
const anySize = size({ min: '1b', max: '1tb' });
const anyDuration = duration({ min: '0ms', max: '365d' });

const cases: [name: string, type: ValueType<unknown>, rows: [written: string, value: unknown][]][] = [
  [
    'text',
    text({ minLength: 2, maxLength: 4, pattern: /^[a-z]+$/, expected: 'letters' }),
    [
      ['abc', 'abc'],
      ['a', refused],
      ['abcde', refused],
      ['ab1', refused],
    ],
  ],
  [
    'integer',
    integer({ min: -5, max: 10 }),
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
    boolean(),
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
    oneOf(['block', 'drop_oldest']),
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
    duration({ min: '1s', max: '1h', bareUnit: 's' }),
    [
      ['60', 60_000],
      ['500ms', refused],
      ['2s', 2000],
      ['0', refused],
    ],
  ],
  ['duration in milliseconds', duration({ min: '1ms', max: '1h', bareUnit: 'ms' }), [['2000', 2000]]],
  [
    'host',
    host(),
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
    port(),
    [
      ['0', 0],
      ['65535', 65535],
      ['65536', refused],
      ['http', refused],
    ],
  ],
  [
    'address',
    address(),
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
    httpUri(),
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
    'list of origin',
    list(origin()),
    [
      ['https://a.example', ['https://a.example']],
      ['https://a.example/ , http://b:81,', ['https://a.example', 'http://b:81']],
      ['*', refused],
      ['https://a.example/path', refused],
      ['https://a.example, nonsense', refused],
      [',', refused],
    ],
  ],
  [
    'subnet',
    subnet(),
    [
      ['10.0.0.0/8', '10.0.0.0/8'],
      ['127.0.0.1', '127.0.0.1'],
      ['fd00::/64', 'fd00::/64'],
      ['10.0.0.0/33', refused],
      ['fd00::/129', refused],
      ['10.0.0/8', refused],
      ['example.org', refused],
    ],
  ],
  [
    'path',
    filePath(),
    [
      ['./data', '/home/miller/data'],
      ['/var/lib/millrace/', '/var/lib/millrace'],
      ['../x', '/home/x'],
    ],
  ],
  [
    'time zone',
    timeZone(),
    [
      ['UTC', 'UTC'],
      ['europe/berlin', 'Europe/Berlin'],
      ['Mars/Olympus', refused],
    ],
  ],
  [
    'e-mail',
    email(),
    [
      ['a@b', 'a@b'],
      ['a', refused],
      ['a@b@c', refused],
      ['a b@c', refused],
    ],
  ],
  [
    'secret',
    secret({ minLength: 4 }),
    [
      ['four', { secret: 'four' }],
      ['abc', refused],
    ],
  ],
  [
    'sha256',
    sha256(),
    [
      [hex.toUpperCase(), { secret: hex }],
      [hex.slice(1), refused],
      [`${hex.slice(1)}g`, refused],
    ],
  ],
  [
    'metadataUri',
    metadataUri(),
    [
      ['sqlite:x.db', { secret: 'sqlite:/home/miller/x.db' }],
      ['sqlite:/var/x.db', { secret: 'sqlite:/var/x.db' }],
      ['sqlite:///var/x.db', { secret: 'sqlite:/var/x.db' }],
      ['sqlite::memory:', { secret: 'sqlite::memory:' }],
      ['postgres://u:p@h/db', { secret: 'postgres://u:p@h/db' }],
      ['postgresql://h/db', { secret: 'postgresql://h/db' }],
      ['sqlite:', refused],
      ['mysql://h/db', refused],
      ['postgres://h:port/db', refused],
    ],
  ],
  [
    'clickHouseServer',
    list(clickHouseServer()),
    [
      [
        'http://u:p%40%2C@a:8123, https://b',
        [
          { url: 'http://a:8123', username: 'u', password: { secret: 'p@,' } },
          { url: 'https://b', username: 'default', password: { secret: '' } },
        ],
      ],
      ['tcp://a:9000', refused],
      ['http://a:8123/db', refused],
      ['http://a:8123/?x=1', refused],
      ['http://u:%ZZ@a:8123', refused],
      ['a:8123', refused],
    ],
  ],
];

describe.each(cases)('%s', (_name, type, rows) => {
  test.each(rows)('%j', (written, value) => {
    expect(revealed(type.parse(written, context))).toEqual(value);
  });
});

test('what is expected is said', () => {
  const expectations = cases.flatMap(([, type, rows]) =>
    rows
      .map(([written]) => type.parse(written, context))
      .filter((value) => value instanceof InvalidValue)
      .map((value) => value.expected),
  );
  expect(new Set(expectations)).toMatchInlineSnapshot(`
    Set {
      "at least 2 characters",
      "at most 4 characters",
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
      "a comma separated list, each an origin such as https://logs.example.org",
      "a comma separated list",
      "an IP address or subnet, such as 10.0.0.0/8",
      "a time zone such as UTC or Europe/Berlin",
      "an e-mail address, such as logs@example.org",
      "at least 4 characters",
      "the 64 hex digits that \`printf %s YOUR_PASSWORD | sha256sum\` prints",
      "sqlite:<file> or postgres://user:password@host:5432/database, special characters percent-encoded",
      "a comma separated list, each http(s)://user:password@host:8123, special characters percent-encoded",
    }
  `);
});

test('secrets and switches are known as such', () => {
  expect([secret(), sha256(), metadataUri(), list(clickHouseServer())].map((type) => type.secret)).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(list(text()).secret).toBe(false);
  expect([boolean().isSwitch, text().isSwitch]).toEqual([true, false]);
});
