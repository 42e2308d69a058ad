import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { startDnsTestServer } from '#testing/dns-server.ts';
import { createLookupFixture, type LookupFixture } from '#testing/lookup-fixture.ts';

let fixture: LookupFixture;
beforeEach(async () => {
  fixture = await createLookupFixture();
});
afterEach(() => fixture.close());

const ADAPTERS = '/system/lookup/adapters';
const TABLES = '/system/lookup/tables';
const call: LookupFixture['call'] = (...request) => fixture.call(...request);
const created: LookupFixture['created'] = (...request) => fixture.created(...request);
const errorOf = () => fixture.errorOf();

const MINUTE = { type: 'guava_cache', max_size: 100, expire_after_access: 0, expire_after_write: 60 };

async function createTable(config: object, cache: object = MINUTE): Promise<void> {
  const data_adapter_id = await created(ADAPTERS, { name: 'data', title: 'Data', config });
  const cache_id = await created('/system/lookup/caches', { name: 'cache', title: 'Cache', config: cache });
  const defaults = { default_single_value: 'nobody', default_single_value_type: 'STRING' };
  await created(TABLES, { name: 'hosts', title: 'Hosts', data_adapter_id, cache_id, ...defaults });
}

const single = (key: string) => fixture.worker.lookup('hosts', key)?.single;
const query = async (key: string) =>
  (await call('GET', `${TABLES}/hosts/query?key=${encodeURIComponent(key)}`)).body;
const fetched = (key: string) => fixture.fetched('hosts', key);

interface TestServer {
  readonly url: string;
  readonly port: number;
  /** Path and query of each request. */
  readonly requests: string[];
}

