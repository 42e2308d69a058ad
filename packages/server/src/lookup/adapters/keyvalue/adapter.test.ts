import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLookupFixture, type LookupFixture } from '#testing/lookup-fixture.ts';

let fixture: LookupFixture;
beforeEach(async () => {
  fixture = await createLookupFixture();
});
afterEach(() => fixture.close());

const created: LookupFixture['created'] = (...request) => fixture.created(...request);
const fetched: LookupFixture['fetched'] = (...key) => fixture.fetched(...key);

/** Tables that have one store in common. */
async function createTables(maxEntries: number, ...names: string[]): Promise<void> {
  const config = { type: 'keyvalue', max_entries: maxEntries };
  const data_adapter_id = await created('/system/lookup/adapters', { name: 'data', title: 'Data', config });
  const cache = { type: 'guava_cache', max_size: 100, expire_after_access: 0, expire_after_write: 0 };
  const cache_id = await created('/system/lookup/caches', { name: 'cache', title: 'Cache', config: cache });
  for (const name of names)
    await created('/system/lookup/tables', { name, title: name, data_adapter_id, cache_id });
}

const single = (table: string, key: string) => fixture.worker.lookup(table, key)?.single;

async function set(key: string, value: string, ttlMs?: number): Promise<void> {
  const answered = fixture.answered();
  fixture.worker.change('one', key, { kind: 'set', value, ttlMs });
  await answered;
}

describe('key-value store', () => {
  test('a full store takes new keys when old ones have expired', async () => {
    await createTables(2, 'one');
    await set('a', 'Ann', 10_000);
    await set('b', 'Bob', 10_000);
    await set('c', 'Eve');
    expect(await fetched('one', 'c')).toBeNull();
    fixture.clock.advance(10_000);
    await set('c', 'Eve');
    expect(single('one', 'c')).toBe('Eve');
    expect(await fetched('one', 'a')).toBeNull();
  });

  test('a key that rules clear makes room at once', async () => {
    await createTables(1, 'one');
    await set('a', 'Ann');
    const answered = fixture.answered();
    fixture.worker.change('one', 'a', { kind: 'clear' });
    await answered;
    await set('b', 'Bob');
    expect(single('one', 'b')).toBe('Bob');
  });

  test('a rule does not keep the value that was refused', async () => {
    await createTables(1, 'one');
    await set('a', 'Ann');
    await set('b', 'Bob');
    expect(single('one', 'b')).toBeNull();
  });

  test('a thread that changes one table sees it in the others of the same store', async () => {
    await createTables(10, 'one', 'two');
    await set('a', 'Ann');
    expect(await fetched('two', 'a')).toBe('Ann');
    await set('a', 'Bob');
    expect(await fetched('two', 'a')).toBe('Bob');
  });

  test('a node that stops makes the changes that wait', async () => {
    await createTables(1000, 'one');
    const changes = Array.from({ length: 500 }, (_, index) => ({
      table: 'one',
      sourceId: '',
      key: `k${index}`,
      change: { kind: 'set' as const, value: 'v' },
    }));
    fixture.service.serve({ keys: [], changes }, () => {});
    expect(fixture.service.changesUnderWay()).toBe(500);
    await fixture.service.stop();
    expect(fixture.service.changesUnderWay()).toBe(0);
    expect(await fixture.service.queryAdapter('data', 'k499')).toMatchObject({ single_value: 'v' });
  });

  test('a change from before the adapter was edited is made', async () => {
    await createTables(10, 'one');
    const answered = Promise.withResolvers<unknown>();
    const wanted = { table: 'one', sourceId: 'before', key: 'a' };
    fixture.service.serve(
      { keys: [], changes: [{ ...wanted, change: { kind: 'set', value: 'Ann' } }] },
      answered.resolve,
    );
    expect(await answered.promise).toMatchObject([{ ...wanted, fetched: { answer: { single: 'Ann' } } }]);
  });

  test.each(['tables/one', 'adapters/data'])('%s is not asked for a key that is too long', async (path) => {
    await createTables(10, 'one');
    const key = encodeURIComponent('鍵'.repeat(834));
    const refused = await fixture.call('GET', `/system/lookup/${path}/query?key=${key}`, { as: 'admin' });
    const reason = 'at most 2500 bytes, not 2502';
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining(reason)]);
  });
});
