import { describe, expect, test } from 'vitest';
import { InvalidValue, Secret, types, type ValueType } from '#core/index.ts';
import { clickHouseServer, metadataUri, origin, sha256, subnet } from './value-types.ts';

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

const cases: [name: string, type: ValueType<unknown>, rows: [written: string, value: unknown][]][] = [
  [
    'list of origin',
    types.list(origin()),
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
    types.list(clickHouseServer()),
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
      "a comma separated list, each an origin such as https://logs.example.org",
      "a comma separated list",
      "an IP address or subnet, such as 10.0.0.0/8",
      "the 64 hex digits that \`printf %s YOUR_PASSWORD | sha256sum\` prints",
      "sqlite:<file> or postgres://user:password@host:5432/database, special characters percent-encoded",
      "a comma separated list, each http(s)://user:password@host:8123, special characters percent-encoded",
    }
  `);
});

test('secrets are known as such', () => {
  const secrets = [sha256(), metadataUri(), types.list(clickHouseServer())];
  expect(secrets.map(({ secret }) => secret)).toEqual([true, true, true]);
  expect(types.list(origin()).secret).toBe(false);
});