async function startServer(
  answer: (request: http.IncomingMessage, response: http.ServerResponse) => void,
  address = '127.0.0.1',
): Promise<TestServer> {
  const requests: string[] = [];
  const server = http.createServer((request, response) => {
    requests.push(request.url ?? '');
    answer(request, response);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  server.listen(0, address);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://${address}:${port}`, port, requests };
}

const OWNER = { value: 'Ann', all: { team: 'ops', floor: 3 }, tags: ['a', 'b'] };
const ownerServer = (address?: string) =>
  startServer(
    (request, response) =>
      response.end(JSON.stringify({ ...OWNER, key: decodeURIComponent(request.url ?? '') })),
    address,
  );
// biome-ignore lint/suspicious/noTemplateCurlyInString: it is what people write.
const KEY = '${key}';

describe('HTTP JSONPath', () => {
  test('a worker gets the default at once, and the answer for later messages', async () => {
    const { url, requests } = await ownerServer();
    await createTable({ type: 'httpjsonpath', url: `${url}/h/${KEY}?full`, multi_value_jsonpath: '$.all' });
    expect([single('web 1/x'), single('web 1/x'), single('web 1/x')]).toEqual(['nobody', 'nobody', 'nobody']);
    expect(await fetched('web 1/x')).toBe('Ann');
    expect(fixture.worker.lookup('hosts', 'web 1/x')?.multi).toEqual({ team: 'ops', floor: 3 });
    // Asked for once, with everything in it encoded.
    expect(requests).toEqual(['/h/web%201%2Fx?full']);
    expect(await query('web 1/x')).toMatchObject({ single_value: 'Ann', has_error: false });
    expect(requests).toHaveLength(1);
  });

  test('an answer that has expired is used until the new one is there', async () => {
    let owner = 'Ann';
    const { url, requests } = await startServer((_, response) =>
      response.end(JSON.stringify({ value: owner })),
    );
    await createTable({ type: 'httpjsonpath', url: `${url}/${KEY}` });
    expect(await fetched('a')).toBe('Ann');
    owner = 'Bob';
    fixture.clock.advance(59_999);
    expect(single('a')).toBe('Ann');
    fixture.clock.advance(1);
    const answered = fixture.answered();
    expect(single('a')).toBe('Ann');
    await answered;
    expect(single('a')).toBe('Bob');
    expect(requests).toHaveLength(2);
    // Much later it is forgotten.
    fixture.clock.advance(3_600_000);
    expect(single('a')).toBe('nobody');
  });

  test('purging a table forgets one key or all', async () => {
    const { url, requests } = await ownerServer();
    await createTable({ type: 'httpjsonpath', url: `${url}/${KEY}` });
    await fetched('a');
    await fetched('b');
    await call('POST', `${TABLES}/hosts/purge?key=a`);
    expect([single('b'), single('a')]).toEqual(['Ann', 'nobody']);
    await fixture.answered();
    await call('POST', `${TABLES}/hosts/purge`);
    expect([single('b'), single('a')]).toEqual(['nobody', 'nobody']);
    await fixture.answered();
    expect(requests.toSorted()).toEqual(['/a', '/a', '/a', '/b', '/b']);
  });

  test('headers, also secret ones, which nobody sees and another server does not get', async () => {
    const seen: http.IncomingHttpHeaders[] = [];
    const other = await startServer((request, response) => {
      seen.push(request.headers);
      response.end(JSON.stringify(OWNER));
    });
    const { url } = await startServer((request, response) => {
      seen.push(request.headers);
      response.writeHead(302, { location: `${other.url}/there` }).end();
    });
    await createTable({
      type: 'httpjsonpath',
      url: `${url}/${KEY}`,
      user_agent: 'Me',
      headers: { 'X-Team': 'ops' },
      secret_headers: [{ name: 'Authorization', value: 'Bearer 1' }],
    });
    expect(await fetched('a')).toBe('Ann');
    expect(seen[0]).toMatchObject({ 'user-agent': 'Me', 'x-team': 'ops', authorization: 'Bearer 1' });
    expect(seen[1]).not.toHaveProperty('authorization');
    expect(seen[1]).not.toHaveProperty('x-team');
    const { body, text } = await call('GET', `${ADAPTERS}/data`);
    expect(body.config).toMatchObject({ headers: { 'X-Team': 'ops' } });
    expect(text).not.toContain('Bearer 1');
  });

  test.each([
    [
      'an error of the server',
      (response: http.ServerResponse) => response.writeHead(503).end(),
      'answered 503',
    ],
    ['something else', (response: http.ServerResponse) => response.end('<html>'), 'is not JSON'],
    [
      'a large answer',
      (response: http.ServerResponse) => response.end(`"${'x'.repeat(2 ** 20)}"`),
      'more than',
    ],
    ['no answer', () => {}, 'did not answer within 50 ms'],
    [
      'a redirect elsewhere',
      (response: http.ServerResponse) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
      'redirects to something that is not http or https',
    ],
    [
      'redirects without end',
      (response: http.ServerResponse) => response.writeHead(302, { location: '/again' }).end(),
      'redirects more than 3 times',
    ],
    [
      'an object as the single value',
      (response: http.ServerResponse) => response.end('{"value": {}}'),
      'leads to an object or a list',
    ],
    [
      'a value of many levels',
      (response: http.ServerResponse) => response.end(`{"value": ${'['.repeat(200)}${']'.repeat(200)}}`),
      'nested more than',
    ],
  ])('%s is an error that says so, and rules get the default', async (_, answer, reason) => {
    const { url, requests } = await startServer((__, response) => void answer(response));
    const timeout = reason.includes('50 ms') ? 50 : 60_000;
    await createTable({ type: 'httpjsonpath', url: `${url}/${KEY}`, timeout });
    expect(await fetched('a')).toBe('nobody');
    expect(await errorOf()).toContain(reason);
    expect(await query('a')).toMatchObject({ single_value: 'nobody', has_error: true });
    const { length } = requests;
    // The worker asks again after a while.
    expect(single('a')).toBe('nobody');
    fixture.clock.advance(5000);
    expect(await fetched('a')).toBe('nobody');
    expect(requests.length).toBeGreaterThan(length);
  });

  test.each(['127.0.0.2', '[::1]', '0x7f.2', '169.254.169.254', '[::ffff:10.0.0.1]'])(
    '%s is not asked unless its network is allowed',
    async (host) => {
      const { port, requests } = await ownerServer('127.0.0.2');
      await createTable({ type: 'httpjsonpath', url: `http://${host}:${port}/${KEY}` });
      expect(await fetched('a')).toBe('nobody');
      expect(await errorOf()).toMatch(/is not a public address.*lookup_allowed_networks/);
      expect(requests).toEqual([]);
    },
  );

  test('a server that is allowed does not redirect to one that is not', async () => {
    const other = await ownerServer('127.0.0.2');
    const { url } = await startServer((_, response) =>
      response.writeHead(302, { location: `${other.url}/a` }).end(),
    );
    await createTable({ type: 'httpjsonpath', url: `${url}/${KEY}` });
    expect(await fetched('a')).toBe('nobody');
    expect(await errorOf()).toContain('is at 127.0.0.2, which is not a public address');
    expect(other.requests).toEqual([]);
  });

  test('a JSONPath that takes too long is broken off, and nothing is asked for a while', async () => {
    const text = `${'a'.repeat(28)}!`;
    const { url, requests } = await startServer((_, response) =>
      response.end(JSON.stringify({ value: 'Ann', texts: [text] })),
    );
    const multi_value_jsonpath = "$.texts[?search(@, '(a+)+$')]";
    await createTable({ type: 'httpjsonpath', url: `${url}/${KEY}`, multi_value_jsonpath });
    expect(await fetched('a')).toBe('nobody');
    expect(await errorOf()).toContain('take longer than 500 ms');
    expect(await fetched('b')).toBe('nobody');
    expect(requests).toEqual(['/a']);
    fixture.clock.advance(10_000);
    expect(await fetched('b')).toBe('nobody');
    expect(requests).toEqual(['/a', '/b']);
  });

  test('a key that the server does not know has no value', async () => {
    const { url } = await startServer((_, response) => response.writeHead(404).end());
    await createTable({ type: 'httpjsonpath', url: `${url}/${KEY}` });
    expect(await fetched('a')).toBe('nobody');
    expect(await errorOf()).toBeNull();
  });

  test('keys cannot lead to another place', async () => {
    const { url, requests } = await ownerServer();
    await createTable({ type: 'httpjsonpath', url: `${url}/hosts/${KEY}` });
    for (const key of ['..', '.', '']) expect([key, await fetched(key)]).toEqual([key, 'nobody']);
    expect(await fetched('a?b=c#d')).toBe('Ann');
    expect(requests).toEqual(['/hosts/a%3Fb%3Dc%23d']);
  });

  test.each([
    [{ url: 'http://a.example/' }, 'url', 'must contain'],
    [{ url: `ftp://a.example/${KEY}` }, 'url', 'http:// or https://'],
    [{ url: `http://${KEY}.example/` }, 'url', 'not in the name of the server'],
    [{ url: `http://a:b@a.example/${KEY}` }, 'url', 'secret_headers'],
    [
      { headers: { 'X-Team': 'a' }, secret_headers: [{ name: 'x-team', value: 'b' }] },
      'secret_headers',
      'there twice',
    ],
    [{ single_value_jsonpath: '$.a[*]' }, 'single_value_jsonpath', 'several values'],
    [{ single_value_jsonpath: 'a b' }, 'single_value_jsonpath', 'is not a JSONPath'],
    [{ multi_value_jsonpath: '$..[' }, 'multi_value_jsonpath', 'is not a JSONPath'],
    [{ headers: { 'a b': 'c' } }, 'headers.a b', 'HTTP header'],
    [{ headers: { a: 1 } }, 'headers.a', 'must be a text'],
  ])('%j is refused', async (config, field, reason) => {
    const body = {
      name: 'data',
      title: 'Data',
      config: { type: 'httpjsonpath', url: `http://a.example/${KEY}`, ...config },
    };
    const answer = await call('POST', ADAPTERS, { body });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain(field);
    expect(answer.text).toContain(reason);
  });
});

describe('DNS', () => {
  async function dnsTable(lookup_type: string, more: object = {}) {
    const server = await startDnsTestServer();
    onTestFinished(() => server.close());
    await createTable({ type: 'dnslookup', lookup_type, server_ips: server.address, ...more });
    return server;
  }
  const answer = (key: string) => fixture.worker.lookup('hosts', key);

  test('addresses of a name, for as long as the server says', async () => {
    const { records, asked } = await dnsTable('A');
    records.set('web.example.org', [
      { type: 'A', ttl: 30, data: '192.0.2.1' },
      { type: 'A', ttl: 20, data: '192.0.2.2' },
    ]);
    await fetched('web.example.org');
    expect(answer('web.example.org')).toEqual({
      single: expect.stringMatching(/^192\.0\.2\.[12]$/),
      multi: {
        results: expect.arrayContaining([
          { ip_address: '192.0.2.1', dns_ttl: 30 },
          { ip_address: '192.0.2.2', dns_ttl: 20 },
        ]),
      },
      list: expect.arrayContaining(['192.0.2.1', '192.0.2.2']),
    });
    expect((await query('web.example.org')).string_list_value).toHaveLength(2);
    fixture.clock.advance(19_999);
    answer('web.example.org');
    expect(asked).toHaveLength(1);
    fixture.clock.advance(1);
    await fetched('web.example.org');
    expect(asked).toHaveLength(2);
  });

  test('all addresses, with their version', async () => {
    const { records } = await dnsTable('A_AAAA', {
      cache_ttl_override_enabled: true,
      cache_ttl_override: 1,
      cache_ttl_override_unit: 'HOURS',
    });
    records.set('web.example.org', [{ type: 'AAAA', ttl: 5, data: '2001:db8:0:0:0:0:0:1' }]);
    await fetched('web.example.org');
    expect(answer('web.example.org')).toMatchObject({
      single: '2001:db8::1',
      multi: { results: [{ ip_address: '2001:db8::1', ip_version: 'IPv6', dns_ttl: 5 }] },
    });
  });

  test('the name of an address', async () => {
    const { records } = await dnsTable('PTR');
    records.set('1.2.0.192.in-addr.arpa', [{ type: 'PTR', ttl: 9, data: 'web.shop.example' }]);
    expect(await fetched('192.0.2.1')).toBe('web.shop.example');
    expect(answer('192.0.2.1')?.multi).toEqual({ domain: 'shop.example', full_domain: 'web.shop.example' });
    expect(await fetched('not an address')).toBe('nobody');
  });

  test('texts of a name', async () => {
    const { records } = await dnsTable('TXT');
    records.set('example.org', [{ type: 'TXT', ttl: 9, data: 'v=spf1 -all' }]);
    await fetched('example.org');
    expect(answer('example.org')).toEqual({
      single: null,
      multi: { raw_results: [{ value: 'v=spf1 -all' }] },
      list: ['v=spf1 -all'],
    });
  });

  test('a name that does not exist has no value, and what is not a name is not asked for', async () => {
    const server = await dnsTable('A');
    expect(await fetched('gone.example.org')).toBe('nobody');
    expect(await errorOf()).toBeNull();
    expect(await fetched('-no name-')).toBe('nobody');
    expect(server.asked).toEqual(['gone.example.org']);
  });

  test('without servers of its own it asks those of the system, and is not broken', async () => {
    await createTable({ type: 'dnslookup', lookup_type: 'A' });
    expect(await errorOf()).toBeNull();
    expect(await fetched('-no name-')).toBe('nobody');
    expect(await errorOf()).toBeNull();
  });

  test.each([
    [{ server_ips: 'dns.example.org' }, 'addresses of DNS servers'],
    [{ lookup_type: 'MX' }, 'lookup_type'],
  ])('%j is refused', async (config, reason) => {
    const body = { name: 'data', title: 'Data', config: { type: 'dnslookup', ...config } };
    const refused = await call('POST', ADAPTERS, { body });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining(reason)]);
  });
});

