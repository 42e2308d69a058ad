import { describe, expect, test } from 'vitest';
import { ConflictError, isEntityId } from '#core/index.ts';
import { ManualClock } from '#testing/manual-clock.ts';
import { aUser, type MetadataBackend, openEmpty } from '#testing/metadata-backend.ts';
import type { NewSavedSearch } from '../repositories/index.ts';

const aSearch = (changes: Partial<NewSavedSearch> = {}): NewSavedSearch => ({
  title: 'Errors of the shop',
  description: "what's wrong",
  creator: 'anna',
  content: { query: 'level:<4 AND "ä \u0000"', timerange: { type: 'relative', range: 300 }, fields: ['a'] },
  ...changes,
});

export function savedSearchesSuite(backend: MetadataBackend): void {
  describe('saved searches', () => {
    test('a search is stored, replaced as a whole and removed', async () => {
      const clock = new ManualClock();
      const { savedSearches } = (await openEmpty(backend, { clock })).repositories;
      const first = await savedSearches.insert(aSearch());
      expect(isEntityId(first.id)).toBe(true);
      expect(first).toEqual({
        ...aSearch(),
        id: first.id,
        createdAt: clock.now(),
        updatedAt: clock.now(),
      });
      const second = await savedSearches.insert(aSearch({ title: 'All', description: null, content: {} }));
      expect(await savedSearches.list()).toEqual([second, first]);
      expect(await savedSearches.find(first.id)).toEqual(first);
      expect(await savedSearches.find('unknown')).toBeUndefined();

      clock.advance(1000);
      const properties = { title: 'Zero', description: null, content: { query: '*' } };
      const changed = { ...first, ...properties, updatedAt: clock.now() };
      expect(await savedSearches.update(first.id, properties)).toEqual(changed);
      expect(await savedSearches.update('unknown', { ...properties, title: 'x' })).toBeUndefined();
      expect(await savedSearches.list()).toEqual([second, changed]);

      expect(await savedSearches.remove(second.id)).toBe(true);
      expect(await savedSearches.remove(second.id)).toBe(false);
      expect(await savedSearches.list()).toEqual([changed]);
    });

    test('a title is unique; case matters', async () => {
      const { savedSearches } = (await openEmpty(backend)).repositories;
      await savedSearches.insert(aSearch());
      const other = await savedSearches.insert(aSearch({ title: 'errors of the shop' }));
      await expect(savedSearches.insert(aSearch())).rejects.toThrow(ConflictError);
      await expect(savedSearches.update(other.id, aSearch())).rejects.toThrow(ConflictError);
      expect(await savedSearches.update(other.id, { ...other })).toMatchObject({ title: other.title });
    });
  });

  describe('search history', () => {
    test('each query appears once, most recently used first, up to the limit', async () => {
      const clock = new ManualClock();
      const { searchHistory } = (await openEmpty(backend, { clock })).repositories;
      const root = { userId: 'local:admin', stored: false };
      for (const query of ['a', 'b', 'c', 'a', 'd', `long ${'x'.repeat(50_000)}`]) {
        clock.advance(1000);
        await searchHistory.record(root, { query, scope: {} }, 3);
      }
      const listed = await searchHistory.list(root.userId, 10);
      expect(listed.map(({ query, uses }) => [query.slice(0, 4), uses])).toEqual([
        ['long', 1],
        ['d', 1],
        ['a', 2],
      ]);
      expect(listed[0]?.usedAt).toBe(clock.now());
      expect(await searchHistory.list(root.userId, 1)).toHaveLength(1);
      expect(await searchHistory.list('somebody else', 10)).toEqual([]);
      await searchHistory.remove(root.userId, 'd');
      expect(await searchHistory.list(root.userId, 10)).toHaveLength(2);
      await searchHistory.remove(root.userId);
      expect(await searchHistory.list(root.userId, 10)).toEqual([]);
    });

    test('a query has the time range and streams of its last use', async () => {
      const { searchHistory } = (await openEmpty(backend)).repositories;
      const root = { userId: 'local:admin', stored: false };
      const scopes = [
        { timerange: { type: 'relative', range: 300 }, streams: ['000000000000000000000001'] },
        { timerange: { type: 'keyword', keyword: 'yesterday' } },
        {},
      ];
      for (const scope of scopes) {
        await searchHistory.record(root, { query: 'a', scope }, 3);
        expect(await searchHistory.list(root.userId, 3)).toMatchObject([{ query: 'a', scope }]);
      }
    });

    test('is deleted with its user, and no other', async () => {
      const { searchHistory, users } = (await openEmpty(backend)).repositories;
      const anna = await users.insert(aUser());
      const bob = await users.insert(aUser({ username: 'bob' }));
      for (const { id } of [anna, bob])
        await searchHistory.record({ userId: id, stored: true }, { query: 'q', scope: {} }, 50);
      await users.remove(anna.id);
      expect(await searchHistory.list(anna.id, 10)).toEqual([]);
      expect(await searchHistory.list(bob.id, 10)).toHaveLength(1);
    });
  });

  describe('searches of views', () => {
    const content = { queries: [{ id: 'q', query: 'ä "x"' }] };

    test('each belongs to its owner only, and only the newest are kept', async () => {
      const clock = new ManualClock();
      const { viewSearches } = (await openEmpty(backend, { clock })).repositories;
      const root = { userId: 'local:admin', stored: false };
      const other = { userId: 'local:other', stored: false };
      expect(await viewSearches.store(root, { id: 'a', content }, 2)).toEqual({
        id: 'a',
        content,
        storedAt: clock.now(),
      });
      expect(await viewSearches.find(root.userId, 'a')).toMatchObject({ id: 'a', content });
      expect(await viewSearches.find(other.userId, 'a')).toBeUndefined();
      expect(await viewSearches.store(other, { id: 'a', content: {} }, 2)).toBeUndefined();
      expect(await viewSearches.find(root.userId, 'a')).toMatchObject({ content });

      for (const id of ['b', 'a', 'c']) {
        clock.advance(1000);
        await viewSearches.store(root, { id, content: { id } }, 2);
      }
      expect(await viewSearches.find(root.userId, 'a')).toMatchObject({ content: { id: 'a' } });
      expect(await viewSearches.find(root.userId, 'b')).toBeUndefined();
      expect(await viewSearches.find(root.userId, 'c')).toMatchObject({ storedAt: clock.now() });
    });

    test('are deleted with their user', async () => {
      const { viewSearches, users } = (await openEmpty(backend)).repositories;
      const anna = await users.insert(aUser());
      await viewSearches.store({ userId: anna.id, stored: true }, { id: 'a', content }, 2);
      await users.remove(anna.id);
      expect(await viewSearches.find(anna.id, 'a')).toBeUndefined();
    });
  });
}
