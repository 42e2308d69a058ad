import { expect, test } from 'vitest';
import { types } from '#core/index.ts';
import { expectationsOf, refused, testValueTypes, type ValueTypeCase } from '#testing/value-type-cases.ts';
import { clickHouseShard, metadataUri, origin, sha256, subnet } from './value-types.ts';

const hex = '0123456789abcdef'.repeat(4);

const cases: ValueTypeCase[] = [
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
    'clickHouseShard',
    types.list(clickHouseShard()),
    [
      [
        'http://u:p%40%2C@a:8123, https://b',
        [
          { url: 'http://a:8123', username: 'u', password: { secret: 'p@,' } },
          { url: 'https://b', username: 'default', password: { secret: '' } },
        ],
      ],
      [
        'http://u:p%7Cq@a:8123?native_port=9001 | http://u:p|q@b:8123, https://c',
        [
          {
            url: 'http://a:8123',
            username: 'u',
            password: { secret: 'p|q' },
            nativePort: 9001,
            replicas: [{ url: 'http://b:8123', username: 'u', password: { secret: 'p|q' } }],
          },
          { url: 'https://c', username: 'default', password: { secret: '' } },
        ],
      ],
      ['http://a:8123|http://', refused],
      ['tcp://a:9000', refused],
      ['http://a:8123/db', refused],
      ['http://a:8123/?x=1', refused],
      ['http://u:%ZZ@a:8123', refused],
      ['a:8123', refused],
    ],
  ],
];

testValueTypes(cases);

test('what is expected is said', () => {
  expect(expectationsOf(cases)).toMatchInlineSnapshot(`
    Set {
      "a comma separated list, each an origin such as https://logs.example.org",
      "a comma separated list",
      "an IP address or subnet, such as 10.0.0.0/8",
      "the 64 hex digits that \`printf %s YOUR_PASSWORD | sha256sum\` prints",
      "sqlite:<file> or postgres://user:password@host:5432/database, special characters percent-encoded",
      "a comma separated list, each http(s)://user:password@host:8123, special characters percent-encoded; between servers ?native_port=9000",
    }
  `);
});

test('secrets are known as such', () => {
  const secrets = [sha256(), metadataUri(), types.list(clickHouseShard())];
  expect(secrets.map(({ secret }) => secret)).toEqual([true, true, true]);
  expect(types.list(origin()).secret).toBe(false);
});
