import { randomInt } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ConflictError } from '#core/index.ts';
import { LOOKUP_PART, LOOKUP_TABLE } from '#testing/lookup-samples.ts';
import { ManualClock } from '#testing/manual-clock.ts';
import { type MetadataBackend, openEmpty } from '#testing/metadata-backend.ts';

export function lookupSuite(backend: MetadataBackend): void {
  describe('lookup tables', () => {
    test('adapters, caches and tables are stored, changed and removed; what a table uses stays', async () => {
      const { lookupAdapters, lookupCaches, lookupTables } = (await openEmpty(backend)).repositories;
      const adapter = await lookupAdapters.insert(LOOKUP_PART, 'a'.repeat(24));
      expect(adapter).toEqual({ ...LOOKUP_PART, id: 'a'.repeat(24) });
      await expect(lookupAdapters.insert(LOOKUP_PART)).rejects.toThrow(ConflictError);
      const cache = await lookupCaches.insert(LOOKUP_PART);
      const properties = { ...LOOKUP_TABLE, adapterId: adapter.id, cacheId: cache.id };
      const table = await lookupTables.insert(properties);
      expect(await lookupTables.list()).toEqual([{ ...properties, id: table.id }]);
      await expect(lookupAdapters.remove(adapter.id)).rejects.toThrow(ConflictError);
      await expect(lookupCaches.remove(cache.id)).rejects.toThrow(ConflictError);
      const renamed = {
        ...properties,
        name: 'another',
        defaultMulti: { type: 'OBJECT', text: '{}' },
      } as const;
      expect(await lookupTables.update(table.id, renamed)).toEqual({ ...renamed, id: table.id });
      expect(await lookupTables.update('unknown', renamed)).toBeUndefined();
      const changed = { ...LOOKUP_PART, title: 'New', configuration: { path: 'x' } };
      expect(await lookupAdapters.update(adapter.id, changed)).toEqual({ ...changed, id: adapter.id });
      expect(await lookupTables.remove(table.id)).toBe(true);
      expect(await lookupTables.remove(table.id)).toBe(false);
      expect(await lookupAdapters.remove(adapter.id)).toBe(true);
      expect(await lookupCaches.remove(cache.id)).toBe(true);
      expect(await lookupCaches.list()).toEqual([]);
    });

    test('entries are listed by page, sorted by key, without those that have expired', async () => {
      const clock = new ManualClock();
      const { lookupAdapters, lookupEntries } = (await openEmpty(backend, { clock })).repositories;
      const { id } = await lookupAdapters.insert(LOOKUP_PART);
      const expiring = clock.now() + 10;
      for (const key of ['Web-2', 'b%c', 'web-1', 'a_c'])
        await lookupEntries.change(id, key, () => ({
          value: key,
          expiresAt: key === 'a_c' ? expiring : undefined,
        }));
      const listed = async (search = '', limit = 10, offset = 0) => {
        const page = await lookupEntries.listPage(id, { search, limit, offset, isDescending: false });
        return { ...page, items: page.items.map(({ key }) => key) };
      };
      expect(await listed('WEB')).toMatchObject({ total: 2 });
      expect(await listed('%')).toEqual({ items: ['b%c'], total: 1 });
      expect(await listed('_')).toEqual({ items: ['a_c'], total: 1 });
      expect((await listed('', 2, 3)).items).toHaveLength(1);
      clock.advance(10);
      expect(await listed('_')).toEqual({ items: [], total: 0 });
      expect(await listed()).toMatchObject({ total: 3 });
    });

    test('entries have keys of up to 2500 bytes, however little can be compressed of them', async () => {
      const { lookupAdapters, lookupEntries } = (await openEmpty(backend)).repositories;
      const { id } = await lookupAdapters.insert(LOOKUP_PART);
      // Three bytes each, apart from the last one.
      const letters = Array.from({ length: 833 }, () => String.fromCharCode(randomInt(0x4e00, 0x9fff)));
      const key = `${letters.join('')}k`;
      await lookupEntries.change(id, key, () => ({ value: 'Ann', expiresAt: undefined }));
      expect(await lookupEntries.find(id, key)).toEqual({ value: 'Ann', expiresAt: undefined });
    });

    test('entries are changed by whoever comes first, expire, and go with their adapter', async () => {
      const clock = new ManualClock();
      const { lookupAdapters, lookupEntries } = (await openEmpty(backend, { clock })).repositories;
      const { id } = await lookupAdapters.insert(LOOKUP_PART);
      const add = (text: string) =>
        lookupEntries.change(id, 'k', (current) => ({
          value: [...((current?.value as string[] | undefined) ?? []), text],
          expiresAt: undefined,
        }));
      await Promise.all(['a', 'b', 'c', 'd'].map(add));
      const found = await lookupEntries.find(id, 'k');
      expect(found?.value).toHaveLength(4);
      expect(found?.value).toEqual(expect.arrayContaining(['a', 'b', 'c', 'd']));
      await lookupEntries.change(
        id,
        'k',
        (current) => current && { ...current, expiresAt: clock.now() + 10 },
      );
      expect(await lookupEntries.removeExpired()).toBe(0);
      expect(await lookupEntries.count(id)).toBe(1);
      clock.advance(10);
      expect(await lookupEntries.find(id, 'k')).toBeUndefined();
      await add('new');
      expect(await lookupEntries.find(id, 'k')).toEqual({ value: ['new'], expiresAt: undefined });
      await lookupEntries.change(id, 'k', () => undefined);
      expect(await lookupEntries.count(id)).toBe(0);
      await lookupEntries.change(id, 'b', () => ({ value: 'b', expiresAt: clock.now() }));
      expect(await lookupEntries.removeExpired()).toBe(1);
      await add('last');
      await lookupAdapters.remove(id);
      expect(await lookupEntries.count(id)).toBe(0);
      await expect(add('late')).rejects.toThrow(ConflictError);
    });
  });
}