describe('Key-value store', () => {
  const set = (value: string | readonly string[], ttlMs?: number) =>
    fixture.worker.change('hosts', 'a', { kind: 'set', value, ttlMs });
  const add = (...texts: string[]) =>
    fixture.worker.change('hosts', 'a', { kind: 'add', texts, keepsDuplicates: false });
  const list = () => fixture.worker.lookup('hosts', 'a')?.multi?.value;

  test('a rule sees what it has set at once, and everybody else when it is stored', async () => {
    await createTable({ type: 'keyvalue' });
    expect(set('Ann')?.single).toBe('Ann');
    expect(set('Bob')?.single).toBe('Bob');
    expect(single('a')).toBe('Bob');
    await fixture.answered();
    expect(single('a')).toBe('Bob');
    expect(await query('a')).toMatchObject({ single_value: 'Bob', has_error: false });
    expect((await call('GET', `${ADAPTERS}/data/query?key=a`)).body.single_value).toBe('Bob');
    // Stored, not only remembered.
    await call('POST', `${TABLES}/hosts/purge`);
    expect(await fetched('a')).toBe('Bob');
    fixture.worker.change('hosts', 'a', { kind: 'clear' });
    expect(single('a')).toBe('nobody');
    await fixture.answered();
    expect(await query('a')).toMatchObject({ single_value: 'nobody' });
  });

  test('a list grows in the database also when the worker does not know it', async () => {
    await createTable({ type: 'keyvalue' });
    set(['x']);
    await fixture.answered();
    await call('POST', `${TABLES}/hosts/purge`);
    expect(add('y')?.multi?.value).toEqual(['y']);
    await fixture.answered();
    expect(list()).toEqual(['x', 'y']);
    fixture.worker.change('hosts', 'a', { kind: 'remove', texts: ['x'] });
    expect(list()).toEqual(['y']);
  });

  test('a value is gone when its time is over', async () => {
    await createTable({ type: 'keyvalue' });
    set('Ann', 10_000);
    await fixture.answered();
    fixture.clock.advance(9999);
    expect(single('a')).toBe('Ann');
    fixture.clock.advance(1);
    expect(single('a')).toBe('nobody');
    expect(await query('a')).toMatchObject({ single_value: 'nobody' });
  });

  test('more keys than allowed are refused, with an error that says so', async () => {
    await createTable({ type: 'keyvalue', max_entries: 1 });
    set('Ann');
    await fixture.answered();
    fixture.worker.change('hosts', 'b', { kind: 'set', value: 'Bob' });
    await fixture.answered();
    expect(await errorOf()).toContain('max_entries');
    set('Eve');
    await fixture.answered();
    expect(await query('a')).toMatchObject({ single_value: 'Eve', has_error: false });
  });

  test('the error of a look-up is shown for a minute, also while others succeed', async () => {
    await createTable({ type: 'keyvalue', max_entries: 1 });
    const change = (key: string) => {
      fixture.worker.change('hosts', key, { kind: 'set', value: 'Ann' });
      return fixture.answered();
    };
    await change('a');
    expect(await errorOf()).toBeNull();
    for (const key of ['b', 'a', 'b', 'a']) {
      await change(key);
      expect(await errorOf()).toContain('max_entries');
    }
    fixture.clock.advance(59_999);
    expect(await errorOf()).toContain('max_entries');
    fixture.clock.advance(1);
    expect(await errorOf()).toBeNull();
    // It stays while there is no success.
    await change('b');
    fixture.clock.advance(60_000);
    expect(await errorOf()).toContain('max_entries');
  });

  test('a key with a NUL character, which no database takes, has no value and is no error', async () => {
    await createTable({ type: 'keyvalue' });
    expect(single('a\0b')).toBe('nobody');
    expect(fixture.worker.isWaiting).toBe(false);
    expect(() => fixture.worker.change('hosts', 'a\0b', { kind: 'clear' })).toThrow('NUL');
    expect((await call('GET', `${TABLES}/hosts/query?key=a%00b`)).status).toBe(400);
    expect(await errorOf()).toBeNull();
  });

  test('values that are too large are refused', async () => {
    await createTable({ type: 'keyvalue' });
    expect(() => set('x'.repeat(10_001))).toThrow('at most 10000 characters');
    expect(() => set(Array.from({ length: 1001 }, String))).toThrow('at most 1000 texts');
  });

  test('a key of more bytes than an index of PostgreSQL takes has no value and is no error', async () => {
    await createTable({ type: 'keyvalue' });
    const longest = `${'鍵'.repeat(833)}k`;
    const tooLong = `${longest}k`;
    expect(single(tooLong)).toBe('nobody');
    expect(fixture.worker.isWaiting).toBe(false);
    const change = (key: string) => fixture.worker.change('hosts', key, { kind: 'set', value: 'Ann' });
    expect(() => change(tooLong)).toThrow('at most 2500 bytes, not 2501');
    expect(change(longest)).toMatchObject({ single: 'Ann' });
    expect(await errorOf()).toBeNull();
  });
});
