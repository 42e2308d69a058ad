import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLookupFixture, type LookupFixture } from '#testing/lookup-fixture.ts';

const ENTRIES = '/system/lookup/adapters/data/entries';

let fixture: LookupFixture;
beforeEach(async () => {
  fixture = await createLookupFixture();
});
afterEach(() => fixture.close());

async function createStore(maxEntries = 100): Promise<void> {
  const config = { type: 'keyvalue', max_entries: maxEntries };
  const data_adapter_id = await fixture.created('/system/lookup/adapters', {
    name: 'data',
    title: 'Data',
    config,
  });
  const cache = { type: 'guava_cache', max_size: 100, expire_after_access: 0, expire_after_write: 0 };
  const cache_id = await fixture.created('/system/lookup/caches', {
    name: 'cache',
    title: 'Cache',
    config: cache,
  });
  for (const name of ['one', 'two'])
    await fixture.created('/system/lookup/tables', { name, title: name, data_adapter_id, cache_id });
}

const put = (entries: unknown, as = 'admin') => fixture.call('PUT', ENTRIES, { as, body: { entries } });
const list = async (query = '') => (await fixture.call('GET', `${ENTRIES}${query}`)).body;
const keys = async (query = '') =>
  (await list(query)).entries.map(({ key }: { readonly key: string }) => key);

describe('the keys of a key-value store', () => {
  test('are set, listed by page, found and deleted; rules see it, in all tables of the store', async () => {
    await createStore();
    expect(await fixture.fetched('one', 'web-1')).toBeNull();
    expect(await fixture.fetched('two', 'web-1')).toBeNull();
    const set = await put([
      { key: 'web-1', value: 'Ann' },
      { key: 'web-2', value: 7, ttl: 60 },
      { key: 'team', value: ['Ann', 'Bob'] },
      { key: '100%', value: true },
      { key: '__proto__', value: 'plain' },
    ]);
    expect([set.status, set.body]).toEqual([200, { stored: 5 }]);
    expect(await fixture.fetched('one', 'web-1')).toBe('Ann');
    expect(await fixture.fetched('two', 'web-1')).toBe('Ann');
    expect(await list()).toEqual({
      total: 5,
      count: 5,
      page: 1,
      per_page: 50,
      query: '',
      entries: [
        { key: '100%', value: true, expires_at: null },
        { key: '__proto__', value: 'plain', expires_at: null },
        { key: 'team', value: ['Ann', 'Bob'], expires_at: null },
        { key: 'web-1', value: 'Ann', expires_at: null },
        { key: 'web-2', value: 7, expires_at: new Date(fixture.clock.now() + 60_000).toISOString() },
      ],
    });
    expect(await keys('?query=WEB&order=desc')).toEqual(['web-2', 'web-1']);
    expect(await keys('?query=%25')).toEqual(['100%']);
    expect(await list('?per_page=2&page=2')).toMatchObject({ total: 5, count: 2, page: 2 });

    expect((await fixture.call('DELETE', `${ENTRIES}?key=web-1`)).status).toBe(204);
    expect((await fixture.call('DELETE', `${ENTRIES}?key=web-1`)).status).toBe(404);
    expect(await fixture.fetched('one', 'web-1')).toBeNull();
    fixture.clock.advance(60_000);
    expect(await keys('?query=web')).toEqual([]);
  });

  test('changes are in the audit log', async () => {
    await createStore();
    await put([{ key: 'web-1', value: 'Ann' }]);
    await fixture.call('DELETE', `${ENTRIES}?key=web-1`);
    const { entries } = (await fixture.call('GET', '/system/audit?per_page=2')).body;
    expect(entries).toMatchObject([
      { action: 'lookup_adapter.delete_entry', before: { key: 'web-1', value: 'Ann' } },
      { action: 'lookup_adapter.set_entries', after: { keys: ['web-1'], count: 1 } },
    ]);
  });

  test('are read with lookuptables:read, and changed with lookuptables:edit', async () => {
    await createStore();
    await put([{ key: 'web-1', value: 'Ann' }]);
    await fixture.auth.addUser('reader', ['lookuptables:read']);
    await fixture.auth.addUser('editor', ['lookuptables:edit:data']);
    await fixture.auth.addUser('nobody');
    const statuses = async (as: string) => [
      (await fixture.call('GET', ENTRIES, { as })).status,
      (await put([{ key: 'web-2', value: 'Bob' }], as)).status,
      (await fixture.call('DELETE', `${ENTRIES}?key=web-2`, { as })).status,
    ];
    expect(await statuses('nobody')).toEqual([403, 403, 403]);
    expect(await statuses('reader')).toEqual([200, 403, 403]);
    expect(await statuses('editor')).toEqual([403, 200, 204]);
    expect(await keys()).toEqual(['web-1']);
  });

  test('a full store says how many were set', async () => {
    await createStore(2);
    const refused = await put(['a', 'b', 'c'].map((key) => ({ key, value: 'x' })));
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('2 of 3 keys are set: there are 2 keys');
    expect(await keys()).toEqual(['a', 'b']);
    // A key that is there takes no more room.
    expect((await put([{ key: 'b', value: 'y' }])).status).toBe(200);
  });

  test.each<[string, readonly unknown[]]>([
    ['no entries', []],
    ['an empty key', [{ key: '', value: 'x' }]],
    ['a key with a NUL character', [{ key: 'a\0b', value: 'x' }]],
    ['a long key', [{ key: '鍵'.repeat(834), value: 'x' }]],
    ['a long text', [{ key: 'k', value: 'x'.repeat(10_001) }]],
    ['null', [{ key: 'k', value: null }]],
    ['an object', [{ key: 'k', value: { a: 1 } }]],
    ['a list of lists', [{ key: 'k', value: [['x']] }]],
    ['a long list', [{ key: 'k', value: Array(1001).fill('x') }]],
    ['no time to live', [{ key: 'k', value: 'x', ttl: 0 }]],
    ['too many entries', Array(1001).fill({ key: 'k', value: 'x' })],
  ])('%s is refused, and nothing is set', async (_, entries) => {
    await createStore();
    const all = entries.length === 0 ? [] : [{ key: 'first', value: 'x' }, ...entries];
    expect((await put(all)).status).toBe(400);
    expect(await keys()).toEqual([]);
  });

  test('other data adapters have none', async () => {
    const config = { type: 'static', entries: [{ key: 'a', value: 'b' }] };
    await fixture.created('/system/lookup/adapters', { name: 'data', title: 'Data', config });
    for (const [method, query] of [
      ['GET', ''],
      ['DELETE', '?key=a'],
    ] as const) {
      const refused = await fixture.call(method, `${ENTRIES}${query}`);
      expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('key-value store')]);
    }
    expect((await fixture.call('GET', '/system/lookup/adapters/none/entries')).status).toBe(404);
  });
});
